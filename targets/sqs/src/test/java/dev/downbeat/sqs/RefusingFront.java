package dev.downbeat.sqs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Hands calls on to ElasticMQ, but for those that a test wants refused, and its answers as a test wants them. */
final class RefusingFront implements AutoCloseable {
    /** The error code of a call, by its operation and its number among those, from 1; empty if it is handed on. */
    interface Refusals {
        String code(String operation, int number);
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final HttpServer server;
    private final URI behind;
    private final Refusals refusals;
    private final UnaryOperator<String> answers;

    private RefusingFront(ElasticMq behind, Refusals refusals, UnaryOperator<String> answers) throws IOException {
        this.behind = behind.uri();
        this.refusals = refusals;
        this.answers = answers;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    static RefusingFront before(ElasticMq server, Refusals refusals) throws IOException {
        return new RefusingFront(server, refusals, UnaryOperator.identity());
    }

    /** One that refuses nothing and answers what this makes of each answer. */
    static RefusingFront changing(ElasticMq server, UnaryOperator<String> answers) throws IOException {
        return new RefusingFront(server, (call, number) -> "", answers);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        String action = exchange.getRequestHeaders().getFirst("X-Amz-Target");
        String operation = action.substring(action.indexOf('.') + 1);
        int number =
                calls.computeIfAbsent(operation, first -> new AtomicInteger()).incrementAndGet();
        byte[] body = exchange.getRequestBody().readAllBytes();
        String code = refusals.code(operation, number);
        if (code.isEmpty()) {
            HttpResponse<byte[]> answer = handOn(action, body);
            String changed = answers.apply(new String(answer.body(), StandardCharsets.UTF_8));
            answer(exchange, answer.statusCode(), changed.getBytes(StandardCharsets.UTF_8));
        } else {
            String error = "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"told by a test\"}";
            answer(exchange, 400, error.getBytes(StandardCharsets.UTF_8));
        }
    }

    private HttpResponse<byte[]> handOn(String action, byte[] body) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(behind)
                .header("X-Amz-Target", action)
                .header("Content-Type", "application/x-amz-json-1.0")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw new IOException(closing);
        }
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
