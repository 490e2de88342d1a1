package dev.downbeat.sqs.client;

/**
 * A queue that was found.
 *
 * @param url its URL
 * @param delaySeconds its delivery delay; 0 if unknown
 */
public record Queue(String url, int delaySeconds) {
    /** By its name, as SQS prescribes. */
    public boolean isFifo() {
        return url.endsWith(".fifo");
    }
}
