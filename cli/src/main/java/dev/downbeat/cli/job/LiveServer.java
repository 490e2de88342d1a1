package dev.downbeat.cli.job;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.time.Daemon;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Serves what is known of a running measurement, on its own threads. Thread-safe. */
final class LiveServer implements AutoCloseable {
    static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int WITHOUT_BODY = -1;

    private static final Map<String, String> LIMITS =
            Map.of("sun.net.httpserver.maxReqTime", "5", "sun.net.httpserver.maxRspTime", "5");

    /** Concurrent readers, so that a slow one does not block others; further ones are disconnected after 5 s. */
    private static final int MOST_READERS = 16;

    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            MOST_READERS,
            5,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Daemon.factory("downbeat-live"),
            new ThreadPoolExecutor.DiscardPolicy());
    private final HttpServer server;

    private LiveServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts listening.
     *
     * @param option the option that gives the address, for messages
     * @param path the only path there is
     * @param handler answers each GET of it
     * @throws IOException if the address is in use
     */
    static LiveServer start(String option, InetSocketAddress at, String path, HttpHandler handler) throws IOException {
        try {
            // the JDK's server reads these limits once, when its classes are first used; in seconds
            LIMITS.forEach((name, seconds) -> System.getProperties().putIfAbsent(name, seconds));
            LiveServer live = new LiveServer(HttpServer.create(at, 0));
            live.server.setExecutor(live.threads);
            live.server.createContext("/", exchange -> answer(exchange, option, at, path, handler));
            live.server.start();
            return live;
        } catch (IOException taken) {
            throw new IOException(
                    option + " " + at.getHostString() + ":" + at.getPort() + ": " + Messages.of(taken), taken);
        }
    }

    private static void answer(
            HttpExchange exchange, String option, InetSocketAddress at, String path, HttpHandler handler)
            throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!isForUs(exchange, at)) {
                refuse(exchange, "Unknown host name. To allow it: " + option + " NAME:PORT\n");
            } else if (!exchange.getRequestURI().getPath().equals(path)) {
                exchange.sendResponseHeaders(NOT_FOUND, WITHOUT_BODY);
            } else if (method.equals("HEAD")) {
                exchange.sendResponseHeaders(OK, WITHOUT_BODY);
            } else if (!method.equals("GET")) {
                exchange.sendResponseHeaders(NOT_ALLOWED, WITHOUT_BODY);
            } else {
                handler.handle(exchange);
            }
        }
    }

    /**
     * A page of the web may rebind its name to this machine, and then read what is served for this machine only: its name
     * is in the header Host. No page has the names under which containers reach their host.
     */
    private static boolean isForUs(HttpExchange exchange, InetSocketAddress at) {
        String host = exchange.getRequestHeaders().getFirst("Host");
        return !at.getAddress().isLoopbackAddress()
                || host == null
                || Stream.of(
                                "localhost",
                                "127.0.0.1",
                                "[::1]",
                                "host.docker.internal",
                                "host.containers.internal",
                                at.getHostString())
                        .anyMatch(host.replaceFirst(":\\d*$", "")::equalsIgnoreCase);
    }

    private static void refuse(HttpExchange exchange, String why) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(FORBIDDEN, WITHOUT_BODY);
            return;
        }
        byte[] text = why.getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(FORBIDDEN, text.length);
        exchange.getResponseBody().write(text);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
