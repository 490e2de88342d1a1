package dev.downbeat.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.load.ConsumerRecorder;
import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Measured;
import dev.downbeat.load.ServiceRecorder;
import dev.downbeat.micrometer.MeasuredMetrics;
import dev.downbeat.report.data.ReportAccess;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** A service with the starter and an actuator, on Tomcat. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServletServiceTest {
    private static final AtomicLong COUNTED = new AtomicLong();
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private static ConfigurableApplicationContext service;
    private static HttpClient client;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @RestController
    static class Shop {
        /** Of another source than the service's requests. */
        @Bean(destroyMethod = "close")
        ConsumerRecorder queue() {
            return ConsumerRecorder.of("queue");
        }

        @Bean
        MeasuredMetrics queueMetrics() {
            return new MeasuredMetrics("queue");
        }

        @Bean
        MeasuredListener counting(MeterRegistry registry) {
            return measured -> {
                if (!registry.isClosed()) {
                    COUNTED.addAndGet(measured.answered());
                }
            };
        }

        @GetMapping("/order/{id}")
        String order() {
            return "placed";
        }

        @GetMapping("/refuse")
        String refuse() {
            throw new IllegalStateException("the order was lost");
        }

        @GetMapping("/late")
        DeferredResult<String> late() {
            DeferredResult<String> result = new DeferredResult<>();
            CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)
                    .execute(() -> result.setErrorResult(new ArithmeticException("late")));
            return result;
        }

        @GetMapping("/called")
        Callable<String> called() {
            return () -> {
                throw new IllegalArgumentException("called");
            };
        }

        @GetMapping("/status")
        String status() {
            throw new ResponseStatusException(HttpStatus.BAD_GATEWAY);
        }

        @GetMapping("/later")
        CompletableFuture<String> later() {
            Executor inAWhile = CompletableFuture.delayedExecutor(150, TimeUnit.MILLISECONDS);
            return CompletableFuture.supplyAsync(() -> "placed later", inAWhile);
        }

        @GetMapping("/never")
        DeferredResult<String> never() {
            return new DeferredResult<>(100L);
        }

        @GetMapping("/broken")
        void broken(HttpServletResponse response) throws IOException {
            response.getOutputStream().write('p');
            response.flushBuffer();
            throw new IOException("broken off");
        }

        @GetMapping("/stream")
        StreamingResponseBody stream() {
            return out -> {
                out.write('p');
                out.flush();
                throw new IOException("broken off");
            };
        }

        @GetMapping("/poll")
        DeferredResult<String> poll() {
            return new DeferredResult<>(100L, "no news");
        }
    }

    @BeforeAll
    static void start() {
        client = HttpClient.newHttpClient();
        service = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.SERVLET)
                .properties(Map.of(
                        "server.port", "0",
                        "server.address", "127.0.0.1",
                        "spring.main.banner-mode", "off",
                        "logging.level.root", "error",
                        "downbeat.recorder.name", "orders",
                        "downbeat.recorder.objectives", "p50<5s",
                        "downbeat.recorder.interval", "1h",
                        "management.endpoints.web.exposure.include", "downbeat"))
                .run();
    }

    /** What ended after the last measurement is counted before the registries are closed. */
    @AfterAll
    static void stop() {
        COUNTED.set(0);
        service.getBean("downbeatRecorder", ServiceRecorder.class).request().answered();
        service.close();
        assertThat(COUNTED).hasPositiveValue();
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        String port = service.getEnvironment().getProperty("local.server.port");
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_misspelt_property_ends_the_start() {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Shop.class)
                        .properties(Map.of(
                                "server.port", "0",
                                "spring.main.banner-mode", "off",
                                "logging.level.root", "off",
                                "downbeat.recorder.intervall", "2s"))
                        .run())
                .hasRootCauseMessage("The elements [downbeat.recorder.intervall] were left unbound.");
        assertThatThrownBy(() -> new SpringApplicationBuilder(Shop.class)
                        .properties(Map.of(
                                "server.port", "0",
                                "spring.main.banner-mode", "off",
                                "logging.level.root", "off",
                                "downbeat.recoder.interval", "2s"))
                        .run())
                .hasRootCauseMessage("downbeat.recoder.interval: there is no such property; the nearest is"
                        + " downbeat.recorder.interval");
    }

    @Test
    void a_status_from_500_on_is_a_failure_and_a_timeout_alone_is_none() throws Exception {
        assertThat(get("/refuse").statusCode()).isEqualTo(500);
        assertThat(get("/never").statusCode()).isEqualTo(503);
        assertThat(get("/poll").body()).isEqualTo("no news");
        assertThat(ended())
                .isEqualTo("answered 1, failed {IllegalStateException=1, status 503 after an async timeout=1}");
    }

    @Test
    void a_response_that_breaks_off_is_a_failure_though_its_status_was_sent_before() {
        for (String path : new String[] {"/broken", "/stream"}) {
            assertThatThrownBy(() -> get(path)).isInstanceOf(IOException.class);
        }
        assertThat(ended()).isEqualTo("answered 0, failed {IOException=2}");
    }

    /** Spring wraps exceptions of asynchronous code in one of servlets. */
    @Test
    void a_failure_is_named_after_the_applications_own_exception() throws Exception {
        for (String path : new String[] {"/refuse", "/late", "/called"}) {
            assertThat(get(path).statusCode()).isEqualTo(500);
        }
        assertThat(get("/status").statusCode()).isEqualTo(502);
        assertThat(ended())
                .isEqualTo("answered 0, failed {ArithmeticException=1, IllegalArgumentException=1,"
                        + " IllegalStateException=1, status 502=1}");
    }

    /** Tomcat passes them on without a path. */
    @Test
    void a_request_that_the_container_cannot_parse_is_answered_by_it_and_recorded() throws Exception {
        for (String line : new String[] {"GET /ok?{} HTTP/1.1", "\u0016\u0003\u0001"}) {
            assertThat(raw(line + "\r\nHost: shop\r\n\r\n")).as(line).startsWith("HTTP/1.1 400");
        }
        assertThat(ended()).isEqualTo("answered 2, failed {}");
    }

    private static String raw(String request) throws IOException {
        int port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void an_objective_that_cannot_be_parsed_ends_the_start_with_its_property() {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Shop.class)
                        .properties(Map.of(
                                "server.port", "0",
                                "spring.main.banner-mode", "off",
                                "logging.level.root", "off",
                                "downbeat.recorder.objectives", "p99<50"))
                        .run())
                .rootCause()
                .hasMessageStartingWith("downbeat.recorder.objectives: ")
                .hasMessageContaining("needs a unit");
    }

    /** What has become of all requests, some of which end only after their caller has the response. */
    private static String ended() {
        LiveRecorder recorder = service.getBean("downbeatRecorder", ServiceRecorder.class);
        long patienceAt = System.nanoTime() + PATIENCE_NANOS;
        long answered = 0;
        Map<String, Long> failures = new TreeMap<>();
        Measured measured;
        do {
            measured = recorder.take();
            answered += measured.answered();
            measured.failures().forEach((why, count) -> failures.merge(why, count, Long::sum));
        } while (measured.inFlight() > 0 && System.nanoTime() - patienceAt < 0);
        return "answered " + answered + ", failed " + failures;
    }

    @Test
    void each_request_is_counted_once_when_it_ends_and_shown_by_actuator_and_meters() throws Exception {
        assertThat(get("/actuator/downbeat").body()).startsWith("No measurement yet");
        assertThat(get("/later").body()).isEqualTo("placed later");
        for (int i = 0; i < 20; i++) {
            assertThat(get("/order/" + i).body()).isEqualTo("placed");
        }
        DownbeatAutoConfiguration.Snapshots taking = service.getBean(DownbeatAutoConfiguration.Snapshots.class);
        taking.take();
        assertThat(service.getBean(LiveRecorder.class).take().planned())
                .as("the queue's, which goes before the starter's")
                .isZero();
        Measured measured = taking.newest().orElseThrow();
        assertThat(measured.inFlight()).isZero();
        assertThat(measured.answered())
                .as("20 and the later one, none of the actuator")
                .isEqualTo(21);
        assertThat(ReportAccess.of(measured).result().recording().byName().keySet())
                .containsExactlyInAnyOrder("/later", "/order/{id}");
        assertThat(measured.response("/order/{id}").count()).isEqualTo(20);
        assertThat(measured.max()).isGreaterThanOrEqualTo(Duration.ofMillis(149));
        assertThat(measured.failures()).isEmpty();
        assertThat(get("/actuator/downbeat").body()).contains("orders").contains("p50");
        assertThat(get("/actuator/downbeat/page").body()).contains("<html").contains("orders");
        MeterRegistry registry = service.getBean(MeterRegistry.class);
        assertThat(registry.get("orders.response.time").timers())
                .singleElement()
                .satisfies(timer ->
                        assertThat(timer.count()).isEqualTo(measured.response().count()));
        assertThat(registry.get("queue.response.time").timer().count()).isZero();
        assertThat(registry.get("orders.response").tag("quantile", "0.99").timeGauges())
                .hasSize(1);
    }
}
