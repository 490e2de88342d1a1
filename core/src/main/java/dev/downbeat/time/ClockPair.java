package dev.downbeat.time;

import java.time.Instant;
import java.util.function.Supplier;

/**
 * The same moment on the wall clock and on the run's clock. A thread that loses its processor between the two
 * readings would silently shift the whole run, so both are read again until they are close together.
 *
 * @param wall the wall-clock time
 * @param nanoTime the reading of the run's clock
 */
public record ClockPair(Instant wall, long nanoTime) {
    private static final long CLOSE_NANOS = 20_000;
    private static final int MOST_READINGS = 50;

    public static ClockPair now(NanoClock clock) {
        return read(Instant::now, clock);
    }

    static ClockPair read(Supplier<Instant> wall, NanoClock clock) {
        ClockPair best = new ClockPair(Instant.EPOCH, 0);
        long closest = Long.MAX_VALUE;
        for (int i = 0; i < MOST_READINGS && closest > CLOSE_NANOS; i++) {
            long before = clock.nanoTime();
            Instant between = wall.get();
            long apart = clock.nanoTime() - before;
            if (apart < closest) {
                closest = apart;
                best = new ClockPair(between, before + apart / 2);
            }
        }
        return best;
    }
}
