package dev.downbeat.sqs.operation;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.MessageMaker;
import dev.downbeat.sqs.message.SentMessages;
import dev.downbeat.sqs.message.SentMessages.MessageFate;
import dev.downbeat.sqs.message.SqsFailures;
import java.util.Map;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/** Sends messages, singly or in batches. */
public final class SendOperation extends Operation {
    private final MessageMaker messages;
    private final int batchSize;
    private final SentMessages sent = new SentMessages();

    /**
     * Creates the operation.
     *
     * @param batchSize messages per batch; 0 sends single messages
     */
    public SendOperation(SdkConnection connections, MessageMaker messages, int batchSize) {
        super(connections);
        this.messages = messages;
        this.batchSize = batchSize;
    }

    @Override
    public void start(Call call) {
        CallObservation observation = new CallObservation();
        sent.begin(Math.max(1, batchSize));
        if (batchSize == 0) {
            var request = messages.single(call.index()).toBuilder()
                    .overrideConfiguration(SqsCalls.observed(observation))
                    .build();
            endWith(call, observation, calls().send(request), this::verdict, thrown -> failed(thrown, observation));
        } else {
            var request = messages.batch(call.index() * batchSize, batchSize).toBuilder()
                    .overrideConfiguration(SqsCalls.observed(observation))
                    .build();
            endWith(
                    call,
                    observation,
                    calls().sendBatch(request),
                    this::verdict,
                    thrown -> failed(thrown, observation));
        }
    }

    private void failed(Throwable thrown, CallObservation observation) {
        sent.end(failures().fateOf(thrown, observation), Math.max(1, batchSize));
    }

    private Outcome verdict(SendMessageResponse answer) {
        if (answer.messageId() == null) {
            return SqsFailures.CONFIRMS_NOTHING;
        }
        sent.end(MessageFate.SENT, 1);
        return Outcome.answered();
    }

    private Outcome verdict(SendMessageBatchResponse answer) {
        sent.end(MessageFate.SENT, answer.successful().size());
        sent.end(MessageFate.NOT_SENT, answer.failed().size());
        return failures().ofBatch(answer, batchSize);
    }

    @Override
    void count(Map<String, Long> counts) {
        sent.count(counts);
    }
}
