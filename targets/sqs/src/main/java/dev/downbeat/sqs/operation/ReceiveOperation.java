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
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/** Receives messages; {@link SqsOperation#RECEIVE} defines its response time. */
public final class ReceiveOperation extends Operation {
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
    private volatile @Nullable Outcome ending;
    private final PollWaits waits;

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
        this.foreign = new ForeignMessages(beside, queue);
        this.queue = queue;
        this.options = options;
        this.server = server;
        this.run = options.use().run().orElse("");
        this.waits = new PollWaits(options.use().pollWait());
    }

    @Override
    public void start(Call call) {
        Outcome why = ending;
        if (why != null) {
            countOperation();
            endedByOthers.increment();
            call.complete(why);
            return;
        }
        waits.started(call);
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
        long pollNanos = call.now() - call.startedAt() - observation.waitNanos();
        long idleNanos = 0;
        try {
            if (endsRun(messages)) {
                Outcome why = foreign.ending();
                ending = why;
                endedByOthers.increment();
                return why;
            }
            idleNanos = messages.isEmpty() ? noMessage(pollNanos) : received(messages, pollNanos);
            call.idle(idleNanos);
            return Outcome.answered();
        } finally {
            waits.ended(call, idleNanos > pollNanos / 2);
        }
    }

    /** Returns how long the queue was empty. */
    private long noMessage(long pollNanos) {
        empty.increment();
        return Math.min(pollNanos, options.use().pollWait().toNanos());
    }

    private long received(List<Message> messages, long pollNanos) {
        received.add(messages.size());
        Instant now = wall.instant();
        messages.forEach(message -> server.learn(message, now, pollNanos));
        long idleNanos = idleNanos(queue, now.plusNanos(server.aheadNanos()), pollNanos, messages, options);
        if (options.use().deleteReceived()) {
            deletions.delete(messages);
        }
        return idleNanos;
    }

    /**
     * Hides messages of others, unless they are to be deleted or come back as the queue would have it: all in a queue that
     * is not declared to be Downbeat's, else those that would soon move to the dead-letter queue.
     */
    private boolean endsRun(List<Message> messages) {
        boolean isMine = options.use().queueIsMine();
        if (isMine && options.use().deleteReceived()) {
            return false;
        }
        List<Message> others = messages.stream()
                .filter(message -> MessageMark.of(message)
                        .filter(mark -> mark.run().equals(run))
                        .isEmpty())
                .toList();
        foreign.hide(isMine ? others.stream().filter(foreign::isScarce).toList() : others);
        return !foreign.isSafe() || !isMine && !others.isEmpty();
    }

    @Override
    Optional<Outcome> ofFailure(Call call, Throwable thrown, CallObservation observation) {
        Outcome failure = failures().of(thrown, observation);
        if (failures().foundNoConnection(thrown, observation)) {
            return waits.unserved(call, failure);
        }
        waits.ended(call, false);
        return Optional.of(failure);
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
        foreign.close();
        deletions.close();
    }
}
