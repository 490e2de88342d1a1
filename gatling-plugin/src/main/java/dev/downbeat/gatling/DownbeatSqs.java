package dev.downbeat.gatling;

import dev.downbeat.gatling.request.SqsDraft;

/**
 * A request to a queue that has a name and no operation yet. A queue is named by its name or its URL, which may hold
 * expressions of Gatling's language; without one it is looked for before the first user starts. Immutable.
 */
public final class DownbeatSqs {
    private final String name;

    DownbeatSqs(String name) {
        this.name = name;
    }

    /** Sends a message; ends with the service's answer. */
    public DownbeatSqsMessage send(String queue) {
        return new DownbeatSqsMessage(SqsDraft.of(name, queue, false));
    }

    /**
     * Sends a message, and ends when it has arrived at a consumer of ours. The intended time travels in a message
     * attribute; the consumers delete what is theirs and leave the messages of others.
     */
    public DownbeatSqsMessage deliver(String queue) {
        return new DownbeatSqsMessage(SqsDraft.of(name, queue, true));
    }

    /** Receives messages. */
    public DownbeatSqsReceive receive(String queue) {
        return new DownbeatSqsReceive(SqsDraft.of(name, queue, false));
    }

    /**
     * Deletes a message that was received.
     *
     * @param receiptHandle the message's, such as {@code #{handle}}
     */
    public DownbeatSqsDelete delete(String queue, String receiptHandle) {
        return new DownbeatSqsDelete(SqsDraft.of(name, queue, false), receiptHandle);
    }
}
