package dev.downbeat.sqs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.testing.AttributeChecksum;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Answers as SQS does, in its JSON protocol, as slowly or as badly as a test wants. */
final class FakeSqs implements AutoCloseable {
    private static final Pattern BODY = Pattern.compile("\"MessageBody\":\"([^\"]*)\"");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger sends = new AtomicInteger();
    private final Map<Integer, AtomicInteger> byClientPort = new ConcurrentHashMap<>();
    private final String denied;
    private volatile long delayNanos;
    private volatile int closeAfter = Integer.MAX_VALUE;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private volatile IntFunction<String> errors = send -> "";
    private volatile String firstError = "";
    private volatile String sendAnswer = "";
    private volatile String failedEntry = "";
    private volatile String lastKey = "";

    private FakeSqs(String denied, HttpServer server) {
        this.denied = denied;
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    static FakeSqs start() throws IOException {
        return new FakeSqs("", HttpServer.create(address(), 200));
    }

    /** One that speaks TLS with this key. */
    static FakeSqs encrypted(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(address(), 200);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new FakeSqs("", server);
    }

    private static InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** One that answers requests that ask about the queue with this error. */
    static FakeSqs refusing(String code) throws IOException {
        return new FakeSqs(code, HttpServer.create(address(), 200));
    }

    FakeSqs delay(long nanos) {
        delayNanos = nanos;
        return this;
    }

    FakeSqs closeAfter(int requests) {
        closeAfter = requests;
        return this;
    }

    /** The error code of each send, by its number from 1; empty if it succeeds. */
    FakeSqs errors(IntFunction<String> codeOfSend) {
        errors = codeOfSend;
        return this;
    }

    /** Fails the first attempt to send each message with this error code. */
    FakeSqs failsFirst(String code) {
        firstError = code;
        return this;
    }

    /** Answers each send, or batch, with this. */
    FakeSqs answersSends(String json) {
        sendAnswer = json;
        return this;
    }

    /** Answers each batch with this failed entry, in place of the last but one, and without the last. */
    FakeSqs failsEntries(String json) {
        failedEntry = json;
        return this;
    }

    URI uri() {
        return URI.create((server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort());
    }

    String queue() {
        return uri() + "/000000000000/orders";
    }

    int sends() {
        return sends.get();
    }

    Consumer<SqsOptions.Draft> options(SqsTransport transport) {
        return draft -> {
            draft.transport = transport;
            draft.region = Optional.of("us-east-1");
            draft.credentials = Optional.of(ElasticMq.ANYBODY);
        };
    }

    /** The id of the key with which the last request was signed. */
    String lastKey() {
        return lastKey;
    }

    private void handle(HttpExchange exchange) throws IOException {
        lastKey = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
                .replaceAll(".*Credential=([^/]*)/.*", "$1");
        String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String action = exchange.getRequestHeaders().getFirst("X-Amz-Target");
        int port = exchange.getRemoteAddress().getPort();
        int position = byClientPort
                .computeIfAbsent(port, ignored -> new AtomicInteger())
                .incrementAndGet();
        if (position >= closeAfter) {
            exchange.getResponseHeaders().set("Connection", "close");
            byClientPort.remove(port);
        }
        if (!sendAnswer.isEmpty() && action.contains(".SendMessage")) {
            answer(exchange, 200, sendAnswer);
        } else if (!failedEntry.isEmpty() && action.endsWith(".SendMessageBatch")) {
            answer(exchange, 200, partly(request));
        } else if (action.endsWith(".SendMessage")) {
            send(exchange, request);
        } else if (action.endsWith(".ReceiveMessage")) {
            LockSupport.parkNanos(delayNanos);
            answer(exchange, 200, "{}");
        } else if (!denied.isEmpty()) {
            refuse(exchange, denied);
        } else {
            answer(exchange, 200, "{\"Attributes\":{\"DelaySeconds\":\"0\"},\"QueueUrl\":\"" + queue() + "\"}");
        }
    }

    private void send(HttpExchange exchange, String request) throws IOException {
        String code = errors.apply(sends.incrementAndGet());
        if (delayNanos > 0) {
            LockSupport.parkNanos(delayNanos);
        }
        Matcher body = BODY.matcher(request);
        if (!code.isEmpty()) {
            refuse(exchange, code);
        } else if (!firstError.isEmpty() && seen.add(request)) {
            refuse(exchange, firstError);
        } else if (body.find()) {
            answer(
                    exchange,
                    200,
                    "{\"MessageId\":\"" + sends.get() + "\",\"MD5OfMessageBody\":\"" + md5(body.group(1)) + "\""
                            + AttributeChecksum.member(request) + "}");
        }
    }

    private String partly(String request) {
        String[] entries = request.split("\\{\"Id\":", -1);
        List<String> successful = new ArrayList<>();
        for (int i = 1; i < entries.length - 2; i++) {
            Matcher body = BODY.matcher(entries[i]);
            String sum = body.find() ? md5(body.group(1)) : "";
            successful.add("{\"Id\":\"" + (i - 1) + "\",\"MessageId\":\"m\",\"MD5OfMessageBody\":\"" + sum + "\""
                    + AttributeChecksum.member(entries[i]) + "}");
        }
        return "{\"Successful\":[" + String.join(",", successful) + "],\"Failed\":[" + failedEntry + "]}";
    }

    private static void refuse(HttpExchange exchange, String code) throws IOException {
        boolean ours = code.equals("InternalFailure");
        answer(
                exchange,
                ours ? 500 : 400,
                "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"what the service says\"}");
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String md5(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
