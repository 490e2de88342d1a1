package dev.downbeat.sqs.options;

import dev.downbeat.time.DurationText;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongBinaryOperator;
import java.util.function.LongFunction;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** The use of a queue, the client, and the endpoint. Immutable; created by {@link #of}. */
public record SqsOptions(SqsClientOptions client, SqsMessageOptions message, Use use) {
    private static final int MOST_CALLS = 65_535;
    private static final int USUAL_CALLS = 256;

    public SqsOptions {
        message.check();
        use.check(message);
    }

    /** The defaults with changes; rejects values out of range and contradictions. */
    public static SqsOptions of(Consumer<Draft> changes) {
        Draft draft = new Draft();
        changes.accept(draft);
        return new SqsOptions(draft.client(), draft.message(), draft.use());
    }

    /** Rejects values out of range; whether they fit together is checked by {@link #of}. */
    public static void checkRanges(Consumer<Draft> changes) {
        Draft draft = new Draft();
        changes.accept(draft);
        draft.client();
        draft.message();
        draft.use();
    }

    /**
     * The number of calls in flight by default: each user of a closed loop can have one.
     *
     * @param users 0 for an open load
     */
    public static int callsFor(int users) {
        return Math.max(USUAL_CALLS, Math.min(MOST_CALLS, users));
    }

    /** Mutable options with their defaults. Not thread-safe. */
    public static final class Draft {
        /** The HTTP client. */
        public SqsTransport transport = SqsTransport.DOWNBEAT;

        /** The size of the connection pool over all generators, at least 1; the default is the SDK's. */
        public int maxConnections = 50;

        /**
         * The maximum number of calls in the client over all generators, at least 1. Calls without a connection wait in
         * the client's pool, like the threads of a service, and that wait is reported separately. Requests beyond the
         * limit wait here.
         */
        public int maxInFlight = USUAL_CALLS;

        /** The maximum wait for a connection of the pool, above zero. */
        public Duration acquireTimeout = Duration.ofSeconds(10);

        /** The connect timeout, above zero; the default is the SDK's. */
        public Duration connectTimeout = Duration.ofSeconds(2);

        /** The maximum idle time of a connection, above zero; the default is the SDK's. */
        public Duration maxIdle = Duration.ofSeconds(60);

        /**
         * The maximum number of requests per connection, at least 1; no limit by default. {@link SqsTransport#DOWNBEAT}
         * only: the SDK's clients have no such limit.
         */
        public int maxRequests = Integer.MAX_VALUE;

        /**
         * The number of requests after which a connection's replacement is opened, at least 1; never by default. {@link
         * SqsTransport#DOWNBEAT} only.
         */
        public int replaceAfter = Integer.MAX_VALUE;

        /** Whether the kernel probes idle connections. */
        public boolean tcpKeepAlive;

        /**
         * The maximum number of attempts per operation, at least 1. By default there are no retries, so that every
         * failure and slow response is visible. With more, the SDK's standard retry mode applies. Response times are
         * then those of operations, and attempts and operations are counted separately.
         */
        public int maxAttempts = 1;

        /**
         * The region; the default is that of the queue's URL, the environment or the AWS profile, without network
         * access.
         */
        public Optional<String> region = Optional.empty();

        /** The endpoint; the default is that of the queue's URL or of the region. */
        public Optional<URI> endpoint = Optional.empty();

        /** The endpoint of the topic; the default is the SDK's, or the queue's endpoint if that is not Amazon's. */
        public Optional<URI> topicEndpoint = Optional.empty();

        /** The credentials; the default is the SDK's default chain, or dummies for a server on this machine. */
        public Optional<AwsCredentialsProvider> credentials = Optional.empty();

        /** Whether to verify the server's certificate. */
        public boolean verifyServer = true;

        /** The only certificate to trust, instead of the JDK's. */
        public Optional<X509Certificate> trusted = Optional.empty();

        /** The proxy; the default is that of the environment and system properties. */
        public SqsProxy proxy = SqsProxy.configured();

        /** What each request does. */
        public SqsOperation operation = SqsOperation.SEND;

        /** The size of a message's random body in bytes, from 1 to 1 Mi including attributes. */
        public int messageSize = 1024;

        /**
         * The body of each message, a function of its number called by any thread, instead of random ones. 1 byte to 1
         * MiB in UTF-8, including attributes; only the first is checked.
         */
        public Optional<LongFunction<String>> body = Optional.empty();

        /** The delivery delay, from 0 to 15 min, in whole seconds; not for FIFO. */
        public Duration delay = Duration.ZERO;

        /** The attributes of every message; at most 8, with names other than Downbeat's. */
        public final Map<String, SqsAttribute> attributes = new TreeMap<>();

        /** FIFO queues: the number of message groups, used in rotation, at least 1. */
        public int messageGroups = 10;

        /** The number of messages in a batch, or the maximum in a receive, from 1 to 10. */
        public int batchSize = 10;

        /** The maximum wait of a receive for a message, from 0 to 20 s in whole seconds. */
        public Duration pollWait = Use.LONGEST_POLL;

        /** Whether {@link SqsOperation#RECEIVE} deletes received messages, outside the measurement. */
        public boolean deleteReceived;

        /** {@link SqsOperation#DELIVERY}: the number of polling consumers per generator, from 1 to 100. */
        public int consumers = 2;

        /**
         * The id of the run, 1 to 64 letters, digits and dashes, the same for all shards of a run, so that they
         * recognise each other's messages. The default is a random one.
         */
        public Optional<String> run = Optional.empty();

        /**
         * Whether messages of others may be received too. By default the first such message is returned and ends all
         * receiving. {@link SqsOperation#DELETE} and {@link SqsOperation#DELIVERY} never delete them: they receive each
         * once, hide it, and make it visible 20 s after the run. If one might move to the dead-letter queue nevertheless,
         * the run ends. A queue that holds messages and allows one receive of each is refused, unless {@link #run} is given,
         * since they may be the run's own.
         */
        public boolean queueIsMine;

        /** The maximum number of requests, at least 1, if known: limits the messages created for deletion. */
        public long requests = Long.MAX_VALUE;

        /** The visibility timeout, from 0 to 12 h in whole seconds; the default is the queue's. */
        public Optional<Duration> visibility = Optional.empty();

        /**
         * {@link SqsOperation#DELIVERY}: the processing time of a message before the next, in nanoseconds, a function
         * of the consumer's and the message's numbers, from 0.
         */
        public LongBinaryOperator processing = (consumer, message) -> 0;

        /**
         * {@link SqsOperation#DELIVERY}: publishes to an SNS topic that delivers to the queue, raw or wrapped, instead
         * of sending to the queue.
         */
        public Optional<Topic> through = Optional.empty();

        /**
         * Whether to sample the queue once a second during a run, with a separate client: its depth, that of its
         * dead-letter queue, and the age of the oldest message. One shard is enough.
         */
        public boolean watched;

        private Draft() {}

        private SqsClientOptions client() {
            return new SqsClientOptions(
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

        private SqsMessageOptions message() {
            return new SqsMessageOptions(messageSize, body, delay, attributes, messageGroups);
        }

        private Use use() {
            return new Use(
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
        }
    }

    private static void checkWholeSeconds(String what, Duration time, Duration longest) {
        if (time.isNegative() || time.compareTo(longest) > 0 || time.toNanosPart() != 0) {
            throw new IllegalArgumentException(
                    what + " must be from 0 to " + longest.toSeconds() + " s in whole seconds, but was " + shown(time));
        }
    }

    private static void checkEndpoint(URI where) {
        if (where.getHost() == null || !("http".equals(where.getScheme()) || "https".equals(where.getScheme()))) {
            throw new IllegalArgumentException("endpoint must be http://HOST or https://HOST, with a port if need be");
        }
        if (where.getRawUserInfo() != null) {
            throw new IllegalArgumentException("endpoint must have no user and no password");
        }
    }

    private static void checkRange(String what, int count, int least, int most) {
        if (count < least || count > most) {
            throw new IllegalArgumentException(what + " must be from " + least + " to " + most + ", but was " + count);
        }
    }

    private static String shown(Duration time) {
        return time.isNegative() ? time.toString() : DurationText.format(time.toNanos());
    }

    private static void checkAboveZero(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + shown(time));
        }
    }

    /** Client and endpoint options; documented at the fields of {@link Draft}. */
    public record SqsClientOptions(
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
        public SqsClientOptions {
            checkRange("connections", maxConnections, 1, MOST_CALLS);
            checkRange("requests in flight", maxInFlight, 1, MOST_CALLS);
            checkAboveZero("acquireTimeout", acquireTimeout);
            checkAboveZero("connectTimeout", connectTimeout);
            checkAboveZero("maxIdle", maxIdle);
            checkRange("requests of a connection", maxRequests, 1, Integer.MAX_VALUE);
            checkRange("requests before a replacement", replaceAfter, 1, Integer.MAX_VALUE);
            checkRange("attempts", maxAttempts, 1, 100);
            region.filter(name -> !name.matches("[A-Za-z0-9-]{1,63}")).ifPresent(name -> {
                throw new IllegalArgumentException(
                        "region must be 1 to 63 letters, digits and dashes, but was '" + name + "'");
            });
            endpoint.ifPresent(SqsOptions::checkEndpoint);
            topicEndpoint.ifPresent(SqsOptions::checkEndpoint);
            if (transport == SqsTransport.CRT && trusted.isPresent()) {
                throw new IllegalArgumentException("the CRT client trusts the system's certificates only");
            }
            boolean counts = maxRequests < Integer.MAX_VALUE || replaceAfter < Integer.MAX_VALUE;
            if (counts && transport != SqsTransport.DOWNBEAT) {
                throw new IllegalArgumentException("the " + transport.title()
                        + " client cannot close connections after N requests: use --transport downbeat, or remove "
                        + (maxRequests < Integer.MAX_VALUE ? "--max-requests" : "--replace-after"));
            }
        }
    }

    /** The form of messages; documented at the fields of {@link Draft}. */
    public record SqsMessageOptions(
            int size,
            Optional<LongFunction<String>> body,
            Duration delay,
            Map<String, SqsAttribute> attributes,
            int groups) {
        /** The limit of SQS in bytes. */
        static final int LARGEST = 1024 * 1024;

        private static final int LONGEST_NAME = 256;
        private static final int LEAST_BATCH_BYTES = 256 * 1024;

        /** The maximum size of Downbeat's own attributes: names, types and values. */
        private static final int MARK_BYTES = 256;

        private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

        public SqsMessageOptions {
            attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
            checkRange("message size", size, 1, LARGEST);
            body.ifPresent(texts -> checkRange("bytes of the body", bytes(texts.apply(0)), 1, LARGEST));
            checkWholeSeconds("delay", delay, LONGEST_DELAY);
            if (attributes.keySet().stream().anyMatch(name -> name.startsWith("downbeat-"))) {
                throw new IllegalArgumentException("attribute names must not begin with downbeat- (reserved)");
            }
            attributes.keySet().forEach(SqsMessageOptions::checkAttributeName);
            if (attributes.size() > 8) {
                throw new IllegalArgumentException(
                        "number of attributes must be from 1 to 8, but was " + attributes.size());
            }
            checkRange("message groups", groups, 1, 1_000_000);
        }

        /** Rejects names that SQS refuses with each message. */
        private static void checkAttributeName(String name) {
            boolean isValid = name.length() <= LONGEST_NAME && name.matches("[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*");
            if (!isValid || name.matches("(?i)(?:aws|amazon)\\..*")) {
                throw new IllegalArgumentException("attribute names must be 1 to " + LONGEST_NAME
                        + " letters, digits, _, - and single dots inside, and not begin with AWS. or Amazon., but was '"
                        + name + "'");
            }
        }

        /** Rejects messages that are too large with their attributes. */
        void check() {
            if (bytes() > LARGEST) {
                throw new IllegalArgumentException(
                        "a message must be at most " + LARGEST + " bytes with its attributes, " + MARK_BYTES
                                + " of which Downbeat's own may take, but was " + bytes());
            }
        }

        /** The number of messages in a batch that every service and queue accepts: at most ten, in 256 KiB. */
        public int perBatch() {
            return Math.max(1, Math.min(10, LEAST_BATCH_BYTES / bytes()));
        }

        /** The size of one message with all attributes. */
        public int bytes() {
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

    /** What is done to the queue; documented at the fields of {@link Draft}. */
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
        private static final Duration LONGEST_POLL = Duration.ofSeconds(20);
        private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);

        public Use {
            checkRange("batch size", batchSize, 1, 10);
            checkWholeSeconds("poll wait", pollWait, LONGEST_POLL);
            checkRange("consumers", consumers, 1, 100);
            run.filter(id -> !id.matches("[A-Za-z0-9-]{1,64}")).ifPresent(id -> {
                throw new IllegalArgumentException(
                        "run must be 1 to 64 letters, digits and dashes, but was '" + id + "'");
            });
            if (requests < 1) {
                throw new IllegalArgumentException("requests must be at least 1, but was " + requests);
            }
            visibility.ifPresent(time -> checkWholeSeconds("visibility", time, LONGEST_VISIBILITY));
        }

        /** Whether other runs or processes share the run's id, so that their messages are its own. */
        public boolean isShared() {
            return run.isPresent();
        }

        /** Whether messages are received, and those of others are not deleted. */
        public boolean sparesOthers() {
            return switch (operation) {
                case SEND, SEND_BATCH -> false;
                case RECEIVE -> !deleteReceived;
                case DELETE, DELIVERY -> true;
            };
        }

        void check(SqsOptions.SqsMessageOptions message) {
            if (through.isPresent() && operation != SqsOperation.DELIVERY) {
                throw new IllegalArgumentException("a topic requires the operation delivery");
            }
            if (through.isPresent() && !message.delay().isZero()) {
                throw new IllegalArgumentException("a topic does not support per-message delay: set the queue's delay");
            }
            if (operation == SqsOperation.SEND_BATCH
                    && (long) message.bytes() * batchSize > SqsOptions.SqsMessageOptions.LARGEST) {
                throw new IllegalArgumentException("a batch must be at most " + SqsOptions.SqsMessageOptions.LARGEST
                        + " bytes, but was " + batchSize + " x " + message.bytes());
            }
        }
    }
}
