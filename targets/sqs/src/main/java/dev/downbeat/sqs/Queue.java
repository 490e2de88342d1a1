package dev.downbeat.sqs;

/**
 * A queue that was found.
 *
 * @param url where it is
 * @param delaySeconds how long it keeps every message back; 0 if it did not tell
 */
record Queue(String url, int delaySeconds) {
    /** By its name, as SQS prescribes. */
    boolean isFifo() {
        return url.endsWith(".fifo");
    }
}
