package dev.downbeat.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whether the machine let anybody measure: a thread that wants to wake up every millisecond, the time the hypervisor gave to
 * others, and what the kernel made ready threads wait for a core. Thread-safe.
 */
final class Conditions implements AutoCloseable {
    private static final long BEAT_NANOS = 1_000_000;
    private static final Path STAT = Path.of("/proc/stat");
    private static final int STEAL_COLUMN = 7;
    private static final int COLUMNS = 8;

    /** What all are to have seen: for tests of what follows from it. */
    static volatile @Nullable Reading pretended;

    private final long startedAt = System.nanoTime();
    private final Ticks ticksAtStart = Ticks.now();
    private final Thread probe = new Thread(this::probe, "downbeat-conditions");

    private volatile boolean isOver;
    private volatile long longestNanos;
    private volatile long waitedNanos;

    private Conditions() {
        probe.setDaemon(true);
    }

    static Conditions watch() {
        Conditions conditions = new Conditions();
        conditions.probe.start();
        return conditions;
    }

    /**
     * What was seen.
     *
     * @param stealPercent of all cores' time that the hypervisor gave to others
     * @param longestNanos that a thread which was to run had to wait
     * @param waitedPercent of the time in which a thread that was to run had to wait
     */
    record Reading(double stealPercent, long longestNanos, double waitedPercent) {
        /** Whether a number that is wrong cannot be the machine's doing. */
        boolean isGood() {
            return stealPercent < 2 && waitedPercent < 3 && longestNanos < 10_000_000;
        }

        /** Whether a number that is wrong in every attempt may be the machine's doing; between the two it hardly is. */
        boolean isBusy() {
            return stealPercent >= 4 || waitedPercent >= 8 || longestNanos >= 50_000_000;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "steal %.0f %%, a ready thread waited %.0f %% of the time and up to %.0f ms",
                    stealPercent,
                    waitedPercent,
                    longestNanos / 1e6);
        }
    }

    Reading reading() {
        Reading given = pretended;
        if (given != null) {
            return given;
        }
        Ticks ticks = Ticks.now();
        long all = ticks.all - ticksAtStart.all;
        double steal = all <= 0 ? 0 : 100.0 * (ticks.steal - ticksAtStart.steal) / all;
        long elapsedNanos = Math.max(1, System.nanoTime() - startedAt);
        return new Reading(steal, longestNanos, 100.0 * waitedNanos / elapsedNanos);
    }

    private void probe() {
        long wakeAt = System.nanoTime() + BEAT_NANOS;
        while (!isOver) {
            long left = wakeAt - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(left);
                continue;
            }
            record(-left);
            wakeAt = System.nanoTime() + BEAT_NANOS;
        }
    }

    /** Only the probe writes. A tenth of a millisecond is what a timer takes on an idle machine. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void record(long lateNanos) {
        longestNanos = Math.max(longestNanos, lateNanos);
        waitedNanos += Math.max(0, lateNanos - BEAT_NANOS / 10);
    }

    @Override
    public void close() {
        isOver = true;
        LockSupport.unpark(probe);
    }

    /** Of all cores together, since the machine started; nothing where there is no such file. */
    private record Ticks(long all, long steal) {
        static Ticks now() {
            try {
                String[] fields = Files.readAllLines(STAT).get(0).trim().split(" +", -1);
                long all = 0;
                for (int i = 1; i <= COLUMNS; i++) {
                    all += Long.parseLong(fields[i]);
                }
                return new Ticks(all, Long.parseLong(fields[STEAL_COLUMN + 1]));
            } catch (IOException | RuntimeException none) {
                return new Ticks(0, 0);
            }
        }
    }
}
