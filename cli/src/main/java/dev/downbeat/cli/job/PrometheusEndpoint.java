package dev.downbeat.cli.job;

import com.sun.net.httpserver.HttpExchange;
import dev.downbeat.report.file.PrometheusText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Serves Prometheus during a run. Thread-safe. */
public final class PrometheusEndpoint implements AutoCloseable {
    private final LiveServer server;
    private volatile Supplier<PrometheusText.Standing> standing;

    private PrometheusEndpoint(InetSocketAddress at, Supplier<PrometheusText.Standing> standing) throws IOException {
        this.standing = standing;
        this.server = LiveServer.start("--prometheus", at, "/metrics", this::answer);
    }

    /** Starts listening; {@code before} is the state to report until the run begins. */
    public static PrometheusEndpoint start(InetSocketAddress at, Supplier<PrometheusText.Standing> before)
            throws IOException {
        return new PrometheusEndpoint(at, before);
    }

    /** Sets the state to report from now on. */
    void show(Supplier<PrometheusText.Standing> now) {
        standing = now;
    }

    public int port() {
        return server.port();
    }

    private void answer(HttpExchange exchange) throws IOException {
        StringBuilder text = new StringBuilder();
        PrometheusText.write(standing.get(), text);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", PrometheusText.CONTENT_TYPE);
        exchange.sendResponseHeaders(LiveServer.OK, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.close();
    }
}
