package dev.downbeat.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers as SQS does to messages "x"; a queue {@code nowhere} does not exist. */
final class FakeQueue implements AutoCloseable {
    private static final String MD5_OF_X = "9dd4e461268c8034f5c8564e155c67a6";

    static {
        // Else its answers, which it writes in two parts, wait 40 ms for the acknowledgement of the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private FakeQueue(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    static FakeQueue start() throws IOException {
        return new FakeQueue(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50));
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean missing = request.contains("nowhere");
        String uri = "http://" + exchange.getRequestHeaders().getFirst("Host");
        String answer = missing
                ? "{\"__type\":\"com.amazonaws.sqs#QueueDoesNotExist\",\"message\":\"hush-hush\"}"
                : "{\"MessageId\":\"1\",\"MD5OfMessageBody\":\"" + MD5_OF_X + "\",\"QueueUrl\":\"" + uri
                        + "/000000000000/orders\"}";
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(missing ? 400 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
