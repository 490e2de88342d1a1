package dev.downbeat.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Measured;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Of an exchange this filter asks for the response's status and the route only. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecorderWebFilterTest {
    private static ServerWebExchange exchange(HttpStatus status) {
        ServerHttpResponse response = proxy(ServerHttpResponse.class, "getStatusCode", status);
        return proxy(ServerWebExchange.class, "getResponse", response);
    }

    private static <T> T proxy(Class<T> type, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, given) -> {
            assertThat(called.getName()).isIn(method, "getAttribute");
            return called.getName().equals(method) ? answer : null;
        }));
    }

    @Test
    void each_way_to_end_is_an_end() {
        try (LiveRecorder orders = LiveRecorder.ofService("orders")) {
            RecorderWebFilter filter = new RecorderWebFilter(orders);
            filter.filter(exchange(HttpStatus.OK), each -> Mono.empty()).block();
            filter.filter(
                            exchange(HttpStatus.OK),
                            each -> Mono.delay(Duration.ofMillis(30)).then())
                    .block();
            filter.filter(exchange(HttpStatus.BAD_GATEWAY), each -> Mono.empty())
                    .block();
            filter.filter(exchange(HttpStatus.OK), each -> Mono.error(new IllegalStateException("lost")))
                    .onErrorComplete()
                    .block();
            for (HttpStatus status : new HttpStatus[] {HttpStatus.NOT_FOUND, HttpStatus.BAD_GATEWAY}) {
                filter.filter(exchange(HttpStatus.OK), each -> Mono.error(new ResponseStatusException(status)))
                        .onErrorComplete()
                        .block();
            }
            Disposable left =
                    filter.filter(exchange(HttpStatus.OK), each -> Mono.never()).subscribe();
            left.dispose();
            Mono<Void> neverAskedFor = filter.filter(exchange(HttpStatus.OK), each -> Mono.empty());
            assertThat(neverAskedFor).isNotNull();
            Measured measured = orders.take();
            assertThat(measured.answered()).isEqualTo(3);
            assertThat(measured.inFlight()).isZero();
            assertThat(measured.failures()).containsOnlyKeys("status 502", "IllegalStateException", "cancelled");
        }
    }
}
