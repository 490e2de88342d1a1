package dev.downbeat.http.wire;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Opens connections before the clock starts: one to verify that the server responds, then the rest. With several
 * addresses, the first that responds is used.
 *
 * @param openings the lane's connection attempts
 * @param tally the lane's counts
 * @param clock the lane's clock
 * @param begin starts to open another connection, given the time
 * @param poll handles events until an instant
 */
public record Preconnect(
        Openings openings, ConnectionTally tally, NanoClock clock, LongConsumer begin, LongConsumer poll) {
    private static final long NAP_NANOS = 10_000_000;

    /** The maximum number of concurrent attempts. */
    private static final int MOST_OPENING = 256;

    /**
     * Opens this many connections.
     *
     * @throws IOException with the reason, if the server does not respond
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

    /** In waves, so that attempts do not time out while Downbeat works on others. */
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
