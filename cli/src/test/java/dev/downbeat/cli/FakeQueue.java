package dev.downbeat.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.testing.AttributeChecksum;
import dev.downbeat.testing.FakeTopic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers as SQS does to messages "x"; a queue {@code nowhere} does not exist, {@code theirs} holds 30 messages, {@code
 * closed} takes none and {@code stubborn} cannot be removed.
 */
public final class FakeQueue implements AutoCloseable {
    private static final String MD5_OF_X = "9dd4e461268c8034f5c8564e155c67a6";

    /** It has subscribers, of which none gets anything. */
    private static final FakeTopic TOPIC = new FakeTopic(
            false,
            List.of("arn:aws:sqs:us-east-1:000000000000:heard", "arn:aws:sqs:us-east-1:000000000000:too"),
            message -> {});

    private static final Pattern BODY = Pattern.compile("\"MessageBody\":\"([^\"]*)\"");
    private static final Pattern NAME = Pattern.compile("\"QueueName\":\"([^\"]*)\"");

    private final List<String> actions = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private FakeQueue(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public static FakeQueue start() throws IOException {
        return new FakeQueue(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50));
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** What was asked for, without what it was about. */
    public List<String> actions() {
        return List.copyOf(actions);
    }

    /** Of the messages that were sent. */
    List<String> bodies() {
        return List.copyOf(bodies);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
        if (target == null) {
            answer(exchange, 200, TOPIC.answer(request));
            return;
        }
        String action = target.replaceAll(".*\\.", "");
        actions.add(action);
        Matcher body = BODY.matcher(request);
        if (action.equals("SendMessage") && body.find()) {
            bodies.add(body.group(1));
        }
        boolean missing = request.contains("nowhere");
        boolean kept = action.equals("DeleteQueue") && request.contains("stubborn")
                || action.equals("SendMessage") && request.contains("closed");
        String uri = "http://" + exchange.getRequestHeaders().getFirst("Host") + "/000000000000/";
        Matcher name = NAME.matcher(request);
        String answer = missing
                ? error("QueueDoesNotExist")
                : kept
                        ? error("AccessDeniedException")
                        : "{\"MessageId\":\"1\",\"MD5OfMessageBody\":\"" + MD5_OF_X + "\""
                                + AttributeChecksum.member(request) + ",\"Attributes\":" + attributes(request)
                                + ",\"QueueUrl\":\"" + uri + (name.find() ? name.group(1) : "orders") + "\"}";
        answer(exchange, missing || kept ? 400 : 200, answer);
    }

    private static void answer(HttpExchange exchange, int status, String answer) throws IOException {
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String error(String code) {
        return "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"what the service says\"}";
    }

    /** The queue {@code theirs} holds messages, so does {@code theirs-once}, whose messages can be received once. */
    private static String attributes(String request) {
        return "{\"QueueArn\":\"arn:aws:sqs:us-east-1:000000000000:" + (request.contains("heard") ? "heard" : "orders")
                + "\",\"ApproximateNumberOfMessages\":\"" + (request.contains("theirs") ? 30 : 0)
                + "\",\"ApproximateNumberOfMessagesNotVisible\":\"0\",\"ApproximateNumberOfMessagesDelayed\":\"0\","
                + "\"RedrivePolicy\":\"{\\\"deadLetterTargetArn\\\":\\\"arn:aws:sqs:us-east-1:000000000000:dead\\\","
                + "\\\"maxReceiveCount\\\":" + (request.contains("theirs-once") ? 1 : 3) + "}\"}";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
