package dev.downbeat.spring;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.ReportAccess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A reactive service with the starter; on a class path of its own. */
@SpringBootConfiguration
@EnableAutoConfiguration
@RestController
public class ReactiveShop {
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    @GetMapping("/order/{id}")
    Mono<String> order() {
        return Mono.just("placed");
    }

    @GetMapping("/refuse")
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    Mono<String> refuse() {
        return Mono.just("closed");
    }

    /** Starts it, asks it five times, ends it, and says what the starter has recorded. */
    public static String measured() throws IOException, InterruptedException {
        try (ReactiveWebServerApplicationContext service =
                (ReactiveWebServerApplicationContext) new SpringApplicationBuilder(ReactiveShop.class)
                        .web(WebApplicationType.REACTIVE)
                        .properties(Map.of(
                                "server.port", "0",
                                "server.address", "127.0.0.1",
                                "spring.main.banner-mode", "off",
                                "logging.level.root", "error",
                                "downbeat.recorder.interval", "1h"))
                        .run()) {
            int port = service.getWebServer().getPort();
            HttpClient client = HttpClient.newHttpClient();
            for (String path : new String[] {
                "/order/1", "/order/2", "/order/3", "/refuse", "/nowhere", "/actuator/health", "/livez"
            }) {
                client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
            }
            LiveRecorder recorder = service.getBean(LiveRecorder.class);
            Map<String, Long> rows = new TreeMap<>();
            long answered = 0;
            Map<String, Long> failures = new TreeMap<>();
            Measured measured;
            long patienceAt = System.nanoTime() + PATIENCE_NANOS;
            do { // the last answer may be here before the service has counted it
                measured = recorder.take();
                answered += measured.answered();
                ReportAccess.of(measured)
                        .result()
                        .recording()
                        .byName()
                        .forEach((row, seen) -> rows.merge(row, seen.ledger().planned(), Long::sum));
                measured.failures().forEach((why, count) -> failures.merge(why, count, Long::sum));
            } while (measured.inFlight() > 0 && System.nanoTime() - patienceAt < 0);
            return rows + ", " + answered + " answered, failed " + failures + ", in flight " + measured.inFlight();
        }
    }
}
