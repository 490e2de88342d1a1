package dev.downbeat.sqs.client;

/**
 * A queue that was found.
 *
 * @param url its URL
 * @param delaySeconds its delivery delay; 0 if unknown
 * @param visibilitySeconds its visibility timeout; 0 if unknown
 */
public record Queue(String url, int delaySeconds, int visibilitySeconds) {
    /** By its name, as SQS prescribes. */
    public boolean isFifo() {
        return url.endsWith(".fifo");
    }
}
