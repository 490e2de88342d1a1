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
 * Whether the machine let anybody measure: what the kernel made a thread wait that wants to wake up every millisecond, the time
 * the hypervisor gave to others, and what other processes took of the cores. The kernel prefers who mostly sleeps: beside busy
 * loops such a thread hardly waits, and a process that starts or reports waits for seconds. Thread-safe.
 */
final class Conditions implements AutoCloseable {
    private static final long BEAT_NANOS = 1_000_000;
    private static final Path STAT = Path.of("/proc/stat");

    /** A tick is a hundredth of a second: of fewer, one is too much. */
    private static final long LEAST_TICKS = 50;

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
     * @param crowdedPercent of all cores' time that processes of others took, less what nobody wanted
     */
    record Reading(double stealPercent, long longestNanos, double waitedPercent, double crowdedPercent) {
        /** Whether a number that is wrong cannot be the machine's doing. */
        boolean isGood() {
            return stealPercent < 2 && waitedPercent < 3 && longestNanos < 10_000_000 && crowdedPercent < 10;
        }

        /** Whether a number that is wrong in every attempt may be the machine's doing; between the two it hardly is. */
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
                ticks.percent(Math.max(0, ticks.busy - ticks.ours - ticks.idle)));
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

    /**
     * Of all cores together, since the machine started; nothing where there are no such files.
     *
     * @param busy that somebody had
     * @param idle that nobody wanted
     * @param steal that the hypervisor gave to others
     * @param ours that this build had of those that somebody had
     */
    private record Ticks(long busy, long idle, long steal, long ours) {
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
            return new Ticks(busy - before.busy, idle - before.idle, steal - before.steal, ours - before.ours);
        }

        double percent(long part) {
            long all = busy + idle + steal;
            return all < LEAST_TICKS ? 0 : 100.0 * part / all;
        }

        /** The outermost JVM that has started us is Maven's, and the others that it has started measure beside us. */
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

        /** Of a process, and of those that it has started and that are over. */
        private static long of(long pid) {
            try {
                String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
                // behind the name, which may have spaces: the state, and from the 12th on utime stime cutime cstime
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
