package dev.downbeat.sqs.account;

/**
 * Information about a topic before publishing.
 *
 * @param name its name
 * @param arrival how its messages reach the queue
 * @param others number of other subscriptions; negative without permission
 */
public record TopicSurvey(String name, Arrival arrival, long others) {
    /** How a topic's messages reach a queue. */
    public enum Arrival {
        /** As published. */
        RAW,
        /** Wrapped in the body of a notification. */
        WRAPPED,
        /** They do, in an unknown way. */
        SOMEHOW,
        /** The queue is not subscribed to the topic. */
        NEVER,
        /** No permission to find out. */
        UNKNOWN
    }

    /** Whether uninvolved subscribers may receive messages. */
    public boolean mayReachOthers() {
        return others != 0;
    }
}
