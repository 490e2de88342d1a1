package dev.downbeat.sqs.options;

/** The operation of one request. */
public enum SqsOperation {
    /** Sends a message, which stays in the queue. */
    SEND,

    /** Sends several messages in one request ({@link SqsOptions.Draft#batchSize}), which stay in the queue. */
    SEND_BATCH,

    /**
     * Receives up to {@link SqsOptions.Draft#batchSize} messages by a long poll. A poll that waits for a message is
     * not slow, so the response time is that of the <em>message</em>. It runs from the intended start of the poll, or
     * from when the first message became available if that is later, to its arrival here. A message becomes available
     * at the server's {@code SentTimestamp} plus the delay of the queue. If the sender was Downbeat, or {@link
     * SqsOptions.Draft#delay} is set, it is the delay of the message. The offset of the server's clock is derived
     * from its stamps of first receives. Stamps have a resolution of 1 ms; the uncertainty counts as response time. A
     * redelivered message is available again after its visibility timeouts; its time may be too long, since its return
     * is not stamped. An empty poll is answered: its time
     * is the time beyond the requested wait.
     */
    RECEIVE,

    /**
     * Deletes a message. The target sends and receives the messages itself, outside the measurement; messages of others
     * are not deleted.
     */
    DELETE,

    /**
     * Sends a message at the intended start and waits for its arrival at a consumer in this process. The response time
     * is from the intended start of the send to the arrival. The last part of the message's attribute {@code
     * downbeat-run} is the intended start in nanoseconds since 1970 by this machine's clock, for other consumers. The
     * consumer here uses the run's own clock, so there is no clock error. A message that does not arrive is timed out
     * or in flight at the end, in the ledger like any other request. Messages that arrive twice are counted. The
     * consumer deletes this run's messages and hides all others until the end of the run; use a queue without other
     * consumers.
     */
    DELIVERY
}
