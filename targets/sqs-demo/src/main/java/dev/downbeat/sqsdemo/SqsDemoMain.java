package dev.downbeat.sqsdemo;

import dev.downbeat.loopback.proxy.LoopbackProxy;
import dev.downbeat.loopback.proxy.ProxyOptions;
import dev.downbeat.loopback.proxy.ProxyOptions.Closing;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
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

    private static final int PATIENCE_MILLIS = 10_000;

    private SqsDemoMain() {}

    /**
     * Runs until stdin ends.
     *
     * @throws CertificateEncodingException never: the certificate was just made
     */
    public static void main(String[] args) throws CertificateEncodingException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try {
            int port = startQueue();
            ProxyOptions options = ProxyOptions.to(port)
                    .encrypted()
                    .closing(Closing.after(80, true))
                    .delays(ANSWERING, OPENING);
            try (LoopbackProxy proxy = LoopbackProxy.start(options)) {
                out.println("uri " + proxy.uri());
                out.println("certificate "
                        + Base64.getEncoder()
                                .encodeToString(
                                        proxy.certificate().orElseThrow().getEncoded()));
                waitForEnd();
            }
        } catch (IOException | RuntimeException | LinkageError broken) {
            out.println(broken);
        }
        Runtime.getRuntime().halt(0); // ElasticMQ's threads would keep the JVM alive
    }

    private static int startQueue() throws IOException {
        SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .start();
        int port = server.waitUntilStarted().localAddress().getPort();
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + "/").toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/x-amz-json-1.0");
        connection.setRequestProperty("X-Amz-Target", "AmazonSQS.CreateQueue");
        connection.getOutputStream().write("{\"QueueName\":\"demo\"}".getBytes(StandardCharsets.UTF_8));
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException("ElasticMQ did not make the queue: HTTP " + connection.getResponseCode());
        }
        return port;
    }

    private static void waitForEnd() throws IOException {
        while (System.in.read() >= 0) {
            // Returns when the parent has ended.
        }
    }
}
