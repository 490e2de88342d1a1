package dev.downbeat.http.requests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A shop to buy from: who logs in gets a cookie and a token, who has both may search and order, and an order is shown to whoever
 * knows its number. Counts what it answers, by path.
 */
final class Shop implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private final Map<String, AtomicLong> answered = new ConcurrentHashMap<>();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private final Set<String> orders = ConcurrentHashMap.newKeySet();
    private final Set<String> users = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();

    Shop() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How many requests of each path were answered with which status: {@code /orders 201}. */
    Map<String, Long> answered() {
        Map<String, Long> counts = new TreeMap<>();
        answered.forEach((what, count) -> counts.put(what, count.get()));
        return counts;
    }

    Set<String> users() {
        return users;
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            String token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
                    .replace("Bearer ", "");
            boolean known = tokens.contains(token)
                    && ("sid=" + token).equals(exchange.getRequestHeaders().getFirst("Cookie"));
            String row = path.startsWith("/orders/") ? "/orders/{id}" : path;
            switch (row) {
                case "/login" -> {
                    String fresh = "t" + numbers.incrementAndGet();
                    users.add(body);
                    tokens.add(fresh);
                    exchange.getResponseHeaders().add("Set-Cookie", "sid=" + fresh + "; Path=/; HttpOnly");
                    answer(exchange, row, 200, "{\"token\": \"" + fresh + "\"}");
                }
                case "/search" -> answer(exchange, row, known ? 200 : 401, "{\"ok\": " + known + "}");
                case "/orders" -> {
                    String id = "o" + numbers.incrementAndGet();
                    orders.add(id);
                    answer(exchange, row, known ? 201 : 401, "{\"order\": {\"id\": \"" + id + "\"}}");
                }
                case "/orders/{id}" ->
                    answer(exchange, row, orders.contains(path.substring("/orders/".length())) ? 200 : 404, "{}");
                default -> answer(exchange, row, 404, "");
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private void answer(HttpExchange exchange, String row, int status, String body) throws IOException {
        answered.computeIfAbsent(row + " " + status, what -> new AtomicLong()).incrementAndGet();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
