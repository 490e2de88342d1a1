package dev.downbeat.spring;

import dev.downbeat.load.Request;
import dev.downbeat.load.ServiceRecorder;
import java.util.function.Predicate;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Records each request of a reactive service until its response has completed, failed, or was cancelled. Thread-safe.
 */
public final class RecorderWebFilter implements WebFilter, Ordered {
    private static final String ROUTE = "org.springframework.web.reactive.HandlerMapping.bestMatchingPattern";

    private final ServiceRecorder recorder;
    private final Predicate<ServerWebExchange> isRecorded;

    /**
     * Creates a filter.
     *
     * @param recorder a recorder of a service
     */
    public RecorderWebFilter(ServiceRecorder recorder) {
        this.recorder = recorder;
        this.isRecorded = exchange -> true;
    }

    RecorderWebFilter(ServiceRecorder recorder, Predicate<String> isRecorded) {
        this.recorder = recorder;
        this.isRecorded = exchange -> isRecorded.test(
                exchange.getRequest().getPath().pathWithinApplication().value());
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.defer(() -> {
            Request recorded = Contained.begin(() -> isRecorded.test(exchange) ? recorder.request() : null);
            if (recorded == null) {
                return chain.filter(exchange);
            }
            return chain.filter(exchange)
                    .doOnSuccess(done ->
                            Contained.end(recorded, () -> RequestEnd.end(named(recorded, exchange), status(exchange))))
                    .doOnError(thrown -> Contained.end(recorded, () -> failed(recorded, exchange, thrown)))
                    .doOnCancel(() -> Contained.end(
                            recorded, () -> named(recorded, exchange).failed("cancelled")));
        });
    }

    /** An exception's status is known once a handler, which Spring calls after all filters, has chosen it. */
    private static void failed(Request recorded, ServerWebExchange exchange, Throwable thrown) {
        if (exchange.getResponse().isCommitted()) {
            named(recorded, exchange).failed(thrown);
            return;
        }
        exchange.getResponse()
                .beforeCommit(() ->
                        Mono.fromRunnable(() -> Contained.end(recorded, () -> handled(recorded, exchange, thrown))));
    }

    private static void handled(Request recorded, ServerWebExchange exchange, Throwable thrown) {
        int status = status(exchange);
        named(recorded, exchange);
        if (RequestEnd.isFailure(status) && !(thrown instanceof ErrorResponse)) {
            recorded.failed(thrown);
        } else {
            RequestEnd.end(recorded, status);
        }
    }

    private static Request named(Request recorded, ServerWebExchange exchange) {
        return recorded.named(RequestEnd.row(exchange.getAttribute(ROUTE), status(exchange)));
    }

    private static int status(ServerWebExchange exchange) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        return status == null ? 0 : status.value();
    }
}
