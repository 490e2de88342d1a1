package dev.downbeat.sqs.client;

/**
 * A queue that was found.
 *
 * @param url where it is
 * @param delaySeconds how long it keeps every message back; 0 if it did not tell
 */
public record Queue(String url, int delaySeconds) {
    /** By its name, as SQS prescribes. */
    public boolean isFifo() {
        return url.endsWith(".fifo");
    }
}
