package shop;

import dev.downbeat.jdbc.Jdbc;
import dev.downbeat.junit.Against;
import dev.downbeat.junit.Answer;
import dev.downbeat.junit.LoadTest;
import dev.downbeat.junit.Slo;
import dev.downbeat.load.Load;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;

/** Started once for all tests. {@code -Ddownbeat.duration=60s} asks for as long a run as a promise needs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrdersIT {
    private final HttpClient client = HttpClient.newHttpClient();
    private ServletWebServerApplicationContext service;
    private URI shop;

    @BeforeAll
    void start() {
        service = (ServletWebServerApplicationContext) SpringApplication.run(Shop.class, "--server.port=0");
        shop = URI.create("http://127.0.0.1:" + service.getWebServer().getPort() + "/");
        System.setProperty("shop", shop.toString());
        if (System.getProperty("shop.against") != null) {
            System.setProperty("downbeat.against", shop.resolve(System.getProperty("shop.against")).toString());
        }
    }

    @AfterAll
    void stop() {
        service.close();
    }

    private static HttpRequest request(URI at) {
        return HttpRequest.newBuilder(at).build();
    }

    private void place(URI at) throws IOException, InterruptedException {
        int status = client.send(request(at), HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status != 200) {
            throw new IOException("status " + status);
        }
    }

    @LoadTest(rate = "100/s", duration = "5s", warmUp = "1s", budget = "5s")
    @Slo("p90 < 100ms")
    @Slo("errors < 1%")
    void is_healthy() throws Exception {
        place(shop.resolve("orders"));
    }

    @LoadTest(rate = "200/s", duration = "5s", warmUp = "0s", budget = "5s")
    @Slo("p95 < 40ms")
    void stalls() throws Exception {
        place(shop.resolve("stalled/orders"));
    }

    @LoadTest(rate = "50/s", duration = "1s", warmUp = "0s", budget = "1s")
    @Slo("p99.9 < 1s")
    void has_too_few_samples() throws Exception {
        place(shop.resolve("orders"));
    }

    @LoadTest(rate = "100/s", duration = "1s", warmUp = "0s", budget = "1s")
    @Slo("p50 < 1s")
    @Slo("errors < 1%")
    void is_broken() throws Exception {
        place(shop.resolve("broken/orders"));
    }

    /** Against the base, which is measured in the same job, in turns: {@code -Dshop.against=/}. */
    @LoadTest(rate = "100/s", duration = "4s", warmUp = "1s", budget = "4s", slowerAtMost = 0.05)
    @Slo("p50 < 1s")
    @Against(serviceUrl = "${shop}slower/")
    void is_slower_than_the_base(URI build) throws Exception {
        place(build.resolve("orders"));
    }

    @LoadTest(rate = "100/s", duration = "3s", warmUp = "1s", budget = "3s")
    @Slo("p90 < 100ms")
    void is_healthy_without_waiting(Answer answer) {
        answer.of(client.sendAsync(request(shop.resolve("orders")), HttpResponse.BodyHandlers.discarding()));
    }

    /** The pool of the service with the settings that it has: a wait for one of its connections counts. */
    @Test
    void the_pool_is_large_enough() {
        Load.perSecond(200)
                .duration(Duration.ofSeconds(3))
                .objectives("p90<100ms", "errors<1%")
                .run(Jdbc.of(service.getBean(DataSource.class))
                        .values(index -> new Object[] {index % 1_000 + 1})
                        .expect("rows=1")
                        .sql("select * from orders where id = {{id}}"))
                .throwUnlessMet();
    }

    /** An ordinary test beside them, which waits until no load test runs. */
    @Test
    void places_one_order() throws Exception {
        place(shop.resolve("orders"));
    }
}
