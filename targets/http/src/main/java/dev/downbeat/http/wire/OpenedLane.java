package dev.downbeat.http.wire;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.OutgoingRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A lane that can open connections before the clock starts, and can be polled by another. */
public interface OpenedLane extends Lane {
    /**
     * Opens this many connections.
     *
     * @throws IOException with the reason, if the server does not respond as expected
     */
    void openBeforehand(int count) throws IOException;

    /** Sends a given request; a lane used this way must always be used this way. */
    void send(Exchange exchange, OutgoingRequest outgoing);

    /** How the last connection that broke while it carried nothing did so; null if none has, as far as it knows. */
    default @Nullable Outcome brokenWhileIdle() {
        return null;
    }

    /**
     * Called before each wait.
     *
     * @param untilAt when the caller next has something to do
     * @return the latest end of the wait
     */
    default long beforeWait(long untilAt) {
        return untilAt;
    }

    /** Whether submitted requests are waiting for others to end. */
    default boolean hasWaiting() {
        return false;
    }

    /** Called after each wait. */
    default void afterWait() {}

    /**
     * State shared by one thread's lanes to several services; a single lane has its own.
     *
     * @param polling waits for all of them
     * @param slots total number of exchanges
     * @param writer writes their requests, because a session may span services; null if all are the same
     */
    record SharedThreadState(
            Polling polling, int slots, @Nullable RequestWriter writer) {}
}
