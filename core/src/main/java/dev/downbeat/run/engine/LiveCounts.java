package dev.downbeat.run.engine;

import dev.downbeat.run.Live;
import java.util.concurrent.atomic.AtomicLong;

/** A generator's counts for display: written by its thread a few times per second, read by any. */
final class LiveCounts {
    private static final long PERIOD_NANOS = 50_000_000;

    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong inFlight = new AtomicLong();
    private final AtomicLong backlog = new AtomicLong();
    private final AtomicLong behindNanos = new AtomicLong();
    private final AtomicLong silentNanos = new AtomicLong(-1);
    private long dueAt = Long.MIN_VALUE;
    private boolean published;

    boolean isDue(long now) {
        return !published || now - dueAt >= 0;
    }

    void publish(long now, long takenCount, long inFlightCount, long backlogCount, long behind, long silent) {
        published = true;
        dueAt = now + PERIOD_NANOS;
        taken.setOpaque(takenCount);
        inFlight.setOpaque(inFlightCount);
        backlog.setOpaque(backlogCount);
        behindNanos.setOpaque(behind);
        silentNanos.setOpaque(silent);
    }

    Live read() {
        return new Live(
                taken.getOpaque(),
                inFlight.getOpaque(),
                backlog.getOpaque(),
                behindNanos.getOpaque(),
                silentNanos.getOpaque());
    }
}
