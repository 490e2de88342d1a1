package dev.downbeat.gatling;

import dev.downbeat.gatling.request.SqsDraft;

/**
 * A named request to a queue, without an operation yet. Queues are given by name or URL, which may contain Gatling EL.
 * Without EL, the queue is looked up before the first user starts. Immutable.
 */
public final class DownbeatSqs {
    private final String name;

    DownbeatSqs(String name) {
        this.name = name;
    }

    /** Sends a message; the request ends with the service's response. */
    public DownbeatSqsMessage send(String queue) {
        return new DownbeatSqsMessage(SqsDraft.of(name, queue, false));
    }

    /**
     * Sends a message; the request ends when one of Downbeat's consumers receives it. The intended start travels in a
     * message attribute. Consumers delete Downbeat's messages and leave those of others.
     */
    public DownbeatSqsMessage deliver(String queue) {
        return new DownbeatSqsMessage(SqsDraft.of(name, queue, true));
    }

    /** Receives messages. */
    public DownbeatSqsReceive receive(String queue) {
        return new DownbeatSqsReceive(SqsDraft.of(name, queue, false));
    }

    /**
     * Deletes a received message.
     *
     * @param receiptHandle the message's receipt handle, such as {@code #{handle}}
     */
    public DownbeatSqsDelete delete(String queue, String receiptHandle) {
        return new DownbeatSqsDelete(SqsDraft.of(name, queue, false), receiptHandle);
    }
}
