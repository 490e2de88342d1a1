package dev.downbeat.sqs;

import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.sqs.account.QueueDepths;
import dev.downbeat.sqs.account.QueueSearch;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.QueueName;
import dev.downbeat.sqs.client.SdkClients;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.ServiceEndpoint;
import dev.downbeat.sqs.message.ForeignMessages;
import dev.downbeat.sqs.message.MessageMaker;
import dev.downbeat.sqs.message.MessageMark;
import dev.downbeat.sqs.message.MessageSupply;
import dev.downbeat.sqs.message.ServerClock;
import dev.downbeat.sqs.operation.DeleteOperation;
import dev.downbeat.sqs.operation.DeliveryOperation;
import dev.downbeat.sqs.operation.Operation;
import dev.downbeat.sqs.operation.QueueRehearsal;
import dev.downbeat.sqs.operation.ReceiveOperation;
import dev.downbeat.sqs.operation.SendOperation;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue of Amazon SQS or a compatible server, used through the AWS SDK for Java. Each generator has its own client
 * with its share of the connections.
 *
 * <p>Response times are those of the SDK's operation: from the intended start to the response's delivery to the caller,
 * including the SDK's own work. A wait for one of its connections is backlog wait, like the wait for a slot, and
 * excluded from the service time.
 *
 * <p>Before the clock starts, a separate client looks up the queue, and the SDK is exercised for a second against a
 * server in this process, so that the JVM has loaded and compiled it. Credentials, region and endpoint default to those
 * of the SDK. The exception is AWS's instance metadata service, which is not queried for the region. A server on this
 * machine needs neither. Thread-safe.
 */
public final class SqsTarget implements Target {
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(10);
    private static final int STOCK_PER_CALL = 4;

    private final QueueName name;
    final SqsOptions options;
    private final ServiceEndpoint service;
    private final boolean rehearses;
    final String run;
    private final ServerClock serverClock = new ServerClock();

    /** Looked up once for all lanes. */
    private volatile @Nullable Queue found;

    /**
     * Creates a target.
     *
     * @param queue its URL or its name
     * @throws IllegalArgumentException if the name is invalid, the options do not fit a FIFO queue, or the region is
     *     unknown
     */
    public SqsTarget(String queue, SqsOptions options) {
        this(queue, options, true);
    }

    /** With or without exercising the SDK first. */
    SqsTarget(String queue, SqsOptions options, boolean rehearses) {
        this(
                new QueueName(Objects.requireNonNull(queue, "queue")),
                options,
                rehearses,
                options.use().run().orElseGet(MessageMark::newId));
    }

    private SqsTarget(QueueName name, SqsOptions options, boolean rehearses, String run) {
        this.rehearses = rehearses;
        this.name = name;
        this.options = options;
        this.run = run;
        if (name.isFifo() && !options.message().delay().isZero()) {
            throw new IllegalArgumentException(
                    "a FIFO queue does not support per-message delay: set the queue's delay");
        }
        if (options.use()
                .through()
                .filter(topic -> topic.name().endsWith(".fifo") && !name.isFifo())
                .isPresent()) {
            throw new IllegalArgumentException(
                    "a FIFO topic needs messages with groups: give the FIFO queue that it delivers to");
        }
        this.service = ServiceEndpoint.of(name, options);
    }

    /** A copy that recognises the messages of this target as its own. */
    SqsTarget with(SqsOptions others) {
        return new SqsTarget(name, others, rehearses, run);
    }

    @Override
    public String describe() {
        return "SQS " + options.use().operation().name().replace('_', ' ') + " " + name.name()
                + options.use()
                        .through()
                        .map(topic -> " through the topic " + topic.name())
                        .orElse("") + " " + service.where() + ", "
                + options.client().transport().title() + " client"
                + service.proxy().map(proxy -> ", by the proxy " + proxy).orElse("");
    }

    @Override
    public long longestIdleNanos() {
        SqsOptions.Use use = options.use();
        return use.operation() == SqsOperation.RECEIVE ? use.pollWait().toNanos() : 0;
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        int connections = Target.share("connections", options.client().maxConnections(), share, shares);
        int capacity = Target.share("calls in flight", options.client().maxInFlight(), share, shares);
        boolean isFirst = found == null;
        Queue queue = queue(clock);
        if (rehearses && isFirst) {
            QueueRehearsal.once(options);
        }
        SdkConnection opened = SdkClients.open(service, connections, clock);
        Operation operation = null;
        try {
            opened.warmUp(queue);
            operation = operation(opened, queue, capacity, shares, clock);
            if (share == 0 && options.use().watched()) {
                operation.watchedBy(new QueueDepths(unmeasured(1, clock), queue, operation::oldestNanos));
            }
            return new CallLane(capacity, clock, listener, operation);
        } catch (RuntimeException | IOException broken) {
            if (operation == null) {
                opened.close();
            } else {
                operation.close();
            }
            throw broken;
        }
    }

    private Operation operation(SdkConnection connections, Queue queue, int capacity, int shares, NanoClock clock)
            throws IOException {
        MessageMark.Sender sender = MessageMark.Sender.of(run);
        MessageMaker messages = new MessageMaker(queue, options.message(), sender);
        return switch (options.use().operation()) {
            case SEND -> new SendOperation(connections, messages, 0);
            case SEND_BATCH ->
                new SendOperation(connections, messages, options.use().batchSize());
            case RECEIVE -> new ReceiveOperation(connections, unmeasured(capacity, clock), queue, options, serverClock);
            case DELETE -> {
                long requests = options.use().requests() / shares + 1;
                MessageSupply stock = new MessageSupply(
                        unmeasured(STOCK_PER_CALL, clock),
                        queue,
                        messages,
                        options,
                        run,
                        stock(capacity),
                        shares == 1 ? options.use().requests() : requests);
                try {
                    stock.start(LONGEST_CHECK);
                } catch (IOException nothing) {
                    stock.close();
                    throw nothing;
                }
                yield new DeleteOperation(connections, stock, queue);
            }
            case DELIVERY ->
                DeliveryOperation.open(
                        connections, unmeasured(2 * options.use().consumers() + 1, clock), queue, options, run);
        };
    }

    /** A FIFO group delivers no message while another of it is in flight, so at most one of each group is available. */
    private int stock(int capacity) {
        int wanted = STOCK_PER_CALL * capacity;
        return name.isFifo() ? Math.min(wanted, options.message().groups()) : wanted;
    }

    private SdkConnection unmeasured(int connections, NanoClock clock) {
        return SdkClients.open(service, connections, clock);
    }

    private Queue queue(NanoClock clock) throws IOException {
        Queue known = found;
        if (known == null) {
            known = new QueueSearch(name, service, describe()).find(clock);
            if (options.use().sparesOthers() && !options.use().isShared()) {
                ForeignMessages.check(known);
            }
            found = known;
        }
        return known;
    }
}
