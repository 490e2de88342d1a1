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
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Flux;
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

    @ResponseStatus(HttpStatus.NOT_FOUND)
    private static final class OrderNotFoundException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @GetMapping("/unknown")
    Mono<String> unknown() {
        return Mono.error(new OrderNotFoundException());
    }

    @GetMapping("/sold")
    Mono<String> sold() {
        return Mono.error(new UnsupportedOperationException("sold"));
    }

    @GetMapping("/lost")
    Mono<String> lost() {
        return Mono.error(new IllegalStateException("the order was lost"));
    }

    @GetMapping("/broken")
    Mono<Void> broken(ServerHttpResponse response) {
        return response.writeAndFlushWith(Flux.just(
                Flux.just(response.bufferFactory().wrap(new byte[] {'p'})),
                Flux.error(new IllegalArgumentException("broken off"))));
    }

    @Bean
    @Order(-2)
    WebExceptionHandler conflicts() {
        return (exchange, thrown) -> {
            if (thrown instanceof UnsupportedOperationException) {
                exchange.getResponse().setStatusCode(HttpStatus.CONFLICT);
                return exchange.getResponse().setComplete();
            }
            return Mono.error(thrown);
        };
    }

    /** Starts it, asks it, ends it, and says what the starter has recorded. */
    public static String measured() throws IOException, InterruptedException {
        try (ReactiveWebServerApplicationContext service =
                (ReactiveWebServerApplicationContext) new SpringApplicationBuilder(ReactiveShop.class)
                        .web(WebApplicationType.REACTIVE)
                        .properties(Map.of(
                                "server.port", "0",
                                "server.address", "127.0.0.1",
                                "spring.main.banner-mode", "off",
                                "logging.level.root", "off",
                                "downbeat.recorder.interval", "1h"))
                        .run()) {
            int port = service.getWebServer().getPort();
            HttpClient client = HttpClient.newHttpClient();
            for (String path : new String[] {
                "/order/1",
                "/order/2",
                "/order/3",
                "/refuse",
                "/unknown",
                "/sold",
                "/lost",
                "/broken",
                "/nowhere",
                "/actuator/health",
                "/livez"
            }) {
                try {
                    client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding());
                } catch (IOException brokenOff) {
                    // as the path says
                }
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
