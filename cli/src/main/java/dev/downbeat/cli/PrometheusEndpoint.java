package dev.downbeat.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.cli.measurement.Messages;
import dev.downbeat.report.file.PrometheusText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Answers Prometheus while a run goes on, on a thread of its own. Thread-safe. */
final class PrometheusEndpoint implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private final HttpServer server;
    private volatile Supplier<PrometheusText.Standing> standing;

    private PrometheusEndpoint(HttpServer server, Supplier<PrometheusText.Standing> standing) {
        this.server = server;
        this.standing = standing;
    }

    /**
     * Begins to listen.
     *
     * @param at where
     * @param before what is told before the run begins
     * @throws IOException if somebody else listens there
     */
    static PrometheusEndpoint start(InetSocketAddress at, Supplier<PrometheusText.Standing> before) throws IOException {
        try {
            HttpServer server = HttpServer.create(at, 0);
            PrometheusEndpoint endpoint = new PrometheusEndpoint(server, before);
            server.createContext("/", endpoint::answer);
            server.start();
            return endpoint;
        } catch (IOException taken) {
            throw new IOException(
                    "--prometheus " + at.getHostString() + ":" + at.getPort() + ": " + Messages.of(taken), taken);
        }
    }

    /** What to tell from now on. */
    void show(Supplier<PrometheusText.Standing> now) {
        standing = now;
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals("/metrics")) {
                exchange.sendResponseHeaders(NOT_FOUND, -1);
                return;
            }
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            if (!isHead && !exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(NOT_ALLOWED, -1);
                return;
            }
            StringBuilder text = new StringBuilder();
            PrometheusText.write(standing.get(), text);
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", PrometheusText.CONTENT_TYPE);
            exchange.sendResponseHeaders(OK, isHead ? -1 : bytes.length);
            if (!isHead) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
