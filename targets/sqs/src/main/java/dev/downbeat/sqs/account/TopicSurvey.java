package dev.downbeat.sqs.account;

/**
 * What is known of a topic before anything is published.
 *
 * @param name of the topic
 * @param arrival how its messages come to the queue
 * @param others how many subscriptions it has beside the queue's; negative if we may not ask
 */
public record TopicSurvey(String name, Arrival arrival, long others) {
    /** How a topic's messages come to a queue. */
    public enum Arrival {
        /** As they were published. */
        RAW,
        /** Each in the body of a notification. */
        WRAPPED,
        /** They do, but nobody says how. */
        SOMEHOW,
        /** The queue has no subscription to the topic. */
        NEVER,
        /** We may not ask. */
        UNKNOWN
    }

    /** Whether messages may come to somebody who did not ask for them. */
    public boolean mayReachOthers() {
        return others != 0;
    }
}
