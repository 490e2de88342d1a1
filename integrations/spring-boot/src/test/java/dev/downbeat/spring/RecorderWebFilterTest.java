package dev.downbeat.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.Measured;
import dev.downbeat.load.ServiceRecorder;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Of an exchange this filter needs the response's status, its commit and the route only. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecorderWebFilterTest {
    private final List<Supplier<?>> beforeCommit = new ArrayList<>();

    private ServerWebExchange exchange(HttpStatus status) {
        return exchange(status, false);
    }

    private ServerWebExchange exchange(HttpStatus status, boolean isCommitted) {
        ServerHttpResponse response = proxy(ServerHttpResponse.class, (method, given) -> switch (method) {
            case "getStatusCode" -> status;
            case "isCommitted" -> isCommitted;
            case "beforeCommit" -> {
                beforeCommit.add((Supplier<?>) given[0]);
                yield null;
            }
            default -> throw new AssertionError(method);
        });
        return proxy(ServerWebExchange.class, (method, given) -> method.equals("getResponse") ? response : null);
    }

    private static <T> T proxy(Class<T> type, BiFunction<String, Object[], Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, called, given) -> answers.apply(called.getName(), given)));
    }

    @Test
    void each_way_to_end_is_an_end() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            RecorderWebFilter filter = new RecorderWebFilter(orders);
            filter.filter(exchange(HttpStatus.OK), each -> Mono.empty()).block();
            filter.filter(
                            exchange(HttpStatus.OK),
                            each -> Mono.delay(Duration.ofMillis(30)).then())
                    .block();
            filter.filter(exchange(HttpStatus.BAD_GATEWAY), each -> Mono.empty())
                    .block();
            ends(filter, exchange(HttpStatus.OK, true), new IllegalStateException("broken off"));
            ends(filter, exchange(HttpStatus.INTERNAL_SERVER_ERROR), new IllegalArgumentException("lost"));
            ends(filter, exchange(HttpStatus.NOT_FOUND), new NoSuchElementException("mapped"));
            for (HttpStatus status : new HttpStatus[] {HttpStatus.NOT_FOUND, HttpStatus.BAD_GATEWAY}) {
                ends(filter, exchange(status), new ResponseStatusException(status));
            }
            Disposable left =
                    filter.filter(exchange(HttpStatus.OK), each -> Mono.never()).subscribe();
            left.dispose();
            Mono<Void> neverAskedFor = filter.filter(exchange(HttpStatus.OK), each -> Mono.empty());
            assertThat(neverAskedFor).isNotNull();
            Measured measured = orders.take();
            assertThat(measured.answered()).isEqualTo(4);
            assertThat(measured.inFlight()).isZero();
            assertThat(measured.failures())
                    .containsOnlyKeys("status 502", "IllegalStateException", "IllegalArgumentException", "cancelled");
        }
    }

    @Test
    void an_exception_of_the_recording_never_reaches_the_service() {
        ServerWebExchange broken = proxy(ServerWebExchange.class, (method, given) -> {
            throw new IllegalStateException(method);
        });
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            new RecorderWebFilter(orders).filter(broken, each -> Mono.empty()).block();
            new RecorderWebFilter(orders, path -> true)
                    .filter(broken, each -> Mono.empty())
                    .block();
            assertThat(new RecorderWebFilter(orders)
                            .filter(broken, each -> Mono.error(new NoSuchElementException("its own")))
                            .onErrorResume(thrown ->
                                    Mono.fromRunnable(() -> assertThat(thrown).hasMessage("its own"))))
                    .isNotNull()
                    .satisfies(Mono::block);
            Measured measured = orders.take();
            assertThat(measured.inFlight()).isZero();
            assertThat(measured.failures()).containsEntry("not answered", 2L);
        }
    }

    /** As Spring does it: the response is written after all filters. */
    private void ends(RecorderWebFilter filter, ServerWebExchange exchange, Throwable thrown) {
        filter.filter(exchange, each -> Mono.error(thrown)).onErrorComplete().block();
        beforeCommit.forEach(each -> ((Mono<?>) each.get()).block());
        beforeCommit.clear();
    }
}
