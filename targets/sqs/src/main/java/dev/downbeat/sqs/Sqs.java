package dev.downbeat.sqs;

import dev.downbeat.exchange.MeasuredSystem;
import dev.downbeat.exchange.Secret;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;
import dev.downbeat.sqs.options.SqsAttribute;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.Topic;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * A queue of Amazon SQS or a compatible server as the target of a load:
 *
 * <pre>{@code
 * Load.perSecond(100).run(Sqs.queue("orders").region("eu-west-1").body("{\"sku\": 7}").send());
 * Load.perSecond(100).run(Sqs.queue("orders").endpoint("http://localhost:9324").queueIsMine().deliver());
 * }</pre>
 *
 * <p>Credentials, region and endpoint default to those of the AWS SDK; a server on this machine needs none. Amazon
 * bills every request.
 *
 * <p>Immutable: each setter returns a new object. Thread-safe. A null argument throws a {@link
 * NullPointerException}.
 */
public final class Sqs {
    /** An option without a command-line equivalent. */
    private static final String NO_CLI_EQUIVALENT = "";

    private final String queue;
    private final Consumer<SqsOptions.Draft> changes;
    private final List<String> arguments;

    private Sqs(String queue, Consumer<SqsOptions.Draft> changes, List<String> arguments) {
        this.queue = queue;
        this.changes = changes;
        this.arguments = arguments;
    }

    /**
     * A queue.
     *
     * @param nameOrUrl such as {@code orders}, or its URL
     */
    public static Sqs queue(String nameOrUrl) {
        String target = nameOrUrl.startsWith("sqs:") ? nameOrUrl.substring("sqs:".length()) : nameOrUrl;
        return new Sqs(target, options -> {}, List.of("sqs:" + target));
    }

    /**
     * The region, such as {@code eu-west-1}; the default is that of the queue's URL or of the AWS SDK.
     *
     * @throws IllegalArgumentException if it is not 1 to 63 letters, digits and dashes
     */
    public Sqs region(String name) {
        return with("--region=" + name, options -> options.region = Optional.of(name));
    }

    /**
     * The endpoint, such as {@code http://localhost:9324}.
     *
     * @throws IllegalArgumentException if it is not an http or https URL
     */
    public Sqs endpoint(String url) {
        URI where = URI.create(url);
        return with("--endpoint=" + where, options -> options.endpoint = Optional.of(where));
    }

    /** The credentials; the default is the SDK's chain. A run with others has no equivalent command. */
    public Sqs credentials(AwsCredentialsProvider provider) {
        return with(
                NO_CLI_EQUIVALENT,
                options -> options.credentials = Optional.of(Objects.requireNonNull(provider, "provider")));
    }

    /**
     * The maximum number of connections; the default is the SDK's, 50. A call without a free connection waits for one,
     * and the wait is included.
     *
     * @param count from 1 to 65,535
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public Sqs connections(int count) {
        return with("--connections=" + count, options -> options.maxConnections = count);
    }

    /**
     * The maximum number of calls in the client, with or without a connection; further requests wait in the backlog.
     * The default is 256, or the number of users of a closed load if that is higher, at most 65,535.
     *
     * @param count from 1 to 65,535
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public Sqs inFlight(int count) {
        return with("--in-flight=" + count, options -> options.maxInFlight = count);
    }

    /**
     * The body of every message: 1 byte to 1 MiB in UTF-8, including attributes. The default is 1,024 random bytes.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Sqs body(String text) {
        return with("--data=" + Secret.HIDDEN, options -> options.body = Optional.of(number -> text));
    }

    /**
     * The body of each message, a function of its number; called by any thread.
     *
     * @throws IllegalArgumentException if the first is not 1 byte to 1 MiB in UTF-8
     */
    public Sqs body(LongFunction<String> byNumber) {
        return with(NO_CLI_EQUIVALENT, options -> options.body = Optional.of(byNumber));
    }

    /**
     * An attribute of every message, of type String, or another value of one that was set; at most 8.
     *
     * @throws IllegalArgumentException if there are more, the name begins with {@code downbeat-} or is none that SQS
     *     accepts, or the value is empty
     */
    public Sqs attribute(String name, String value) {
        return with(
                "--attribute=" + name + "=" + Secret.HIDDEN,
                options -> options.attributes.put(name, SqsAttribute.text(value)));
    }

