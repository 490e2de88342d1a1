package dev.downbeat.sqs;

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
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * How a queue is used, by which client, and where it is. Immutable; made by {@link #builder}. Longer than most, since it
 * has many defaults, and each is named at its setter.
 */
public final class SqsOptions {
    private final SqsOperation operation;
    private final SqsTransport transport;
    private final int maxConnections;
    private final int maxInFlight;
    private final Duration acquireTimeout;
    private final Duration connectTimeout;
    private final Duration maxIdle;
    private final boolean tcpKeepAlive;
    private final int maxAttempts;
    private final MessageOptions message;
    private final int batchSize;
    private final Duration pollWait;
    private final boolean deleteReceived;
    private final int consumers;
    private final @Nullable String region;
    private final @Nullable URI endpoint;
    private final @Nullable AwsCredentialsProvider credentials;
    private final boolean verifyServer;
    private final @Nullable X509Certificate trusted;
    private final @Nullable String run;
    private final boolean queueIsMine;
    private final long requests;
    private final @Nullable Duration visibility;
    private final LongBinaryOperator processing;
    private final SqsProxy proxy;
    private final @Nullable Topic through;
    private final @Nullable URI topicEndpoint;
    private final boolean watched;
    private final int maxRequests;

    private SqsOptions(Builder builder) {
        operation = builder.operation;
        transport = builder.transport;
        maxConnections = builder.maxConnections;
        maxInFlight = builder.maxInFlight;
        acquireTimeout = builder.acquireTimeout;
        connectTimeout = builder.connectTimeout;
        maxIdle = builder.maxIdle;
        tcpKeepAlive = builder.tcpKeepAlive;
        maxAttempts = builder.maxAttempts;
        message = new MessageOptions(
                builder.messageSize,
                Optional.ofNullable(builder.body),
                builder.seed,
                builder.delay,
                Collections.unmodifiableMap(new TreeMap<>(builder.attributes)),
                builder.messageGroups);
        batchSize = builder.batchSize;
        pollWait = builder.pollWait;
        deleteReceived = builder.deleteReceived;
        consumers = builder.consumers;
        region = builder.region;
        endpoint = builder.endpoint;
        credentials = builder.credentials;
        verifyServer = builder.verifyServer;
        trusted = builder.trusted;
        run = builder.run;
        queueIsMine = builder.queueIsMine;
        requests = builder.requests;
        visibility = builder.visibility;
        processing = builder.processing;
        proxy = builder.proxy;
        through = builder.through;
        topicEndpoint = builder.topicEndpoint;
        watched = builder.watched;
        maxRequests = builder.maxRequests;
    }

    /** Starts with the defaults named at each setter. */
    public static Builder builder() {
        return new Builder();
    }

    SqsOperation operation() {
        return operation;
    }

    SqsTransport transport() {
        return transport;
    }

    int maxConnections() {
        return maxConnections;
    }

    int maxInFlight() {
        return maxInFlight;
    }

    Duration acquireTimeout() {
        return acquireTimeout;
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    Duration maxIdle() {
        return maxIdle;
    }

    boolean tcpKeepAlive() {
        return tcpKeepAlive;
    }

    int maxAttempts() {
        return maxAttempts;
    }

    MessageOptions message() {
        return message;
    }

    int batchSize() {
        return batchSize;
    }

    Duration pollWait() {
        return pollWait;
    }

    boolean deleteReceived() {
        return deleteReceived;
    }

    int consumers() {
        return consumers;
    }

    Optional<String> region() {
        return Optional.ofNullable(region);
    }

    Optional<URI> endpoint() {
        return Optional.ofNullable(endpoint);
    }

    Optional<AwsCredentialsProvider> credentials() {
        return Optional.ofNullable(credentials);
    }

    boolean verifyServer() {
        return verifyServer;
    }

    Optional<X509Certificate> trusted() {
        return Optional.ofNullable(trusted);
    }

    Optional<String> run() {
        return Optional.ofNullable(run);
    }

    boolean queueIsMine() {
        return queueIsMine;
    }

    long requests() {
        return requests;
    }

    Optional<Duration> visibility() {
        return Optional.ofNullable(visibility);
    }

    LongBinaryOperator processing() {
        return processing;
    }

    SqsProxy proxy() {
        return proxy;
    }

    int maxRequests() {
        return maxRequests;
    }

    boolean isWatched() {
        return watched;
    }

    Optional<Topic> through() {
        return Optional.ofNullable(through);
    }

    Optional<URI> topicEndpoint() {
        return Optional.ofNullable(topicEndpoint);
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder {
        /** What SQS takes at most, in bytes. */
        static final int LARGEST_MESSAGE = 1024 * 1024;

        private static final int LARGEST_BATCH = 10;
        private static final int MOST_CALLS = 65_535;
        private static final Duration LONGEST_POLL = Duration.ofSeconds(20);
        private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);
        private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);

        /** At most, of our own attributes: names, types and values. */
        private static final int MARK_BYTES = 256;

        private SqsOperation operation = SqsOperation.SEND;
        private SqsTransport transport = SqsTransport.DOWNBEAT;
        private int maxConnections = 50;
        private int maxInFlight = 256;
        private Duration acquireTimeout = Duration.ofSeconds(10);
        private Duration connectTimeout = Duration.ofSeconds(2);
        private Duration maxIdle = Duration.ofSeconds(60);
        private boolean tcpKeepAlive;
        private int maxAttempts = 1;
        private int messageSize = 1024;
        private @Nullable LongFunction<String> body;
        private long seed = 1;
        private Duration delay = Duration.ZERO;
        private final Map<String, SqsAttribute> attributes = new TreeMap<>();
        private int messageGroups = 10;
        private int batchSize = 10;
        private Duration pollWait = LONGEST_POLL;
        private boolean deleteReceived;
        private int consumers = 2;
        private @Nullable String region;
        private @Nullable URI endpoint;
        private @Nullable AwsCredentialsProvider credentials;
        private boolean verifyServer = true;
        private @Nullable X509Certificate trusted;
        private @Nullable String run;
        private boolean queueIsMine;
        private long requests = Long.MAX_VALUE;
        private @Nullable Duration visibility;
        private LongBinaryOperator processing = (consumer, message) -> 0;
        private SqsProxy proxy = SqsProxy.configured();
        private @Nullable Topic through;
        private @Nullable URI topicEndpoint;
        private boolean watched;
        private int maxRequests = Integer.MAX_VALUE;

        private Builder() {}

        /** {@link SqsOperation#SEND} unless said otherwise. */
        public Builder operation(SqsOperation what) {
            operation = Objects.requireNonNull(what, "what");
            return this;
        }

        /** {@link SqsTransport#DOWNBEAT} unless said otherwise. */
        public Builder transport(SqsTransport client) {
            transport = Objects.requireNonNull(client, "client");
            return this;
        }

        /** Size of the client's pool of connections, over all generators, from 1; 50 as the SDK's, unless said otherwise. */
        public Builder maxConnections(int count) {
            maxConnections = within("maxConnections", count, 1, MOST_CALLS);
            return this;
        }

        /**
         * How many calls the client is given at the same time, over all generators, from 1; 256 unless said otherwise. With
         * more calls than connections they wait in the client's pool, as the threads of a service do, and that wait is
         * told apart; a request that finds all calls out waits here.
         */
        public Builder maxInFlight(int count) {
            maxInFlight = within("maxInFlight", count, 1, MOST_CALLS);
            return this;
        }

        /** How long a call waits for a connection of the pool before it fails; above zero, 10 s unless said otherwise. */
        public Builder acquireTimeout(Duration timeout) {
            acquireTimeout = aboveZero("acquireTimeout", timeout);
            return this;
        }

        /** After how long a connect has failed; above zero, 2 s as the SDK's, unless said otherwise. */
        public Builder connectTimeout(Duration timeout) {
            connectTimeout = aboveZero("connectTimeout", timeout);
            return this;
        }

        /** After how long an idle connection is closed; above zero, 60 s as the SDK's, unless said otherwise. */
        public Builder maxIdle(Duration time) {
            maxIdle = aboveZero("maxIdle", time);
            return this;
        }

        /**
         * After how many requests a connection is closed, from 1; never, unless said. {@link SqsTransport#DOWNBEAT} only: the
         * SDK's clients know no such limit.
         */
        public Builder maxRequests(int perConnection) {
            maxRequests = within("maxRequests", perConnection, 1, Integer.MAX_VALUE);
            return this;
        }

        /** Whether the kernel probes idle connections; no, unless said otherwise. */
        public Builder tcpKeepAlive(boolean on) {
            tcpKeepAlive = on;
            return this;
        }

        /**
         * How often the SDK tries an operation at most, from 1, which is the default: no retries, so that each failure
         * and each slow answer is seen. With more, by the SDK's standard way, a response time is that of the operation, and
         * attempts and operations are counted apart.
         */
        public Builder maxAttempts(int count) {
            maxAttempts = within("maxAttempts", count, 1, 100);
            return this;
        }

        /** Bytes of a message's body, from 1 to 1 Mi with its attributes; 1,024 unless said otherwise. */
        public Builder messageSize(int bytes) {
            messageSize = within("messageSize", bytes, 1, LARGEST_MESSAGE);
            return this;
        }

        /** The body of every message, instead of random ones; 1 byte to 1 MiB with its attributes, in UTF-8. */
        public Builder body(String text) {
            return bodies(number -> text);
        }

        /**
         * The body of each message by its number, instead of random ones; the same for the same number, by any thread. 1
         * byte to 1 MiB with the attributes, in UTF-8, of which the first is looked at.
         */
        public Builder bodies(LongFunction<String> byNumber) {
            within("bytes of the body", bytes(byNumber.apply(0)), 1, LARGEST_MESSAGE);
            body = byNumber;
            return this;
        }

        /** Begins the random bodies: the same seed gives the same body for the same request. 1 unless said otherwise. */
        public Builder seed(long number) {
            seed = number;
            return this;
        }

        /** How long the queue keeps a message back, from 0, the default, to 15 min, in whole seconds; not for FIFO. */
        public Builder delay(Duration time) {
            delay = wholeSeconds("delay", time, LONGEST_DELAY);
            return this;
        }

        /** A message attribute of type String, with every message; up to 8 of them. */
        public Builder attribute(String name, String value) {
            return attribute(name, SqsAttribute.text(Objects.requireNonNull(value, "value")));
        }

        /** A message attribute, with every message; up to 8 of them, and none of ours. */
        public Builder attribute(String name, SqsAttribute value) {
            if (name.startsWith("downbeat-")) {
                throw new IllegalArgumentException("an attribute's name must not begin with downbeat-: those are ours");
            }
            attributes.put(name, Objects.requireNonNull(value, "value"));
            within("number of attributes", attributes.size(), 1, 8);
            return this;
        }

        /** FIFO queues: over how many message groups messages go, in turn, from 1; 10 unless said otherwise. */
        public Builder messageGroups(int count) {
            messageGroups = within("messageGroups", count, 1, 1_000_000);
            return this;
        }

        /** How many messages a batch sends, or a receive takes at most, from 1 to 10; 10 unless said otherwise. */
        public Builder batchSize(int count) {
            batchSize = within("batchSize", count, 1, LARGEST_BATCH);
            return this;
        }

        /** How long a receive waits for a message, from 0 to 20 s in whole seconds; 20 s unless said otherwise. */
        public Builder pollWait(Duration time) {
            pollWait = wholeSeconds("pollWait", time, LONGEST_POLL);
            return this;
        }

        /** Whether {@link SqsOperation#RECEIVE} deletes what it has received, beside the measurement; no by default. */
        public Builder deleteReceived(boolean on) {
            deleteReceived = on;
            return this;
        }

        /** {@link SqsOperation#DELIVERY}: how many consumers of each generator poll, from 1 to 100; 2 by default. */
        public Builder consumers(int count) {
            consumers = within("consumers", count, 1, 100);
            return this;
        }

        /** The region; that of the queue's URL, the environment or the AWS profile unless said; nobody is asked for it. */
        public Builder region(String name) {
            region = Objects.requireNonNull(name, "name");
            return this;
        }

        /** Where the service is; by the region, or where the queue's URL says, unless said. */
        public Builder endpoint(URI where) {
            endpoint = checked(where);
            return this;
        }

        private static URI checked(URI where) {
            if (where.getHost() == null || !("http".equals(where.getScheme()) || "https".equals(where.getScheme()))) {
                throw new IllegalArgumentException(
                        "endpoint must be http://HOST or https://HOST, with a port if need be");
            }
            if (where.getRawUserInfo() != null) {
                throw new IllegalArgumentException("endpoint must have no user and no password");
            }
            return where;
        }

        /** Who we are; by the SDK's default chain unless said, and anybody to a server on this machine. */
        public Builder credentials(AwsCredentialsProvider provider) {
            credentials = Objects.requireNonNull(provider, "provider");
            return this;
        }

        /** Whether the server's certificate is checked; yes, unless said otherwise. */
        public Builder verifyServer(boolean on) {
            verifyServer = on;
            return this;
        }

        /** The one certificate to trust, instead of the JDK's. */
        public Builder trust(X509Certificate certificate) {
            trusted = Objects.requireNonNull(certificate, "certificate");
            return this;
        }

        /**
         * The run's id, from 1 to 64 letters, digits and dashes: all shards of a run are given the same, so that they know
         * each other's messages. A random one unless said.
         */
        public Builder run(String id) {
            if (!id.matches("[A-Za-z0-9-]{1,64}")) {
                throw new IllegalArgumentException(
                        "run must be 1 to 64 letters, digits and dashes, but was '" + id + "'");
            }
            run = id;
            return this;
        }

        /**
         * Whether messages of others in the queue may be received too; no, unless said. Without it, the first such message
         * is given back, and ends what receives. They are never deleted by {@link SqsOperation#DELETE} and {@link
         * SqsOperation#DELIVERY}.
         */
        public Builder queueIsMine(boolean on) {
            queueIsMine = on;
            return this;
        }

        /** How many requests there will be at most, from 1, if that is known: no more messages are made to be deleted. */
        public Builder requests(long count) {
            if (count < 1) {
                throw new IllegalArgumentException("requests must be at least 1, but was " + count);
            }
            requests = count;
            return this;
        }

        /** For how long the queue hides what was received, from 0 to 12 h in whole seconds; as the queue does, unless said. */
        public Builder visibility(Duration time) {
            visibility = wholeSeconds("visibility", time, LONGEST_VISIBILITY);
            return this;
        }

        /**
         * {@link SqsOperation#DELIVERY}: how long a consumer works on each message before the next, in nanoseconds, by the
         * number of the consumer and of its message, from 0; no time by default.
         */
        public Builder processing(LongBinaryOperator time) {
            processing = Objects.requireNonNull(time, "time");
            return this;
        }

        /** By which proxy; as environment and system properties say, unless said. */
        public Builder proxy(SqsProxy way) {
            proxy = Objects.requireNonNull(way, "way");
            return this;
        }

        /**
         * {@link SqsOperation#DELIVERY}: publishes to a topic of SNS that delivers to the queue, raw or wrapped, instead of
         * sending to the queue.
         *
         * @param topicArn such as {@code arn:aws:sns:eu-west-1:123456789012:orders}
         */
        public Builder through(String topicArn) {
            through = new Topic(topicArn);
            return this;
        }

        /** Where the topic is; as the SDK finds it unless said, and where the queue is if that is not Amazon. */
        public Builder topicEndpoint(URI where) {
            topicEndpoint = checked(where);
            return this;
        }

        /**
         * Whether the queue is looked at once a second while a run goes on, by a client of its own: its depth, that of its
         * dead-letter queue, and the age of the oldest message; no, unless said. Of shards, one is enough.
         */
        public Builder watched(boolean on) {
            watched = on;
            return this;
        }

        /** The options; refuses what this transport cannot do. */
        public SqsOptions build() {
            if (transport == SqsTransport.CRT && trusted != null) {
                throw new IllegalArgumentException("the CRT client trusts the system's certificates only");
            }
            if (maxRequests < Integer.MAX_VALUE && transport != SqsTransport.DOWNBEAT) {
                throw new IllegalArgumentException(
                        "the " + transport.title()
                                + " client closes no connection after a number of requests: give --transport downbeat, or no --max-requests");
            }
            if (through != null && operation != SqsOperation.DELIVERY) {
                throw new IllegalArgumentException("a topic goes with delivery only");
            }
            if (through != null && !delay.isZero()) {
                throw new IllegalArgumentException("a topic takes no delay of a message: give the queue a delay");
            }
            int sent = (body == null ? messageSize : bytes(body.apply(0))) + attributeBytes();
            if (sent > LARGEST_MESSAGE) {
                throw new IllegalArgumentException("a message must be at most " + LARGEST_MESSAGE
                        + " bytes with its attributes, but was " + sent + ", of which " + MARK_BYTES + " are ours");
            }
            if (operation == SqsOperation.SEND_BATCH && (long) sent * batchSize > LARGEST_MESSAGE) {
                throw new IllegalArgumentException(
                        "a batch must be at most " + LARGEST_MESSAGE + " bytes, but was " + batchSize + " x " + sent);
            }
            return new SqsOptions(this);
        }

        private static int bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }

        private int attributeBytes() {
            return MARK_BYTES
                    + attributes.entrySet().stream()
                            .mapToInt(
                                    one -> bytes(one.getKey()) + one.getValue().bytes())
                            .sum();
        }

        private static int within(String what, int count, int least, int most) {
            if (count < least || count > most) {
                throw new IllegalArgumentException(
                        what + " must be from " + least + " to " + most + ", but was " + count);
            }
            return count;
        }

        private static Duration aboveZero(String what, Duration time) {
            if (time.isNegative() || time.isZero()) {
                throw new IllegalArgumentException(what + " must be above zero, but was " + time);
            }
            return time;
        }

        private static Duration wholeSeconds(String what, Duration time, Duration longest) {
            if (time.isNegative()
                    || time.compareTo(longest) > 0
                    || !time.equals(Duration.ofSeconds(time.toSeconds()))) {
                throw new IllegalArgumentException(
                        what + " must be from 0 to " + longest.toSeconds() + " s in whole seconds, but was " + time);
            }
            return time;
        }
    }
}
