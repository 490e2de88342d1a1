package dev.downbeat.sqs.operation;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.ForeignMessages;
import dev.downbeat.sqs.message.MessageSupply;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.services.sqs.model.DeleteMessageRequest;
import software.amazon.awssdk.services.sqs.model.Message;

/** Deletes messages provided by a {@link MessageSupply}. Waiting for one is Downbeat's delay, never the service's. */
public final class DeleteOperation extends Operation {
    private final MessageSupply stock;
    private final Queue queue;
    private final LongAdder endedByOthers = new LongAdder();

    public DeleteOperation(SdkConnection connections, MessageSupply stock, Queue queue) {
        super(connections);
        this.stock = stock;
        this.queue = queue;
    }

    @Override
    public void start(Call call) {
        stock.take(new MessageSupply.Taker() {
            @Override
            public boolean take(Message message) {
                if (call.isOver()) {
                    return false;
                }
                call.workStarted();
                delete(call, message);
                return true;
            }

            @Override
            public void none(Outcome why) {
                if (stock.hasEnded()) {
                    endedByOthers.increment();
                }
                call.complete(why);
            }
        });
    }

    private void delete(Call call, Message message) {
        CallObservation observation = new CallObservation();
        DeleteMessageRequest request = DeleteMessageRequest.builder()
                .queueUrl(queue.url())
                .receiptHandle(message.receiptHandle())
                .overrideConfiguration(SqsCalls.observed(observation))
                .build();
        endWith(
                call,
                observation,
                calls().delete(request),
                answer -> Outcome.answered(),
                failed -> stock.notDeleted(message));
    }

    @Override
    void count(Map<String, Long> counts) {
        stock.count(counts);
        ForeignMessages.countEnded(counts, endedByOthers.sum());
    }

    @Override
    public void close() {
        stock.close();
        super.close();
    }
}
