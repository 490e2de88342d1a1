package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** Receives messages; see {@link SqsOperation#RECEIVE} for what its response time is. */
final class ReceiveOperation extends Operation {
    private final Queue queue;
    private final SqsOptions options;
    private final Deletions deletions;
    private final Clock wall = Clock.systemUTC();
    private final LongAdder received = new LongAdder();
    private final LongAdder empty = new LongAdder();

    /**
     * Receives.
     *
     * @param beside the client that deletes, so that the one that is measured does not
     */
    ReceiveOperation(Connections connections, Connections beside, Queue queue, SqsOptions options) {
        super(connections);
        this.deletions = new Deletions(beside, queue);
        this.queue = queue;
        this.options = options;
    }

    @Override
    public void start(Call call) {
        Observation observation = new Observation();
        ReceiveMessageRequest request = ReceiveMessageRequest.builder()
                .queueUrl(queue.url())
                .maxNumberOfMessages(options.batchSize())
                .waitTimeSeconds((int) options.pollWait().toSeconds())
                .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP)
                .overrideConfiguration(SqsCalls.observed(observation))
                .build();
        endWith(call, observation, calls().receive(request), answer -> verdict(call, observation, answer));
    }

    private Outcome verdict(Call call, Observation observation, ReceiveMessageResponse answer) {
        if (answer.messages().isEmpty()) {
            empty.increment();
            return Failures.NO_MESSAGE;
        }
        received.add(answer.messages().size());
        long pollNanos = call.now() - call.startedAt() - observation.waitNanos();
        call.idle(idleNanos(queue, wall.instant(), pollNanos, answer.messages()));
        if (options.deleteReceived()) {
            deletions.delete(answer.messages());
        }
        return Outcome.answered();
    }

    /** For how much of the poll, which took so long and ends now, there was no message to receive. */
    static long idleNanos(Queue queue, Instant now, long pollNanos, List<Message> messages) {
        long oldest = 0;
        for (Message message : messages) {
            String sentMillis = message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
            if (sentMillis == null) {
                return 0;
            }
            Instant there = Instant.ofEpochMilli(Long.parseLong(sentMillis)).plusSeconds(queue.delaySeconds());
            oldest = Math.max(oldest, there.until(now, java.time.temporal.ChronoUnit.MICROS));
        }
        return Math.max(0, pollNanos - TimeUnit.MICROSECONDS.toNanos(oldest));
    }

    @Override
    void count(Map<String, Long> counts) {
        counts.put("messages received", received.sum());
        counts.put("polls without a message", empty.sum());
    }

    @Override
    public void close() {
        super.close();
        deletions.close();
    }
}
