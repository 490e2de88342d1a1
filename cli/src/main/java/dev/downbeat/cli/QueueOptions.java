package dev.downbeat.cli;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * What is done to a queue of SQS, and by which client. Knows no type of the AWS SDK: picocli looks at these fields in
 * every run, and the SDK may not be there.
 */
final class QueueOptions {
    static final String PREFIX = "sqs:";
    private static final Pattern QUEUE_URL = Pattern.compile(
            "https?://(?:sqs(?:-fips)?\\.[a-z0-9-]+|[a-z0-9-]+\\.queue)\\.amazonaws\\.com(?:\\.cn)?/.+");

    /** Options that make sense with HTTP only. */
    private static final List<String> HTTP_ONLY = List.of(
            "--method",
            "--header",
            "--no-keepalive",
            "--max-requests",
            "--no-preconnect",
            "--lookup",
            "--every-address",
            "--local-address",
            "--tcp-delay",
            "--pacing",
            "--truststore",
            "--client-cert",
            "--sni",
            "--tls-version",
            "--no-resume");

    private static final List<String> QUEUE_ONLY = List.of(
            "--operation",
            "--transport",
            "--endpoint",
            "--region",
            "--message-size",
            "--batch-size",
            "--message-groups",
            "--attribute",
            "--delay",
            "--poll-wait",
            "--delete-received",
            "--consumers",
            "--in-flight",
            "--acquire-timeout",
            "--retries");

    /** As the target's own operations. */
    enum Operation {
        SEND,
        SEND_BATCH,
        RECEIVE,
        DELETE,
        DELIVERY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** As the target's own transports. */
    enum Transport {
        DOWNBEAT,
        APACHE,
        NETTY,
        URL_CONNECTION,
        CRT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--operation",
            paramLabel = "WHAT",
            description =
                    "send (default), send-batch, receive, delete, or delivery: from the intended send to the arrival"
                            + " at a consumer.")
    Operation operation = Operation.SEND;

    @Option(
            names = "--transport",
            paramLabel = "CLIENT",
            description =
                    "Whose HTTP client the SDK uses: downbeat (default), or its own apache, netty, url-connection or"
                            + " crt.")
    Transport transport = Transport.DOWNBEAT;

    @Option(names = "--endpoint", paramLabel = "URL", description = "Where the service is, such as a local server.")
    @Nullable
    URI endpoint;

    @Option(names = "--region", paramLabel = "NAME", description = "Default: AWS_REGION, or the AWS profile's.")
    @Nullable
    String region;

    @Option(
            names = "--message-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Of a random body: 512, 16k, 256Ki. Default 1024; --data gives another body.")
    @Nullable
    Integer messageSize;

    @Option(names = "--batch-size", paramLabel = "N", description = "Messages of a batch or a receive. Default 10.")
    int batchSize = 10;

    @Option(names = "--message-groups", paramLabel = "N", description = "Groups of a FIFO queue. Default 10.")
    int messageGroups = 10;

    @Option(names = "--attribute", paramLabel = "NAME=VALUE", description = "With every message; repeatable.")
    List<String> attributes = new ArrayList<>();

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the queue keeps each message back. Default 0s.")
    Duration delay = Duration.ZERO;

    @Option(
            names = "--poll-wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long a receive waits for a message. Default 20s.")
    Duration pollWait = Duration.ofSeconds(20);

    @Option(names = "--delete-received", description = "Deletes what receive has received.")
    boolean deleteReceived;

    @Option(names = "--consumers", paramLabel = "N", description = "Consumers of delivery. Default 2.")
    int consumers = 2;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            description =
                    "Calls that the client is given at a time; more than -c, default 50, wait in its pool. Default"
                            + " 256, or N of --closed.")
    @Nullable
    Integer inFlight;

    @Option(
            names = "--acquire-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long a call waits for a connection of the pool. Default 10s.")
    Duration acquireTimeout = Duration.ofSeconds(10);

    @Option(
            names = "--retries",
            paramLabel = "N",
            description = "How often the SDK tries again. Default 0: each failure is seen.")
    int retries;

    /** Whether the target is a queue. */
    static boolean isQueue(String target) {
        return target.startsWith(PREFIX) || QUEUE_URL.matcher(target).matches();
    }

    /** The queue's name or URL. */
    static String queue(String target) {
        String queue = target.startsWith(PREFIX) ? target.substring(PREFIX.length()) : target;
        if (queue.isEmpty()) {
            throw new TypeConversionException("sqs: lacks a queue, such as sqs:orders");
        }
        return queue;
    }

    /** Refuses options that mean nothing for this kind of target: nobody may believe that they did something. */
    static void check(ParseResult parsed, boolean isQueue) {
        for (String option : isQueue ? HTTP_ONLY : QUEUE_ONLY) {
            if (parsed.hasMatchedOption(option)) {
                throw new TypeConversionException(option + " is for " + (isQueue ? "HTTP" : "SQS") + " targets only");
            }
        }
    }
}
