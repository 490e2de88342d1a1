package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.SecretPart;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.OptionalJar;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Size;
import dev.downbeat.exchange.Secret;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.time.DurationText;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Operations on an SQS queue and the client to use. Uses no type of the AWS SDK, which may be missing.
 * {@link CliOption} describes each component.
 */
@CliOption.ForTargets(TargetKind.SQS)
public record QueueOptions(
        @CliOption(
                names = "--operation",
                label = "WHAT",
                defaultValue = "send",
                help = "send (default), send-batch, receive, delete, or delivery: from the intended send to the arrival"
                        + " at a consumer.")
        OperationKind operation,

        @CliOption(
                names = "--transport",
                label = "CLIENT",
                defaultValue = "downbeat",
                help = "HTTP client of the SDK: downbeat (default), or its own apache, netty, url-connection or crt.")
        Transport transport,

        @CliOption(
                names = "--endpoint",
                label = "URL",
                secret = SecretPart.OF_URL,
                help = "URL of the service, such as a local server.")
        Optional<URI> endpoint,

        @CliOption(names = "--region", label = "NAME", help = "Default: AWS_REGION, or the AWS profile's.")
        Optional<String> region,

        @CliOption(
                names = "--message-size",
                label = "SIZE",
                help = "Size of random bodies: 512, 16k, 256Ki. Default 1024; --data sets a fixed body.")
        Optional<Size> messageSize,

        @CliOption(
                names = "--batch-size",
                label = "N",
                defaultValue = "10",
                help = "Messages per batch or receive. Default 10.")
        int batchSize,

        @CliOption(
                names = "--message-groups",
                label = "N",
                defaultValue = "10",
                help = "Groups of a FIFO queue. Default 10.")
        int messageGroups,

        @CliOption(
                names = "--attribute",
                label = "NAME=VALUE",
                secret = SecretPart.OF_ATTRIBUTE,
                help = "An attribute of every message; repeatable.")
        List<Attribute> attributes,

        @CliOption(
                names = "--delay",
                label = "TIME",
                defaultValue = "0s",
                help = "Delivery delay of each message. Default 0s.")
        Duration delay,

        @CliOption(
                names = "--poll-wait",
                label = "TIME",
                defaultValue = "20s",
                help = "How long a receive waits for a message. Default 20s.")
        Duration pollWait,

        @CliOption(names = "--delete-received", help = "Deletes the messages that receive gets.")
        boolean deleteReceived,

        @CliOption(names = "--consumers", label = "N", defaultValue = "2", help = "Consumers of delivery. Default 2.")
        int consumers,

        @CliOption(
                names = "--in-flight",
                label = "N",
                help = "Concurrent calls; those beyond -c, default 50, wait in the client's pool. Default 256, or N"
                        + " of --closed.")
        Optional<Integer> inFlight,

        @CliOption(
                names = "--acquire-timeout",
                label = "TIME",
                defaultValue = "10s",
                help = "How long a call waits for a connection of the pool. Default 10s.")
        Duration acquireTimeout,

        @CliOption(
                names = "--retries",
                label = "N",
                defaultValue = "0",
                help = "Retries by the SDK. Default 0, so that every failure is visible.")
        int retries,

        @CliOption(
                names = "--visibility",
                label = "TIME",
                help = "Visibility timeout of received messages. Default: the queue's.")
        Optional<Duration> visibility,

        @CliOption(
                names = "--processing",
                label = "TIME",
                help = "How long a consumer of delivery works on each message: 20ms, or exp:20ms.")
        Optional<LoadOptions.Think> processing,

        @CliOption(
                names = "--through",
                label = "TOPIC-ARN",
                help = "Publishes deliveries to this SNS topic, which forwards them to the queue.")
        Optional<String> through,

        @CliOption(
                names = "--topic-is-mine",
                help = "Lets --through use a topic that has other subscribers, who get the messages too.")
        boolean topicIsMine,

        @CliOption(
                names = "--queue-is-mine",
                help =
                        "Allows any operation on an AWS queue, and receive, delete and delivery on one that is not empty.")
        boolean queueIsMine,

        @CliOption(
                names = "--create",
                only = {TargetKind.SQS, TargetKind.JDBC},
                help = "Creates a queue for this run, named after QUEUE; with --visibility and, for NAME.fifo,"
                        + " --delay. In a database, creates a schema and runs the statements after '--"
                        + " create' of --sql in it.")
        boolean create,

        @CliOption(names = "--encrypted", help = "Encrypts the queue that --create makes (SSE-SQS).")
        boolean encrypted,

        @CliOption(
                names = "--clean-up",
                only = {TargetKind.SQS, TargetKind.JDBC},
                help = "Removes the queue or schema made by --create, even after Ctrl-C.")
        boolean cleanUp) {
    public static final String PREFIX = "sqs:";

    /** The name of the embedded queue. */
    public static final String DEMO = "demo";

    /** Amazon's hosts: old, new, dual-stack, FIPS and VPC endpoints, of all partitions. */
    private static final Pattern AMAZON = Pattern.compile(
            "https?://(?:queue\\.amazonaws\\.com|(?:(?:[a-z0-9-]+\\.)?sqs(?:-fips)?\\.[a-z]{2,}(?:-[a-z]+)+-\\d\\.(?:vpce\\.)?"
                    + "|[a-z0-9-]+\\.queue\\.)(?:amazonaws\\.com(?:\\.cn)?|amazonaws\\.eu|api\\.aws"
                    + "|api\\.amazonwebservices\\.com\\.cn|c2s\\.ic\\.gov|sc2s\\.sgov\\.gov|cloud\\.adc-e\\.uk"
                    + "|csp\\.hci\\.ic\\.gov))(?::\\d+)?/.+");

    /** Other servers: account and name in the path. */
    private static final Pattern OTHER =
            Pattern.compile("https?://[^/?#]+(?:/queue/[a-z0-9-]+)?/\\d{12}/[A-Za-z0-9_-]{1,80}(?:\\.fifo)?");

    private static final int MOST_RETRIES = 99;
    private static final int IN_FLIGHT = 256;

    public enum OperationKind {
        SEND,
        SEND_BATCH,
        RECEIVE,
        /** Deletes messages received before. */
        DELETE,
        /** From the intended send to the arrival. */
        DELIVERY
    }

    public enum Transport {
        DOWNBEAT,
        APACHE,
        NETTY,
        URL_CONNECTION,
        CRT
    }

    /** Checks the ranges that the queue's own options do not check. */
    public QueueOptions {
        attributes = List.copyOf(attributes);
        Refusal.when(
                retries < 0 || retries > MOST_RETRIES,
                "--retries must be from 0 to " + MOST_RETRIES + ", but was " + retries);
        Refusal.when(cleanUp && !create, "--clean-up requires --create: nothing else is removed");
        Refusal.when(encrypted && !create, "--encrypted requires --create");
        Refusal.when(
                through.isPresent() && operation != OperationKind.DELIVERY,
                "--through requires --operation delivery: it leads to the queue's consumers");
        Refusal.when(topicIsMine && through.isEmpty(), "--topic-is-mine requires --through");
        Refusal.when(
                create && through.isPresent(),
                "--create and --through are mutually exclusive: a new queue has no subscription to the topic");
        Refusal.when(
                processing.isPresent() && operation != OperationKind.DELIVERY,
                "--processing requires --operation delivery");
    }

    /** Refuses a queue if the jars of the SQS module or the client are missing. */
    public void requireJars() {
        OptionalJar.SQS.require("an SQS target");
        if (transport == Transport.CRT) {
            OptionalJar.CRT.require("--transport crt");
        }
    }

    public static boolean isQueue(String target) {
        return target.startsWith(PREFIX)
                || AMAZON.matcher(target).matches()
                || OTHER.matcher(target).matches();
    }

    /** Whether the target is the embedded queue rather than one of that name elsewhere. */
    public boolean isDemo(String target) {
        return target.equals(PREFIX + DEMO) && endpoint.isEmpty() && region.isEmpty();
    }

    /** Whether the target is a queue whose requests are signed with keys that the AWS SDK finds. */
    public boolean isElsewhere(String target) {
        return isQueue(target) && !isDemo(target);
    }

    public static String queue(String target) {
        String queue = target.startsWith(PREFIX) ? target.substring(PREFIX.length()) : target;
        Refusal.when(queue.isEmpty(), "sqs: needs the name of a queue, such as sqs:orders");
        return queue;
    }

    public String operationText() {
        return OptionFormat.word(operation);
    }

    public boolean receives() {
        return operation == OperationKind.RECEIVE
                || operation == OperationKind.DELETE
                || operation == OperationKind.DELIVERY;
    }

    public ThinkTime processingTime() {
        return processing.map(time -> time.toThinkTime(1)).orElseGet(ThinkTime::none);
    }

    /** The client's concurrent calls for this many closed-loop clients. */
    public int inFlight(int closedClients) {
        return inFlight.orElse(Math.max(IN_FLIGHT, closedClients));
    }

    /** Refuses a timeout that a waiting poll would exceed. */
    void checkPoll(TimeoutOptions waiting) {
        Refusal.when(
                operation == OperationKind.RECEIVE && pollWait.compareTo(waiting.timeout()) >= 0,
                "--poll-wait must be shorter than --timeout, "
                        + DurationText.format(waiting.timeout().toNanos())
                        + ": else a poll without a message times out");
    }

    /** An attribute of a message, of type String, Number or Binary. Its value is secret, like the body. */
    public record Attribute(String name, String type, Secret value) {
        private static final String STRING = "String";

        public static Attribute parse(String text) {
            int equals = text.indexOf('=');
            int colon = text.indexOf(':');
            boolean isTyped = colon > 0 && colon < equals;
            Refusal.when(equals < 1, "--attribute must be NAME=VALUE, or NAME:TYPE=VALUE");
            return new Attribute(
                    text.substring(0, isTyped ? colon : equals),
                    isTyped ? text.substring(colon + 1, equals) : STRING,
                    Secret.of(text.substring(equals + 1)));
        }

        public String text() {
            return name + (type.equals(STRING) ? "" : ":" + type) + "=" + value.reveal();
        }
    }
}
