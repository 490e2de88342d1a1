package dev.downbeat.sqs.client;

/**
 * A queue that was found.
 *
 * @param url its URL
 * @param delaySeconds its delivery delay; 0 if unknown
 * @param visibilitySeconds its visibility timeout; 0 if unknown
 * @param maxReceives how often a message can be received before the next receive moves it to the dead-letter queue; {@link
 *     #UNLIMITED} without such a queue, {@link #UNKNOWN} without permission to find out
 * @param messages approximate number of messages in it, visible or not; 0 if unknown
 */
public record Queue(String url, int delaySeconds, int visibilitySeconds, int maxReceives, long messages) {
    /** No dead-letter queue. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    public static final int UNKNOWN = 0;

    /** An empty queue without a dead-letter queue. */
    public Queue(String url, int delaySeconds, int visibilitySeconds) {
        this(url, delaySeconds, visibilitySeconds, UNLIMITED, 0);
    }

    /** By its name, as SQS prescribes. */
    public boolean isFifo() {
        return url.endsWith(".fifo");
    }
}