    /**
     * The delivery delay of each message, from 0 to 15 min in whole seconds; not for FIFO.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Sqs delay(Duration time) {
        return with("--delay=" + time.toSeconds() + "s", options -> options.delay = time);
    }

    /**
     * Lets receive operations continue when they find messages of others, which are visible again 20 s after the run; by
     * default the first ends the run. So does, in any case, one that might move to the dead-letter queue.
     */
    public Sqs queueIsMine() {
        return with("--queue-is-mine", options -> options.queueIsMine = true);
    }

    /**
     * Each request sends a message, which stays in the queue.
     *
     * @throws IllegalArgumentException as each operation, if the settings do not fit each other or the queue
     */
    public SystemUnderTest send() {
        return perform(SqsOperation.SEND);
    }

    /**
     * Each request sends this many messages, which stay in the queue.
     *
     * @throws IllegalArgumentException if {@code count} is not from 1 to 10
     */
    public SystemUnderTest sendBatch(int count) {
        return perform(SqsOperation.SEND_BATCH, "--batch-size=" + count, options -> options.batchSize = count);
    }

    /**
     * Each request is a long poll of up to 20 s for up to ten messages, which stay in the queue; time with an empty queue
     * does not count.
     */
    public SystemUnderTest receive() {
        return perform(SqsOperation.RECEIVE);
    }

    /** Each request deletes a message that was sent for it; that sending is not measured. */
    public SystemUnderTest delete() {
        return perform(SqsOperation.DELETE);
    }

    /** Each request sends a message and ends with its arrival at a consumer of this process. */
    public SystemUnderTest deliver() {
        return perform(SqsOperation.DELIVERY);
    }

    /**
     * Like {@link #deliver()}, through an SNS topic to which the queue is subscribed.
     *
     * @throws IllegalArgumentException if it is no ARN of a topic, or a {@link #delay} was set
     */
    public SystemUnderTest deliverThrough(String topicArn) {
        return perform(
                SqsOperation.DELIVERY,
                "--through=" + topicArn,
                options -> options.through = Optional.of(new Topic(topicArn)));
    }

    private SystemUnderTest perform(SqsOperation operation, String argument, Consumer<SqsOptions.Draft> change) {
        return with(argument, change).perform(operation);
    }

    private QueueUnderTest perform(SqsOperation operation) {
        return new QueueUnderTest(this, operation, new SqsTarget(queue, options(operation)));
    }

    private SqsOptions options(SqsOperation operation) {
        return SqsOptions.of(changes.andThen(draft -> draft.operation = operation));
    }

    /** One operation on a queue. Thread-safe. */
    record QueueUnderTest(Sqs queue, SqsOperation operation, SqsTarget target) implements Target.Wrapper {
        @Override
        public List<String> commandLineArguments() {
            List<String> all = queue.plus(
                    "--operation=" + operation.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            return all.contains(NO_CLI_EQUIVALENT) ? List.of() : all;
        }

        /** All runs of a system share the id of their messages, or leftovers of one would be foreign to the next. */
        @Override
        public MeasuredSystem forUsers(int users) {
            int calls = SqsOptions.callsFor(users);
            if (calls == SqsOptions.callsFor(0)) {
                return this;
            }
            Consumer<SqsOptions.Draft> sizing = draft -> draft.maxInFlight = calls;
            Sqs sized = new Sqs(queue.queue, sizing.andThen(queue.changes), queue.arguments);
            return new QueueUnderTest(sized, operation, target.with(sized.options(operation)));
        }

        @Override
        public String toString() {
            return describe();
        }
    }

    @Override
    public String toString() {
        return arguments.get(0);
    }

    /** Rejects a value out of range at once. */
    private Sqs with(String argument, Consumer<SqsOptions.Draft> option) {
        Consumer<SqsOptions.Draft> all = changes.andThen(option);
        SqsOptions.checkRanges(all);
        return new Sqs(queue, all, plus(argument));
    }

    private List<String> plus(String argument) {
        return Stream.concat(arguments.stream(), Stream.of(argument)).toList();
    }
}
