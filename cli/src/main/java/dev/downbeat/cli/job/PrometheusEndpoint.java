package dev.downbeat.cli.job;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.report.file.PrometheusText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Serves Prometheus during a run, on its own threads. Thread-safe. */
public final class PrometheusEndpoint implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private static final Map<String, String> LIMITS =
            Map.of("sun.net.httpserver.maxReqTime", "5", "sun.net.httpserver.maxRspTime", "5");

    /**
     * The most concurrent readers, so that a slow one does not block others; further ones are disconnected after 5 s.
     */
    private static final int MOST_READERS = 16;

    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            MOST_READERS,
            5,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            PrometheusEndpoint::thread,
            new ThreadPoolExecutor.DiscardPolicy());
    private final HttpServer server;
    private volatile Supplier<PrometheusText.Standing> standing;

    private PrometheusEndpoint(HttpServer server, Supplier<PrometheusText.Standing> standing) {
        this.server = server;
        this.standing = standing;
    }

    /**
     * Starts listening.
     *
     * @param at the address
     * @param before state to report before the run begins
     * @throws IOException if the address is in use
     */
    public static PrometheusEndpoint start(InetSocketAddress at, Supplier<PrometheusText.Standing> before)
            throws IOException {
        try {
            // the JDK's server reads these limits once, when its classes are first used; in seconds
            LIMITS.forEach((name, seconds) -> System.getProperties().putIfAbsent(name, seconds));
            HttpServer server = HttpServer.create(at, 0);
            PrometheusEndpoint endpoint = new PrometheusEndpoint(server, before);
            server.setExecutor(endpoint.threads);
            server.createContext("/", endpoint::answer);
            server.start();
            return endpoint;
        } catch (IOException taken) {
            throw new IOException(
                    "--prometheus " + at.getHostString() + ":" + at.getPort() + ": " + Messages.of(taken), taken);
        }
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "downbeat-prometheus");
        thread.setDaemon(true);
        return thread;
    }

    /** Sets the state to report from now on. */
    void show(Supplier<PrometheusText.Standing> now) {
        standing = now;
    }

    public int port() {
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
        threads.shutdownNow();
    }
}
