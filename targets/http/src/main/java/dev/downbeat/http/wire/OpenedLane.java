package dev.downbeat.http.wire;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.OutgoingRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A lane that can open connections before the clock starts, and whose waiting another can do. */
public interface OpenedLane extends Lane {
    /**
     * Opens so many.
     *
     * @throws IOException if nobody answers as expected; its message says why
     */
    void openBeforehand(int count) throws IOException;

    /** Sends a request of its own; a lane that is used like this is always used like this. */
    void send(Exchange exchange, OutgoingRequest outgoing);

    /** How the last connection that broke while it carried nothing did so; null if none has, as far as it knows. */
    default @Nullable Outcome brokenWhileIdle() {
        return null;
    }

    /**
     * What it does before each wait.
     *
     * @param untilAt until when there is nothing else to do
     * @return until when it may wait
     */
    default long beforeWait(long untilAt) {
        return untilAt;
    }

    /** Whether requests that were given to it wait for others to end. */
    default boolean hasWaiting() {
        return false;
    }

    /** What it does after each wait. */
    default void afterWait() {}
}
