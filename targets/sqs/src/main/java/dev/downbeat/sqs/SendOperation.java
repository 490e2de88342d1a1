package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** Sends messages, one by one or in batches. */
final class SendOperation extends Operation {
    private final Messages messages;
    private final int batchSize;
    private final LongAdder sent = new LongAdder();

    /**
     * Sends.
     *
     * @param batchSize messages of a batch; 0 sends single messages
     */
    SendOperation(Connections connections, Messages messages, int batchSize) {
        super(connections);
        this.messages = messages;
        this.batchSize = batchSize;
    }

    @Override
    public void start(Call call) {
        Observation observation = new Observation();
        if (batchSize == 0) {
            var request = messages.single(call.index(), Map.of()).toBuilder()
                    .overrideConfiguration(SqsCalls.observed(observation))
                    .build();
            endWith(call, observation, calls().send(request), answer -> {
                sent.increment();
                return Outcome.answered();
            });
        } else {
            var request = messages.batch(call.index(), batchSize, Map.of()).toBuilder()
                    .overrideConfiguration(SqsCalls.observed(observation))
                    .build();
            endWith(call, observation, calls().sendBatch(request), this::verdict);
        }
    }

    private Outcome verdict(SendMessageBatchResponse answer) {
        sent.add(answer.successful().size());
        return answer.failed().isEmpty()
                ? Outcome.answered()
                : failures().ofEntry(answer.failed().get(0).code());
    }

    @Override
    void count(Map<String, Long> counts) {
        counts.put("messages sent", sent.sum());
    }
}
