package dev.downbeat.sqs.options;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongBinaryOperator;

/** What is done to the queue; documented at the setters in {@link SqsOptions.Builder}. */
public record QueueRole(
        SqsOperation operation,
        int batchSize,
        Duration pollWait,
        boolean deleteReceived,
        int consumers,
        Optional<String> run,
        boolean queueIsMine,
        long requests,
        Optional<Duration> visibility,
        LongBinaryOperator processing,
        Optional<Topic> through,
        boolean watched) {
    /** Rejects messages that do not fit the operation. */
    void check(MessageOptions message) {
        if (through.isPresent() && operation != SqsOperation.DELIVERY) {
            throw new IllegalArgumentException("a topic goes with delivery only");
        }
        if (through.isPresent() && !message.delay().isZero()) {
            throw new IllegalArgumentException("a topic takes no delay of a message: give the queue a delay");
        }
        if (operation == SqsOperation.SEND_BATCH && (long) message.bytes() * batchSize > MessageOptions.LARGEST) {
            throw new IllegalArgumentException("a batch must be at most " + MessageOptions.LARGEST + " bytes, but was "
                    + batchSize + " x " + message.bytes());
        }
    }
}
