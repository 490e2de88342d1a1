package dev.downbeat.sqs;

import java.io.IOException;
import org.apache.pekko.http.scaladsl.Http;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** ElasticMQ in a process of its own: says its port on stdout, and ends with its stdin or after some minutes. */
final class ElasticMqMain {
    private static final long LONGEST_MILLIS = 1_800_000;

    private ElasticMqMain() {}

    public static void main(String[] args) throws IOException {
        SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .start();
        Http.ServerBinding binding = server.waitUntilStarted();
        System.out.println(binding.localAddress().getPort());
        Thread limit = new Thread(() -> {
            try {
                Thread.sleep(LONGEST_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(3);
        });
        limit.setDaemon(true);
        limit.start();
        while (System.in.read() >= 0) {
            // Until the parent is gone.
        }
        Runtime.getRuntime().halt(0);
    }
}
