package dev.downbeat.sqs.operation;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.Deletions;
import dev.downbeat.sqs.message.ForeignMessages;
import dev.downbeat.sqs.message.MessageMark;
import dev.downbeat.sqs.message.ServerClock;
import dev.downbeat.sqs.message.SqsFailures;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/** Receives messages; {@link SqsOperation#RECEIVE} defines its response time. */
public final class ReceiveOperation extends Operation {
    /** A healthy poll takes at most this much longer than its wait. */
    private static final long POLL_GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Queue queue;
    private final SqsOptions options;
    private final Deletions deletions;
    private final ForeignMessages foreign;
    private final ServerClock server;
    private final String run;
    private final Clock wall = Clock.systemUTC();
    private final LongAdder received = new LongAdder();
    private final LongAdder empty = new LongAdder();
    private final LongAdder endedByOthers = new LongAdder();
    private volatile boolean isOver;

    private final AtomicInteger pending = new AtomicInteger();

    /** Whether the latest poll waited for a message most of its time; the first ones may do so. */
    private volatile boolean isIdle;

    /** When it ended, or the first of the pending polls started: the next one ends within a poll's wait. */
    private volatile long idleAt;

    /**
     * Creates the operation.
     *
     * @param beside the client for deletes and returns, so that the measured one does neither
     * @param server the service's clock
     */
    public ReceiveOperation(
            SdkConnection connections, SdkConnection beside, Queue queue, SqsOptions options, ServerClock server) {
        super(connections);
        this.deletions = new Deletions(beside, queue);
        this.foreign = new ForeignMessages(beside, queue, "messages of others, given back");
        this.queue = queue;
        this.options = options;
        this.server = server;
        this.run = options.use().run().orElse("");
        this.isIdle = !options.use().pollWait().isZero();
    }

    @Override
    public void start(Call call) {
        if (isOver) {
            countOperation();
            endedByOthers.increment();
            call.complete(SqsFailures.FOREIGN_MESSAGES);
            return;
        }
        if (pending.getAndIncrement() == 0) {
            idleAt = call.startedAt();
        }
        CallObservation observation = new CallObservation();
        ReceiveMessageRequest.Builder request = ReceiveMessageRequest.builder()
                .queueUrl(queue.url())
                .maxNumberOfMessages(options.use().batchSize())
                .waitTimeSeconds((int) options.use().pollWait().toSeconds())
                .messageAttributeNames(MessageMark.NAME)
                .messageSystemAttributeNames(
                        MessageSystemAttributeName.SENT_TIMESTAMP,
                        MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP,
                        MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT)
                .overrideConfiguration(SqsCalls.observed(observation));
        options.use().visibility().ifPresent(time -> request.visibilityTimeout((int) time.toSeconds()));
        endWith(
                call,
                observation,
                calls().receive(request.build()),
                answer -> verdict(call, observation, answer.messages()));
    }

    private Outcome verdict(Call call, CallObservation observation, List<Message> messages) {
        pending.decrementAndGet();
        long pollNanos = call.now() - call.startedAt() - observation.waitNanos();
        if (messages.isEmpty()) {
            empty.increment();
            idle(call, Math.min(pollNanos, options.use().pollWait().toNanos()), pollNanos);
            return Outcome.answered();
        }
        if (!options.use().queueIsMine()) {
            List<Message> others = messages.stream()
                    .filter(message -> MessageMark.of(message)
                            .filter(mark -> mark.run().equals(run))
                            .isEmpty())
                    .toList();
            if (!others.isEmpty()) {
                isOver = true;
                foreign.giveBack(others);
                endedByOthers.increment();
                return SqsFailures.FOREIGN_MESSAGES;
            }
        }
        received.add(messages.size());
        Instant now = wall.instant();
        messages.forEach(message -> server.learn(message, now, pollNanos));
        idle(call, idleNanos(queue, now.plusNanos(server.aheadNanos()), pollNanos, messages, options), pollNanos);
        if (options.use().deleteReceived()) {
            deletions.delete(messages);
        }
        return Outcome.answered();
    }

    private void idle(Call call, long idleNanos, long pollNanos) {
        isIdle = idleNanos > pollNanos / 2;
        idleAt = call.now();
        call.idle(idleNanos);
    }

    @Override
    Outcome ofFailure(Call call, Throwable thrown, CallObservation observation) {
        pending.decrementAndGet();
        if (!failures().foundNoConnection(thrown, observation)) {
            isIdle = false;
        } else if (isIdle && call.now() - idleAt <= options.use().pollWait().toNanos() + POLL_GRACE_NANOS) {
            return SqsFailures.CONNECTIONS_WAIT;
        }
        return super.ofFailure(call, thrown, observation);
    }

    /**
     * How long the queue was empty during a poll of this length that ends now.
     *
     * @param now the service's time
     */
    public static long idleNanos(Queue queue, Instant now, long pollNanos, List<Message> messages, SqsOptions options) {
        long oldest = 0;
        for (Message message : messages) {
            String sentMillis = message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
            if (sentMillis == null) {
                return 0;
            }
            // a message's own delay overrides the queue's
            long ownDelay = MessageMark.of(message)
                    .map(mark -> (long) mark.delaySeconds())
                    .filter(seconds -> seconds > 0)
                    .orElse(options.message().delay().toSeconds());
            Instant availableAt = Instant.ofEpochMilli(Long.parseLong(sentMillis))
                    .plusSeconds(ownDelay > 0 ? ownDelay : queue.delaySeconds());
            Instant visibleAgain = visibleAgainAt(queue, message, options);
            Instant since =
                    visibleAgain.isAfter(availableAt) && visibleAgain.isBefore(now) ? visibleAgain : availableAt;
            oldest = Math.max(oldest, since.until(now, ChronoUnit.MICROS));
        }
        return Math.max(0, pollNanos - TimeUnit.MICROSECONDS.toNanos(oldest));
    }

    /**
     * When the last visibility timeout of a redelivered message ended, if each receive followed the previous timeout at
     * once; later ones make the result too early, so that the difference counts as response time.
     */
    private static Instant visibleAgainAt(Queue queue, Message message, SqsOptions options) {
        String first = message.attributes().get(MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP);
        long before = Long.parseLong(
                        message.attributes().getOrDefault(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1"))
                - 1;
        long hiddenSeconds =
                options.use().visibility().map(Duration::toSeconds).orElse((long) queue.visibilitySeconds());
        return first == null || before < 1
                ? Instant.EPOCH
                : Instant.ofEpochMilli(Long.parseLong(first)).plusSeconds(before * hiddenSeconds);
    }

    @Override
    void count(Map<String, Long> counts) {
        counts.put("messages received", received.sum());
        counts.put("polls without a message", empty.sum());
        foreign.count(counts);
        ForeignMessages.countEnded(counts, endedByOthers.sum());
        deletions.count(counts);
    }

    @Override
    public void close() {
        super.close();
        foreign.await();
        deletions.close();
    }
}
