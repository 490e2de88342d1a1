package dev.downbeat.gatling;

import java.io.IOException;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** ElasticMQ in a process of its own: says its port on stdout, and ends with its stdin. */
final class ElasticMqMain {
    private ElasticMqMain() {}

    public static void main(String[] args) throws IOException {
        SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .start();
        System.out.println(server.waitUntilStarted().localAddress().getPort());
        while (System.in.read() >= 0) {
            // Until the parent is gone.
        }
        Runtime.getRuntime().halt(0);
    }
}
