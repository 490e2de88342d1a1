package dev.downbeat.sqs;

import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A real server that speaks like SQS, in a process of its own so that it can be frozen and let go on. */
public final class ElasticMq {
    static final StaticCredentialsProvider ANYBODY =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("anybody", "hush-hush"));

    private static @Nullable ElasticMq shared;
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Process process;
    private final URI uri;
    private final SqsClient client;

    private ElasticMq(Process process, int port) {
        this.process = process;
        this.uri = URI.create("http://127.0.0.1:" + port);
        this.client = SqsClient.builder()
                .endpointOverride(uri)
                .region(Region.US_EAST_1)
                .credentialsProvider(ANYBODY)
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    /** One for all tests of this JVM, which each make queues of their own; it ends with the JVM. */
    public static synchronized ElasticMq shared() throws IOException {
        if (shared == null) {
            shared = start();
        }
        return shared;
    }

    private static ElasticMq start() throws IOException {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-cp",
                        path,
                        ElasticMqMain.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end of ElasticMQ"));
        try {
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            String port = out.readLine();
            if (port == null) {
                throw new IOException("ElasticMQ did not start");
            }
            ElasticMq server = new ElasticMq(process, Integer.parseInt(port));
            server.client.listQueues(); // the first answer takes seconds on a busy machine
            return server;
        } catch (IOException | RuntimeException broken) {
            process.destroyForcibly();
            throw broken;
        }
    }

    URI uri() {
        return uri;
    }

    /** The URL of a new queue. */
    public String queue(boolean fifo) {
        String name = "q" + NAMES.incrementAndGet() + (fifo ? ".fifo" : "");
        Map<QueueAttributeName, String> attributes = fifo ? Map.of(QueueAttributeName.FIFO_QUEUE, "true") : Map.of();
        return client.createQueue(queue -> queue.queueName(name).attributes(attributes))
                .queueUrl();
    }

    public SqsClient client() {
        return client;
    }

    /** How many messages are there, visible or not. */
    public int size(String url) {
        Map<QueueAttributeName, String> counts = client.getQueueAttributes(
                        request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .attributes();
        return Integer.parseInt(counts.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
                + Integer.parseInt(counts.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }

    /** How many messages a consumer has received and not deleted. */
    int held(String url) {
        return Integer.parseInt(client.getQueueAttributes(request -> request.queueUrl(url)
                        .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                .attributes()
                .get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }

    /** Options for this server. */
    public Consumer<SqsOptions.Draft> options(SqsTransport transport, SqsOperation operation) {
        return draft -> {
            draft.transport = transport;
            draft.operation = operation;
            draft.endpoint = Optional.of(uri);
            draft.region = Optional.of("us-east-1");
            draft.credentials = Optional.of(ANYBODY);
        };
    }

    void signal(String name) {
        try {
            List<String> command = List.of("kill", "-" + name, Long.toString(process.pid()));
            if (new ProcessBuilder(command).start().waitFor() != 0) {
                throw new AssertionError("SIG" + name + " could not be sent");
            }
        } catch (IOException broken) {
            throw new java.io.UncheckedIOException(broken);
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", now);
        }
    }
}
