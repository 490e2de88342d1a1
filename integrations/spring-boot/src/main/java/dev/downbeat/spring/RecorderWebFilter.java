package dev.downbeat.spring;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Request;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Records each request of a reactive service until its response is complete, has failed, or was cancelled. Thread-safe. */
public final class RecorderWebFilter implements WebFilter, Ordered {
    private final LiveRecorder recorder;

    /**
     * A filter.
     *
     * @param recorder of a service
     */
    public RecorderWebFilter(LiveRecorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.defer(() -> {
            Request recorded = recorder.request();
            return chain.filter(exchange)
                    .doOnSuccess(done -> {
                        HttpStatusCode status = exchange.getResponse().getStatusCode();
                        Ending.end(recorded, status == null ? 0 : status.value());
                    })
                    .doOnError(recorded::failed)
                    .doOnCancel(() -> recorded.failed("cancelled"));
        });
    }
}
