package dev.downbeat.gatling.settings;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.http.HttpCalls;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpVersion;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The connections of one run's own requests, to each service of its own. Thread-safe. */
public final class HttpOrigins {
    /** Each request has a timeout of its own, which counts the wait for a connection. */
    private static final Duration NO_LIMIT = Duration.ofDays(365);

    private final OwnSettings settings;
    private final Map<String, HttpCalls> byOrigin = new ConcurrentHashMap<>();

    public HttpOrigins(OwnSettings settings) {
        this.settings = settings;
    }

    public HttpCalls to(HttpEndpoint endpoint) {
        String origin = (endpoint.tls() ? "https " : "http ") + endpoint.address();
        return byOrigin.computeIfAbsent(origin, first -> open(endpoint));
    }

    /** Whether nothing was sent. */
    public boolean isEmpty() {
        return byOrigin.isEmpty();
    }

    private HttpCalls open(HttpEndpoint endpoint) {
        try {
            return new HttpCalls(endpoint, options(), NO_LIMIT, NanoClock.system());
        } catch (IOException noSelector) {
            throw new UncheckedIOException(noSelector);
        }
    }

    private HttpOptions options() {
        return HttpOptions.builder()
                .connections(settings.connections())
                .connectTimeout(settings.connectTimeout())
                .keepAlive(settings.keepAlive())
                .http(settings.speaksHttp2() ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
                .preconnect(false)
                .verify(settings.verify())
                .build();
    }

    public ConnectionCounts connections() {
        return byOrigin.values().stream()
                .map(HttpCalls::connections)
                .reduce(ConnectionCounts.NONE, ConnectionCounts::plus);
    }

    public void close() {
        byOrigin.values().forEach(HttpCalls::close);
    }
}
