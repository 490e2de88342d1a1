package dev.downbeat.time;

import java.time.Instant;
import java.util.function.Supplier;

/**
 * The same moment by the wall clock and by the run's clock. A thread that must wait for a processor between the two readings would
 * shift all of a run by that time, and nobody would see it; so they are read again until they lie close together.
 *
 * @param wall time of the wall
 * @param nanoTime of the other clock
 */
public record TwoClocks(Instant wall, long nanoTime) {
    private static final long CLOSE_NANOS = 20_000;
    private static final int MOST_READINGS = 50;

    /** Reads both. */
    public static TwoClocks now(NanoClock clock) {
        return read(Instant::now, clock);
    }

    static TwoClocks read(Supplier<Instant> wall, NanoClock clock) {
        TwoClocks best = new TwoClocks(Instant.EPOCH, 0);
        long closest = Long.MAX_VALUE;
        for (int i = 0; i < MOST_READINGS && closest > CLOSE_NANOS; i++) {
            long before = clock.nanoTime();
            Instant between = wall.get();
            long apart = clock.nanoTime() - before;
            if (apart < closest) {
                closest = apart;
                best = new TwoClocks(between, before + apart / 2);
            }
        }
        return best;
    }
}
