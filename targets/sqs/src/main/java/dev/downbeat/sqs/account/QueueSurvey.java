package dev.downbeat.sqs.account;

import java.util.Optional;

/**
 * What is known of a queue before anything is done to it.
 *
 * @param name of the queue
 * @param where region, or the server's address
 * @param account whose it is; empty if nobody says
 * @param isAmazon whether it is Amazon's, and billed
 * @param isFifo whether it keeps the order of its groups
 * @param contents how many messages are in it; empty if we may not ask
 * @param deadLetters where messages go that are received too often; empty if nowhere
 * @param topic by which messages come; empty if by none
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
     * Messages in a queue, approximately, as the service counts them.
     *
     * @param visible that can be received
     * @param inFlight received and not deleted
     * @param delayed not yet to be received
     */
    public record Contents(long visible, long inFlight, long delayed) {
        /** All of them. */
        public long all() {
            return visible + inFlight + delayed;
        }
    }

    /**
     * A dead-letter queue.
     *
     * @param name of it
     * @param after so many receives
     * @param messages in it; empty if we may not ask
     */
    public record DeadLetters(String name, int after, Optional<Long> messages) {}

    /** Whether it may hold something of somebody else: it is Amazon's, or not empty, or nobody says. */
    public boolean mayHoldMessagesOfOthers() {
        return isAmazon || contents.isEmpty() || contents.get().all() > 0;
    }
}
