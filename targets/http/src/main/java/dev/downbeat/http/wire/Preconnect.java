package dev.downbeat.http.wire;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Opens connections before the clock starts: one, to see that somebody answers, then the rest. Of several addresses the
 * first that answers is taken.
 *
 * @param openings of the lane
 * @param tally of the lane
 * @param clock of the lane
 * @param begin begins to open one more connection, given the time
 * @param poll handles what comes until an instant
 */
public record Preconnect(
        Openings openings, ConnectionTally tally, NanoClock clock, LongConsumer begin, LongConsumer poll) {
    private static final long NAP_NANOS = 10_000_000;

    /** How many connections are opened at once. */
    private static final int MOST_OPENING = 256;

    /**
     * Opens so many.
     *
     * @throws IOException if nobody answers; its message says why
     */
    public void open(int count) throws IOException {
        openings.lookUpBeforehand(NAP_NANOS);
        for (int tries = openings.addressCount(); tally.openedCount() == 0 && tries > 0; tries--) {
            if (openings.lastFailure() != null) {
                openings.skipAddress();
            }
            openMore(1);
        }
        if (tally.openedCount() == 0) {
            Outcome failure = openings.lastFailure();
            throw new IOException(failure == null ? "no address" : failure.reason());
        }
        openMore(count - 1);
    }

    /** A wave at a time: what waits for our own work on others must not time out for it. */
    private void openMore(int count) throws IOException {
        for (int left = count; left > 0 || openings.underWay() > 0; ) {
            for (; left > 0 && openings.underWay() < MOST_OPENING; left--) {
                begin.accept(clock.nanoTime());
            }
            Openings.refuseIfInterrupted();
            if (openings.underWay() > 0) { // each attempt has its own timeout
                poll.accept(clock.nanoTime() + NAP_NANOS);
            }
        }
    }
}
