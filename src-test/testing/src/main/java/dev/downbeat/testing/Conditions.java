package dev.downbeat.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observes whether the machine permits a measurement: the delays of a thread that wakes every millisecond, stolen
 * time, and other processes' share of the cores. All three are needed: the scheduler favours threads that mostly
 * sleep, so next to busy loops such a thread hardly waits while a starting process waits for seconds. Thread-safe.
 */
final class Conditions implements AutoCloseable {
    private static final long PERIOD_NANOS = 1_000_000;
    private static final Path STAT = Path.of("/proc/stat");

    /** A tick is 10 ms; with fewer, a single tick would weigh too much. */
    private static final long LEAST_TICKS = 50;

    /** Overrides all readings, for tests. */
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
     * The conditions during a period.
     *
     * @param stealPercent share of all cores' time stolen by the hypervisor
     * @param longestNanos longest wait of a runnable thread
     * @param waitedPercent share of the time in which a runnable thread waited
     * @param crowdedPercent share of all cores' time used by other processes, less the idle time
     */
    record Reading(double stealPercent, long longestNanos, double waitedPercent, double crowdedPercent) {
        /** Whether the machine cannot explain a failure. */
        boolean isGood() {
            return stealPercent < 2 && waitedPercent < 3 && longestNanos < 10_000_000 && crowdedPercent < 10;
        }

        /** Whether the machine may explain a failure in every attempt. Between the two, it hardly can. */
        boolean isBusy() {
            return stealPercent >= 4 || waitedPercent >= 8 || longestNanos >= 50_000_000 || crowdedPercent >= 25;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "steal %.0f %%, a ready thread waited %.0f %% of the time and up to %.0f ms%s",
                    stealPercent,
                    waitedPercent,
                    longestNanos / 1e6,
                    crowdedPercent < 1 ? "" : String.format(Locale.ROOT, ", others took %.0f %%", crowdedPercent));
        }
    }

    Reading reading() {
        Reading given = pretended;
        if (given != null) {
            return given;
        }
        Ticks ticks = Ticks.now().since(ticksAtStart);
        long elapsedNanos = Math.max(1, System.nanoTime() - startedAt);
        return new Reading(
                ticks.percent(ticks.steal),
                longestNanos,
                100.0 * waitedNanos / elapsedNanos,
                ticks.percent(Math.max(0, ticks.busy - ticks.ownBuild - ticks.idle)));
    }

    private void probe() {
        long wakeAt = System.nanoTime() + PERIOD_NANOS;
        while (!isOver) {
            long left = wakeAt - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(left);
                continue;
            }
            record(-left);
            wakeAt = System.nanoTime() + PERIOD_NANOS;
        }
    }

    /** Only the probe writes. On an idle machine a timer is late by 0.1 ms. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void record(long lateNanos) {
        longestNanos = Math.max(longestNanos, lateNanos);
        waitedNanos += Math.max(0, lateNanos - PERIOD_NANOS / 10);
    }

    @Override
    public void close() {
        isOver = true;
        LockSupport.unpark(probe);
    }

    /**
     * Totals over all cores since boot; empty if the files are missing.
     *
     * @param busy time in use
     * @param idle idle time
     * @param steal time stolen by the hypervisor
     * @param ownBuild the part of {@code busy} used by this build
     */
    private record Ticks(long busy, long idle, long steal, long ownBuild) {
        static Ticks now() {
            try {
                // user nice system idle iowait irq softirq steal
                long[] all = Stream.of(Files.readAllLines(STAT).get(0).trim().split(" +", -1))
                        .skip(1)
                        .mapToLong(Long::parseLong)
                        .toArray();
                return new Ticks(all[0] + all[1] + all[2] + all[5] + all[6], all[3] + all[4], all[7], ofThisBuild());
            } catch (IOException | RuntimeException none) {
                return new Ticks(0, 0, 0, 0);
            }
        }

        Ticks since(Ticks before) {
            return new Ticks(busy - before.busy, idle - before.idle, steal - before.steal, ownBuild - before.ownBuild);
        }

        double percent(long part) {
            long all = busy + idle + steal;
            return all < LEAST_TICKS ? 0 : 100.0 * part / all;
        }

        /** The outermost parent JVM is Maven's; all of its child processes belong to this build. */
        private static long ofThisBuild() {
            ProcessHandle build = ProcessHandle.current();
            for (Optional<ProcessHandle> above = build.parent();
                    above.isPresent();
                    above = above.get().parent()) {
                if (above.get().info().command().orElse("").endsWith("java")) {
                    build = above.get();
                }
            }
            return Stream.concat(Stream.of(build), build.descendants())
                    .mapToLong(process -> of(process.pid()))
                    .sum();
        }

        /** The ticks of a process and of its finished children. */
        private static long of(long pid) {
            try {
                String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
                // after the name, which may contain spaces: the state, and from the 12th field utime stime cutime
                // cstime
                return Stream.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1))
                        .skip(11)
                        .limit(4)
                        .mapToLong(Long::parseLong)
                        .sum();
            } catch (IOException | RuntimeException ended) {
                return 0;
            }
        }
    }
}
