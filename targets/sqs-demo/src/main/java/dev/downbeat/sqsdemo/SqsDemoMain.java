package dev.downbeat.sqsdemo;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/**
 * ElasticMQ with one queue, {@code demo}, behind a TLS proxy that closes connections as SQS was observed to. Prints
 * the proxy's address and certificate on stdout, or one line with the reason for a failure. Ends when stdin does, so
 * that it never outlives its parent.
 */
public final class SqsDemoMain {
    /** Latency as of a service in another city. The distributions are invented, as documented. */
    private static final ServiceLaw ANSWERING = ServiceLaw.parse("lognormal:4ms,0.3");

    /** Two or three round trips, and checking a certificate. */
    private static final ServiceLaw OPENING = ServiceLaw.parse("lognormal:25ms,0.3");

    /** The number of requests after which a connection is closed. */
    private static final int REQUESTS_PER_CONNECTION = 80;

    /** By default the JDK's server delays small packets, and closes connections that are idle or many. */
    private static final Map<String, String> SERVER_PROPERTIES = Map.of(
            "sun.net.httpserver.nodelay", "true",
            "sun.net.httpserver.idleInterval", "86400",
            "sun.net.httpserver.maxIdleConnections", "65535");

    /** Header fields of one connection, in lower case. */
    private static final Set<String> CONNECTION_HEADERS =
            Set.of("connection", "keep-alive", "content-length", "transfer-encoding", "expect", "host", "upgrade");

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private SqsDemoMain() {}

    public static void main(String[] args) throws CertificateEncodingException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try {
            System.getProperties().putAll(SERVER_PROPERTIES);
            SelfSignedCertificate certificate = SelfSignedCertificate.of(CertificateKey.RSA);
            int port = startProxy(startQueue(), certificate.context());
            out.println("uri https://127.0.0.1:" + port + "/");
            out.println("certificate "
                    + Base64.getEncoder()
                            .encodeToString(certificate.certificate().getEncoded()));
            System.in.transferTo(OutputStream.nullOutputStream()); // ends with the parent
        } catch (IOException | RuntimeException | LinkageError broken) {
            out.println(broken);
        }
        Runtime.getRuntime().halt(0); // ElasticMQ's threads would keep the JVM alive
    }

    private static URI startQueue() throws IOException {
        SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .start();
        URI queue = URI.create(
                "http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort() + "/");
        HttpResponse<byte[]> created = answer(HttpRequest.newBuilder(queue)
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "AmazonSQS.CreateQueue")
                .POST(HttpRequest.BodyPublishers.ofString("{\"QueueName\":\"demo\"}"))
                .build());
        if (created.statusCode() != 200) {
            throw new IOException("ElasticMQ did not make the queue: HTTP " + created.statusCode());
        }
        return queue;
    }

    private static HttpResponse<byte[]> answer(HttpRequest request) throws IOException {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private static int startProxy(URI queue, SSLContext tls) throws IOException {
        Map<InetSocketAddress, Integer> served = new ConcurrentHashMap<>();
        HttpsServer proxy = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        proxy.setHttpsConfigurator(new HttpsConfigurator(tls) {
            /** Called before the handshake of each connection, on the thread of its first request. */
            @Override
            public void configure(HttpsParameters parameters) {
                served.put(parameters.getClientAddress(), 0);
                waitUntil(System.nanoTime() + OPENING.nextNanos(ThreadLocalRandom.current()));
                super.configure(parameters);
            }
        });
        proxy.setExecutor(Executors.newCachedThreadPool());
        proxy.createContext("/", exchange -> {
            try (exchange) {
                boolean isLast = served.merge(exchange.getRemoteAddress(), 1, Integer::sum) >= REQUESTS_PER_CONNECTION;
                forward(exchange, queue, isLast);
            }
        });
        proxy.start();
        return proxy.getAddress().getPort();
    }

    private static void forward(HttpExchange exchange, URI queue, boolean isLast) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        long answerAt = System.nanoTime() + ANSWERING.nextNanos(ThreadLocalRandom.current());
        HttpRequest.Builder request = HttpRequest.newBuilder(queue.resolve(exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!isConnectionHeader(name)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        HttpResponse<byte[]> answer = answer(request.build());
        Headers headers = exchange.getResponseHeaders();
        answer.headers().map().forEach((name, values) -> {
            if (!isConnectionHeader(name)) {
                headers.put(name, values);
            }
        });
        if (isLast) {
            headers.set("Connection", "close");
        }
        waitUntil(answerAt);
        exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
        exchange.getResponseBody().write(answer.body());
    }

    private static boolean isConnectionHeader(String field) {
        return CONNECTION_HEADERS.contains(field.toLowerCase(Locale.ROOT));
    }

    private static void waitUntil(long dueAt) {
        for (long left = dueAt - System.nanoTime(); left > 0; left = dueAt - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
