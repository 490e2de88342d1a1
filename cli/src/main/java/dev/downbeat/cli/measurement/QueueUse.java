package dev.downbeat.cli.measurement;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is done to a queue of SQS, and by which client. Knows no type of the AWS SDK, which may not be there. Each component
 * is described by its {@link Word}.
 */
public record QueueUse(
        @Word(
                names = "--operation",
                label = "WHAT",
                otherwise = "send",
                only = Word.Only.SQS,
                help = "send (default), send-batch, receive, delete, or delivery: from the intended send to the arrival"
                        + " at a consumer.")
        Operation operation,

        @Word(
                names = "--transport",
                label = "CLIENT",
                otherwise = "downbeat",
                only = Word.Only.SQS,
                help = "Whose HTTP client the SDK uses: downbeat (default), or its own apache, netty, url-connection or"
                        + " crt.")
        Transport transport,

        @Word(
                names = "--endpoint",
                label = "URL",
                only = Word.Only.SQS,
                hidden = Word.Private.OF_URL,
                help = "Where the service is, such as a local server.")
        Optional<URI> endpoint,

        @Word(
                names = "--region",
                label = "NAME",
                only = Word.Only.SQS,
                help = "Default: AWS_REGION, or the AWS profile's.")
        Optional<String> region,

        @Word(
                names = "--message-size",
                label = "SIZE",
                only = Word.Only.SQS,
                help = "Of a random body: 512, 16k, 256Ki. Default 1024; --data gives another body.")
        Optional<Size> messageSize,

        @Word(
                names = "--batch-size",
                label = "N",
                otherwise = "10",
                only = Word.Only.SQS,
                help = "Messages of a batch or a receive. Default 10.")
        int batchSize,

        @Word(
                names = "--message-groups",
                label = "N",
                otherwise = "10",
                only = Word.Only.SQS,
                help = "Groups of a FIFO queue. Default 10.")
        int messageGroups,

        @Word(
                names = "--attribute",
                label = "NAME=VALUE",
                only = Word.Only.SQS,
                hidden = Word.Private.OF_ATTRIBUTE,
                help = "With every message; repeatable.")
        List<Attribute> attributes,

        @Word(
                names = "--delay",
                label = "TIME",
                otherwise = "0s",
                only = Word.Only.SQS,
                help = "How long the queue keeps each message back. Default 0s.")
        Duration delay,

        @Word(
                names = "--poll-wait",
                label = "TIME",
                otherwise = "20s",
                only = Word.Only.SQS,
                help = "How long a receive waits for a message. Default 20s.")
        Duration pollWait,

        @Word(names = "--delete-received", only = Word.Only.SQS, help = "Deletes what receive has received.")
        boolean deleteReceived,

        @Word(
                names = "--consumers",
                label = "N",
                otherwise = "2",
                only = Word.Only.SQS,
                help = "Consumers of delivery. Default 2.")
        int consumers,

        @Word(
                names = "--in-flight",
                label = "N",
                only = Word.Only.SQS,
                help = "Calls that the client is given at a time; more than -c, default 50, wait in its pool. Default"
                        + " 256, or N of --closed.")
        Optional<Integer> inFlight,

        @Word(
                names = "--acquire-timeout",
                label = "TIME",
                otherwise = "10s",
                only = Word.Only.SQS,
                help = "How long a call waits for a connection of the pool. Default 10s.")
        Duration acquireTimeout,

        @Word(
                names = "--retries",
                label = "N",
                otherwise = "0",
                only = Word.Only.SQS,
                help = "How often the SDK tries again. Default 0: each failure is seen.")
        int retries) {
    /** What a target begins with that is the name of a queue. */
    public static final String PREFIX = "sqs:";

    private static final Pattern QUEUE_URL = Pattern.compile(
            "https?://(?:sqs(?:-fips)?\\.[a-z0-9-]+|[a-z0-9-]+\\.queue)\\.amazonaws\\.com(?:\\.cn)?/.+");
    private static final int MOST_RETRIES = 99;
    private static final int IN_FLIGHT = 256;

    /** As the target's own operations. */
    public enum Operation {
        /** One message a call. */
        SEND,
        /** Several messages a call. */
        SEND_BATCH,
        /** What is there. */
        RECEIVE,
        /** What was received before. */
        DELETE,
        /** From the intended send to the arrival. */
        DELIVERY
    }

    /** As the target's own transports. */
    public enum Transport {
        /** Our own engine. */
        DOWNBEAT,
        /** The SDK's Apache client. */
        APACHE,
        /** The SDK's Netty client. */
        NETTY,
        /** The JDK's oldest. */
        URL_CONNECTION,
        /** The AWS Common Runtime. */
        CRT
    }

    /** Checks the ranges that the queue's own options do not. */
    public QueueUse {
        attributes = List.copyOf(attributes);
        Refusal.when(
                retries < 0 || retries > MOST_RETRIES,
                "--retries must be from 0 to " + MOST_RETRIES + ", but was " + retries);
    }

    /** Whether the target is a queue. */
    public static boolean isQueue(String target) {
        return target.startsWith(PREFIX) || QUEUE_URL.matcher(target).matches();
    }

    /** The queue's name or URL. */
    public static String queue(String target) {
        String queue = target.startsWith(PREFIX) ? target.substring(PREFIX.length()) : target;
        Refusal.when(queue.isEmpty(), "sqs: lacks a queue, such as sqs:orders");
        return queue;
    }

    /** As it is typed. */
    public String operationText() {
        return Format.word(operation);
    }

    /** As it is typed. */
    public String transportText() {
        return Format.word(transport);
    }

    /** Calls that the client is given at a time, with so many closed clients. */
    public int inFlight(int closedClients) {
        return inFlight.orElse(Math.max(IN_FLIGHT, closedClients));
    }

    /** Sees to it that a poll which waits is not taken for one that is given up. */
    void checkPoll(Waiting waiting) {
        Refusal.when(
                operation == Operation.RECEIVE && pollWait.compareTo(waiting.timeout()) >= 0,
                "--poll-wait must be shorter than --timeout, " + DurationConverter.spaced(waiting.timeout())
                        + ": else a poll without a message times out");
    }
}
