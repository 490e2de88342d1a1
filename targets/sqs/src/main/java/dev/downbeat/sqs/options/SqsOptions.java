package dev.downbeat.sqs.options;

import dev.downbeat.time.DurationText;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.function.LongFunction;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** The use of a queue, the client, and the endpoint. Immutable; created by {@link #builder}. */
public record SqsOptions(Client client, Messages message, Use use) {
    public SqsOptions {
        use.check(message);
    }

    /** Starts with the defaults; each setter documents its own. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder. Not thread-safe. */
    public static final class Builder {
        private static final Duration LONGEST_POLL = Duration.ofSeconds(20);
        private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);
        private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);

        private static final int MOST_CALLS = 65_535;

        private SqsTransport transport = SqsTransport.DOWNBEAT;
        private int maxConnections = 50;
        private int maxInFlight = 256;
        private Duration acquireTimeout = Duration.ofSeconds(10);
        private Duration connectTimeout = Duration.ofSeconds(2);
        private Duration maxIdle = Duration.ofSeconds(60);
        private int maxRequests = Integer.MAX_VALUE;
        private int replaceAfter = Integer.MAX_VALUE;
        private boolean tcpKeepAlive;
        private int maxAttempts = 1;
        private Optional<String> region = Optional.empty();
        private Optional<URI> endpoint = Optional.empty();
        private Optional<URI> topicEndpoint = Optional.empty();
        private Optional<AwsCredentialsProvider> credentials = Optional.empty();
        private boolean verifyServer = true;
        private Optional<X509Certificate> trusted = Optional.empty();
        private SqsProxy proxy = SqsProxy.configured();

        private SqsOperation operation = SqsOperation.SEND;
        private int messageSize = 1024;
        private Optional<LongFunction<String>> body = Optional.empty();
        private Duration delay = Duration.ZERO;
        private final Map<String, SqsAttribute> attributes = new TreeMap<>();
        private int messageGroups = 10;
        private int batchSize = 10;
        private Duration pollWait = LONGEST_POLL;
        private boolean deleteReceived;
        private int consumers = 2;
        private Optional<String> run = Optional.empty();
        private boolean queueIsMine;
        private long requests = Long.MAX_VALUE;
        private Optional<Duration> visibility = Optional.empty();
        private LongBinaryOperator processing = (consumer, message) -> 0;
        private Optional<Topic> through = Optional.empty();
        private boolean watched;

        private Builder() {}

        /** The HTTP client; the default is {@link SqsTransport#DOWNBEAT}. */
        public Builder transport(SqsTransport client) {
            transport = Objects.requireNonNull(client, "client");
            return this;
        }

        /** The size of the connection pool over all generators, at least 1; the default is 50, the SDK's. */
        public Builder maxConnections(int count) {
            maxConnections = within("connections", count, 1, MOST_CALLS);
            return this;
        }

        /**
         * The maximum number of calls in the client over all generators, at least 1; the default is 256. Calls without
         * a connection wait in the client's pool, like the threads of a service, and that wait is reported separately.
         * Requests beyond the limit wait here.
         */
        public Builder maxInFlight(int count) {
            maxInFlight = within("requests in flight", count, 1, MOST_CALLS);
            return this;
        }

        /** The maximum wait for a connection of the pool; above zero, the default is 10 s. */
        public Builder acquireTimeout(Duration timeout) {
            acquireTimeout = aboveZero("acquireTimeout", timeout);
            return this;
        }

        /** The connect timeout; above zero, the default is 2 s, the SDK's. */
        public Builder connectTimeout(Duration timeout) {
            connectTimeout = aboveZero("connectTimeout", timeout);
            return this;
        }

        /** The maximum idle time of a connection; above zero, the default is 60 s, the SDK's. */
        public Builder maxIdle(Duration time) {
            maxIdle = aboveZero("maxIdle", time);
            return this;
        }

        /**
         * The maximum number of requests per connection, at least 1; no limit by default. {@link SqsTransport#DOWNBEAT}
         * only: the SDK's clients have no such limit.
         */
        public Builder maxRequests(int perConnection) {
            maxRequests = within("requests of a connection", perConnection, 1, Integer.MAX_VALUE);
            return this;
        }

        /**
         * The number of requests after which a connection's replacement is opened, at least 1; never by default. {@link
         * SqsTransport#DOWNBEAT} only.
         */
        public Builder replaceAfter(int requests) {
            replaceAfter = within("requests before a replacement", requests, 1, Integer.MAX_VALUE);
            return this;
        }

        /** Whether the kernel probes idle connections; the default is false. */
        public Builder tcpKeepAlive(boolean on) {
            tcpKeepAlive = on;
            return this;
        }

        /**
         * The maximum number of attempts per operation, at least 1. The default is 1: no retries, so that every failure
         * and slow response is visible. With more, the SDK's standard retry mode applies. Response times are then those
         * of operations, and attempts and operations are counted separately.
         */
        public Builder maxAttempts(int count) {
            maxAttempts = within("attempts", count, 1, 100);
            return this;
        }

        /**
         * The region; the default is that of the queue's URL, the environment or the AWS profile, without network
         * access.
         */
        public Builder region(String name) {
            region = Optional.of(name);
            return this;
        }

        /** The endpoint; the default is that of the queue's URL or of the region. */
        public Builder endpoint(URI where) {
            endpoint = Optional.of(checked(where));
            return this;
        }

        /** The endpoint of the topic; the default is the SDK's, or the queue's endpoint if that is not Amazon's. */
        public Builder topicEndpoint(URI where) {
            topicEndpoint = Optional.of(checked(where));
            return this;
        }

        /** The credentials; the default is the SDK's default chain, or dummies for a server on this machine. */
        public Builder credentials(AwsCredentialsProvider provider) {
            credentials = Optional.of(provider);
            return this;
        }

        /** Whether to verify the server's certificate; the default is true. */
        public Builder verifyServer(boolean on) {
            verifyServer = on;
            return this;
        }

        /** The only certificate to trust, instead of the JDK's. */
        public Builder trust(X509Certificate certificate) {
            trusted = Optional.of(certificate);
            return this;
        }

        /** The proxy; the default is that of the environment and system properties. */
        public Builder proxy(SqsProxy way) {
            proxy = Objects.requireNonNull(way, "way");
            return this;
        }

        /** The operation; the default is {@link SqsOperation#SEND}. */
        public Builder operation(SqsOperation what) {
            operation = Objects.requireNonNull(what, "what");
            return this;
        }

        /** The size of a message's body in bytes, from 1 to 1 Mi including attributes; the default is 1,024. */
        public Builder messageSize(int bytes) {
            messageSize = within("message size", bytes, 1, Messages.LARGEST);
            return this;
        }

        /** The body of every message, instead of random ones; 1 byte to 1 MiB in UTF-8, including attributes. */
        public Builder body(String text) {
            return bodies(number -> text);
        }

        /**
         * The body of each message, a function of its number called by any thread, instead of random ones. 1 byte to 1
         * MiB in UTF-8, including attributes; only the first is checked.
         */
        public Builder bodies(LongFunction<String> byNumber) {
            within("bytes of the body", Messages.bytes(byNumber.apply(0)), 1, Messages.LARGEST);
            body = Optional.of(byNumber);
            return this;
        }

        /** The delivery delay, from 0 (the default) to 15 min, in whole seconds; not for FIFO. */
        public Builder delay(Duration time) {
            delay = wholeSeconds("delay", time, LONGEST_DELAY);
            return this;
        }

        /** An attribute of every message, of type String; at most 8. */
        public Builder attribute(String name, String value) {
            return attribute(name, SqsAttribute.text(Objects.requireNonNull(value, "value")));
        }

        /** An attribute of every message; at most 8, with a name other than Downbeat's. */
        public Builder attribute(String name, SqsAttribute value) {
            if (name.startsWith("downbeat-")) {
                throw new IllegalArgumentException("attribute names must not begin with downbeat- (reserved)");
            }
            attributes.put(name, Objects.requireNonNull(value, "value"));
            within("number of attributes", attributes.size(), 1, 8);
            return this;
        }

        /** FIFO queues: the number of message groups, used in rotation, at least 1; the default is 10. */
        public Builder messageGroups(int count) {
            messageGroups = within("message groups", count, 1, 1_000_000);
            return this;
        }

        /** The number of messages in a batch, or the maximum in a receive, from 1 to 10; the default is 10. */
        public Builder batchSize(int count) {
            batchSize = within("batch size", count, 1, 10);
            return this;
        }

        /** The maximum wait of a receive for a message, from 0 to 20 s in whole seconds; the default is 20 s. */
        public Builder pollWait(Duration time) {
            pollWait = wholeSeconds("poll wait", time, LONGEST_POLL);
            return this;
        }

        /**
         * Whether {@link SqsOperation#RECEIVE} deletes received messages, outside the measurement; the default is
         * false.
         */
        public Builder deleteReceived(boolean on) {
            deleteReceived = on;
            return this;
        }

        /**
         * {@link SqsOperation#DELIVERY}: the number of polling consumers per generator, from 1 to 100; the default is
         * 2.
         */
        public Builder consumers(int count) {
            consumers = within("consumers", count, 1, 100);
            return this;
        }

        /**
         * The id of the run, 1 to 64 letters, digits and dashes, the same for all shards of a run, so that they
         * recognise each other's messages. The default is a random one.
         */
        public Builder run(String id) {
            if (!id.matches("[A-Za-z0-9-]{1,64}")) {
                throw new IllegalArgumentException(
                        "run must be 1 to 64 letters, digits and dashes, but was '" + id + "'");
            }
            run = Optional.of(id);
            return this;
        }

        /**
         * Whether messages of others may be received too; the default is false. The first such message is then returned
         * and ends all receiving. {@link SqsOperation#DELETE} and {@link SqsOperation#DELIVERY} never delete them.
         */
        public Builder queueIsMine(boolean on) {
            queueIsMine = on;
            return this;
        }

        /** The maximum number of requests, at least 1, if known: limits the messages created for deletion. */
        public Builder requests(long count) {
            if (count < 1) {
                throw new IllegalArgumentException("requests must be at least 1, but was " + count);
            }
            requests = count;
            return this;
        }

        /** The visibility timeout, from 0 to 12 h in whole seconds; the default is the queue's. */
        public Builder visibility(Duration time) {
            visibility = Optional.of(wholeSeconds("visibility", time, LONGEST_VISIBILITY));
            return this;
        }

        /**
         * {@link SqsOperation#DELIVERY}: the processing time of a message before the next, in nanoseconds, a function
         * of the consumer's and the message's numbers, from 0; none by default.
         */
        public Builder processing(LongBinaryOperator time) {
            processing = Objects.requireNonNull(time, "time");
            return this;
        }

        /**
         * {@link SqsOperation#DELIVERY}: publishes to an SNS topic that delivers to the queue, raw or wrapped, instead
         * of sending to the queue.
         *
         * @param topicArn such as {@code arn:aws:sns:eu-west-1:123456789012:orders}
         */
        public Builder through(String topicArn) {
            through = Optional.of(new Topic(topicArn));
            return this;
        }

        /**
         * Whether to sample the queue once a second during a run, with a separate client: its depth, that of its
         * dead-letter queue, and the age of the oldest message. The default is false. One shard is enough.
         */
        public Builder watched(boolean on) {
            watched = on;
            return this;
        }

        private Client client() {
            return new Client(
                    transport,
                    maxConnections,
                    maxInFlight,
                    acquireTimeout,
                    connectTimeout,
                    maxIdle,
                    maxRequests,
                    replaceAfter,
                    tcpKeepAlive,
                    maxAttempts,
                    region,
                    endpoint,
                    topicEndpoint,
                    credentials,
                    verifyServer,
                    trusted,
                    proxy);
        }

        /** Builds the options; rejects contradictions. */
        public SqsOptions build() {
            Messages message = new Messages(messageSize, body, delay, attributes, messageGroups);
            Use use = new Use(
                    operation,
                    batchSize,
                    pollWait,
                    deleteReceived,
                    consumers,
                    run,
                    queueIsMine,
                    requests,
                    visibility,
                    processing,
                    through,
                    watched);
            return new SqsOptions(client(), message, use);
        }
    }

    private static Duration wholeSeconds(String what, Duration time, Duration longest) {
        if (time.isNegative() || time.compareTo(longest) > 0 || time.toNanosPart() != 0) {
            throw new IllegalArgumentException(
                    what + " must be from 0 to " + longest.toSeconds() + " s in whole seconds, but was " + shown(time));
        }
        return time;
    }

    private static URI checked(URI where) {
        if (where.getHost() == null || !("http".equals(where.getScheme()) || "https".equals(where.getScheme()))) {
            throw new IllegalArgumentException("endpoint must be http://HOST or https://HOST, with a port if need be");
        }
        if (where.getRawUserInfo() != null) {
            throw new IllegalArgumentException("endpoint must have no user and no password");
        }
        return where;
    }

    private static int within(String what, int count, int least, int most) {
        if (count < least || count > most) {
            throw new IllegalArgumentException(what + " must be from " + least + " to " + most + ", but was " + count);
        }
        return count;
    }

    private static String shown(Duration time) {
        return time.isNegative() ? time.toString() : DurationText.format(time.toNanos());
    }

    private static Duration aboveZero(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + shown(time));
        }
        return time;
    }

    /** Client and endpoint options; documented at the setters in {@link SqsOptions.Builder}. */
    public record Client(
            SqsTransport transport,
            int maxConnections,
            int maxInFlight,
            Duration acquireTimeout,
            Duration connectTimeout,
            Duration maxIdle,
            int maxRequests,
            int replaceAfter,
            boolean tcpKeepAlive,
            int maxAttempts,
            Optional<String> region,
            Optional<URI> endpoint,
            Optional<URI> topicEndpoint,
            Optional<AwsCredentialsProvider> credentials,
            boolean verifyServer,
            Optional<X509Certificate> trusted,
            SqsProxy proxy) {
        public Client {
            if (transport == SqsTransport.CRT && trusted.isPresent()) {
                throw new IllegalArgumentException("the CRT client trusts the system's certificates only");
            }
            boolean counts = maxRequests < Integer.MAX_VALUE || replaceAfter < Integer.MAX_VALUE;
            if (counts && transport != SqsTransport.DOWNBEAT) {
                throw new IllegalArgumentException("the " + transport.title()
                        + " client closes no connection after a number of requests: give --transport downbeat, or no "
                        + (maxRequests < Integer.MAX_VALUE ? "--max-requests" : "--replace-after"));
            }
        }
    }

    /**
     * The form of messages.
     *
     * @param size bytes of a random body
     * @param body the body of each message by its number, instead
     * @param delay delivery delay
     * @param attributes attributes of every message
     * @param groups FIFO: number of message groups
     */
    public record Messages(
            int size,
            Optional<LongFunction<String>> body,
            Duration delay,
            Map<String, SqsAttribute> attributes,
            int groups) {
        /** The limit of SQS in bytes. */
        static final int LARGEST = 1024 * 1024;

        private static final int LEAST_BATCH_BYTES = 256 * 1024;

        /** The maximum size of Downbeat's own attributes: names, types and values. */
        private static final int MARK_BYTES = 256;

        public Messages {
            attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
            int sent = bytes(size, body, attributes);
            if (sent > LARGEST) {
                throw new IllegalArgumentException(
                        "a message must be at most " + LARGEST + " bytes with its attributes, " + MARK_BYTES
                                + " of which Downbeat's own may take, but was " + sent);
            }
        }

        /** How many of them go into a batch of any service and queue: at most ten, in 256 KiB. */
        public int perBatch() {
            return Math.max(1, Math.min(10, LEAST_BATCH_BYTES / bytes()));
        }

        /** The size of one message with all attributes. */
        public int bytes() {
            return bytes(size, body, attributes);
        }

        private static int bytes(int size, Optional<LongFunction<String>> body, Map<String, SqsAttribute> attributes) {
            int bytes = MARK_BYTES + body.map(texts -> bytes(texts.apply(0))).orElse(size);
            for (Map.Entry<String, SqsAttribute> one : attributes.entrySet()) {
                bytes += bytes(one.getKey()) + one.getValue().bytes();
            }
            return bytes;
        }

        static int bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /** What is done to the queue; documented at the setters in {@link SqsOptions.Builder}. */
    public record Use(
            SqsOperation operation,
            int batchSize,
            Duration pollWait,
            boolean deleteReceived,
            int consumers,
            Optional<String> run,
            boolean queueIsMine,
            long requests,
            Optional<Duration> visibility,
            LongBinaryOperator processing,
            Optional<Topic> through,
            boolean watched) {
        /** Rejects messages that do not fit the operation. */
        void check(SqsOptions.Messages message) {
            if (through.isPresent() && operation != SqsOperation.DELIVERY) {
                throw new IllegalArgumentException("a topic requires the operation delivery");
            }
            if (through.isPresent() && !message.delay().isZero()) {
                throw new IllegalArgumentException("a topic does not support per-message delay: set the queue's delay");
            }
            if (operation == SqsOperation.SEND_BATCH
                    && (long) message.bytes() * batchSize > SqsOptions.Messages.LARGEST) {
                throw new IllegalArgumentException("a batch must be at most " + SqsOptions.Messages.LARGEST
                        + " bytes, but was " + batchSize + " x " + message.bytes());
            }
        }
    }
}
