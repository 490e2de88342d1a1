package dev.downbeat.sqs.options;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.function.LongFunction;

/** How a queue is used, by which client, and where it is. Immutable; made by {@link #builder}. */
public final class SqsOptions {
    private final ClientOptions client;
    private final MessageOptions message;
    private final QueueRole use;

    private SqsOptions(ClientOptions client, MessageOptions message, QueueRole use) {
        this.client = client;
        this.message = message;
        this.use = use;
    }

    /** Starts with the defaults named at each setter. */
    public static Builder builder() {
        return new Builder();
    }

    public ClientOptions client() {
        return client;
    }

    public MessageOptions message() {
        return message;
    }

    public QueueRole use() {
        return use;
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder extends ClientSetup<Builder> {
        private static final Duration LONGEST_POLL = Duration.ofSeconds(20);
        private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);
        private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);

        private SqsOperation operation = SqsOperation.SEND;
        private int messageSize = 1024;
        private Optional<LongFunction<String>> body = Optional.empty();
        private long seed = 1;
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

        @Override
        Builder self() {
            return this;
        }

        /** {@link SqsOperation#SEND} unless said otherwise. */
        public Builder operation(SqsOperation what) {
            operation = Objects.requireNonNull(what, "what");
            return this;
        }

        /** Bytes of a message's body, from 1 to 1 Mi with its attributes; 1,024 unless said otherwise. */
        public Builder messageSize(int bytes) {
            messageSize = within("messageSize", bytes, 1, MessageOptions.LARGEST);
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
            within("bytes of the body", MessageOptions.bytes(byNumber.apply(0)), 1, MessageOptions.LARGEST);
            body = Optional.of(byNumber);
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
            batchSize = within("batchSize", count, 1, 10);
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

        /**
         * The run's id, from 1 to 64 letters, digits and dashes: all shards of a run are given the same, so that they know
         * each other's messages. A random one unless said.
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
            visibility = Optional.of(wholeSeconds("visibility", time, LONGEST_VISIBILITY));
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

        /**
         * {@link SqsOperation#DELIVERY}: publishes to a topic of SNS that delivers to the queue, raw or wrapped, instead of
         * sending to the queue.
         *
         * @param topicArn such as {@code arn:aws:sns:eu-west-1:123456789012:orders}
         */
        public Builder through(String topicArn) {
            through = Optional.of(new Topic(topicArn));
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

        /** The options; refuses what does not go together. */
        public SqsOptions build() {
            MessageOptions message = new MessageOptions(messageSize, body, seed, delay, attributes, messageGroups);
            QueueRole use = new QueueRole(
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
            use.check(message);
            return new SqsOptions(client(), message, use);
        }
    }

    private static Duration wholeSeconds(String what, Duration time, Duration longest) {
        if (time.isNegative() || time.compareTo(longest) > 0 || time.toNanosPart() != 0) {
            throw new IllegalArgumentException(
                    what + " must be from 0 to " + longest.toSeconds() + " s in whole seconds, but was " + time);
        }
        return time;
    }
}
