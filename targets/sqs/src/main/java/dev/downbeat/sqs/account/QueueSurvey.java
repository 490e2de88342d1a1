package dev.downbeat.sqs.account;

import java.util.Optional;

/**
 * Information about a queue before it is used.
 *
 * @param name of the queue
 * @param where the region, or the server's address
 * @param account its account; empty if unknown
 * @param isAmazon whether it is Amazon's, and therefore billed
 * @param isFifo whether it is a FIFO queue
 * @param contents number of messages; empty without permission
 * @param deadLetters its dead-letter queue; empty if none
 * @param topic the topic that delivers to it; empty if none
 */
public record QueueSurvey(
        String name,
        String where,
        Optional<String> account,
        boolean isAmazon,
        boolean isFifo,
        Optional<Contents> contents,
        Optional<DeadLetters> deadLetters,
        Optional<TopicSurvey> topic) {
    /**
     * The approximate number of messages in a queue, as counted by the service.
     *
     * @param visible available
     * @param inFlight received and not deleted
     * @param delayed not yet available
     */
    public record Contents(long visible, long inFlight, long delayed) {
        /** The total. */
        public long all() {
            return visible + inFlight + delayed;
        }
    }

    /**
     * A dead-letter queue.
     *
     * @param name its name
     * @param after maximum number of receives
     * @param messages number of messages; empty without permission
     */
    public record DeadLetters(String name, int after, Optional<Long> messages) {}

    /** Whether it may contain messages of others: it is Amazon's, or not empty, or unknown. */
    public boolean mayHoldMessagesOfOthers() {
        return isAmazon || contents.isEmpty() || contents.get().all() > 0;
    }
}
