package dev.downbeat.sqs.options;

/** What one request does to the queue. */
public enum SqsOperation {
    /** Sends a message. It stays in the queue. */
    SEND,

    /** Sends several messages in one request ({@link SqsOptions.Builder#batchSize}). They stay in the queue. */
    SEND_BATCH,

    /**
     * Receives up to {@link SqsOptions.Builder#batchSize} messages by a long poll. A poll that waits is not slow, there is
     * no message: so the response time is that of the <em>message</em>, from the intended time of the poll, or from the
     * moment at which the first message could be received if that is later, to its arrival here. That moment is the
     * server's {@code SentTimestamp} and the delay of the queue, or of the message where the sender was Downbeat or {@link
     * SqsOptions.Builder#delay} says it. By how much the server's clock differs from this machine's is learned from its
     * stamps of first receives. The stamps have whole milliseconds; what they leave open counts as response time. A
     * message that was received before and came back shows too long, since nobody tells when. A poll that ends without a
     * message is answered: its time is what it took beyond the wait that was asked for.
     */
    RECEIVE,

    /**
     * Deletes a message. The messages are sent and received by the target itself, beside the measurement; others' messages
     * are not deleted.
     */
    DELETE,

    /**
     * Sends a message at the intended time and waits for its arrival at a consumer in this process: the response time is
     * from the intended time of the send to the arrival. The last part of the message's attribute {@code downbeat-run}
     * is the intended instant in nanoseconds since 1970 by this machine's clock, for consumers elsewhere; the consumer here takes
     * the run's own clock, so that no clock error enters. A message that does not arrive is timed out or in flight at
     * the end, in the ledger like any other request. Messages that arrive twice are counted. The consumer deletes the
     * messages of this run and gives all others back; give it a queue that nobody else consumes from.
     */
    DELIVERY
}
