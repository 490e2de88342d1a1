package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import software.amazon.awssdk.services.sqs.model.DeleteMessageRequest;

/** Deletes messages that a {@link Stock} provides. */
final class DeleteOperation extends Operation {
    private final Stock stock;
    private final Queue queue;

    DeleteOperation(Connections connections, Stock stock, Queue queue) {
        super(connections);
        this.stock = stock;
        this.queue = queue;
    }

    @Override
    public void start(Call call) {
        String handle = stock.take();
        if (handle == null) {
            countOperation();
            call.complete(Failures.NOTHING_TO_DELETE);
            return;
        }
        Observation observation = new Observation();
        DeleteMessageRequest request = DeleteMessageRequest.builder()
                .queueUrl(queue.url())
                .receiptHandle(handle)
                .overrideConfiguration(SqsCalls.observed(observation))
                .build();
        endWith(call, observation, calls().delete(request), answer -> Outcome.answered());
    }

    @Override
    public void close() {
        stock.close();
        super.close();
    }
}
