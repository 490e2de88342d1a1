package dev.downbeat.selfcheck;

import com.sun.management.OperatingSystemMXBean;
import dev.downbeat.record.Interruptions.LongestSpans;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.TimerSlack;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Monitors this process during a run: pauses, garbage collection, processor time, stolen time. Started and stopped by
 * one thread; use once.
 */
public final class HealthMonitor {
    private final GcPauses pauses = new GcPauses();
    private final long cpuBefore = ProcessorTime.ownNanos();
    private final long stolenBefore = ProcessorTime.stolenNanos();
    private final long startedAt = System.nanoTime();
    private final HiccupMeter hiccups;

    private HealthMonitor(long parkNanos, LongConsumer woke) {
        hiccups = HiccupMeter.start(startedAt, parkNanos, pauses, woke);
    }

    /** Starts monitoring on its own, mostly sleeping thread. */
    public static HealthMonitor start() {
        return start(at -> {});
    }

    /**
     * Starts monitoring, with a callback on the same thread.
     *
     * @param woke called with {@link System#nanoTime} at each wake-up, about once per millisecond; must be short, and
     *     is not counted as a pause
     */
    public static HealthMonitor start(LongConsumer woke) {
        return new HealthMonitor(HiccupMeter.PARK_NANOS, woke);
    }

    /**
     * Starts monitoring at low cost, for use next to an external generator: the thread wakes 200 times per second.
     * Pauses are measured just as exactly, but fewer waits for a processor below 5 ms are seen.
     */
    public static HealthMonitor startSparing() {
        return new HealthMonitor(HiccupMeter.SPARING_NANOS, at -> {});
    }

    /** Total oversleep of the monitor thread so far, in nanoseconds. Thread-safe. */
    public long hiccupNanos() {
        return hiccups.soFarNanos();
    }

    /** Total length of stop-the-world collections so far, about 20 ms old at most, in nanoseconds. Thread-safe. */
    public long gcNanos() {
        return pauses.soFarNanos();
    }

    /** The longest pauses of this process, with times relative to that instant; valid after {@link #stop}. */
    public List<Pause> pauses(long startAt) {
        return hiccups.pauses(startAt);
    }

    public GeneratorHealth stop() {
        hiccups.stop();
        long wallNanos = System.nanoTime() - startedAt;
        pauses.read();
        return new GeneratorHealth(
                wallNanos,
                ProcessorTime.between(cpuBefore, ProcessorTime.ownNanos()),
                hiccups.largestNanos(),
                hiccups.largestAtNanos(),
                hiccups.sumNanos(),
                pauses.count(),
                pauses.nanos(),
                pauses.largestNanos(),
                ProcessorTime.between(stolenBefore, ProcessorTime.stolenNanos()));
    }

    /**
     * Measures pauses of this process: a thread sleeps for one or a few milliseconds at a time. Its oversleep is time in
     * which no thread of this process was certain to run. The idea is jHiccup's (Gil Tene).
     *
     * <p>Written by its own thread; read after {@link #stop}, which may give up waiting for that.
     */
    static final class HiccupMeter {
        static final long SPARING_NANOS = 5_000_000;

        /** On a single core, each wake-up takes the core from a generator: measured at 3 % for 1 ms. */
        static final long PARK_NANOS = Runtime.getRuntime().availableProcessors() > 1 ? 1_000_000 : SPARING_NANOS;

        /** The minimum oversleep that triggers an immediate check for a collection. */
        private static final long NOTICED_NANOS = 1_000_000;

        private static final long PAUSES_READ_NANOS = 20_000_000;
        private static final long COUNTED_NANOS = 10_000_000;
        private static final long PAUSE_NANOS = 50_000_000;
        private static final long JOIN_MILLIS = 200;

        private final long startedAt;
        private final long parkNanos;
        private final GcPauses pauses;
        private final LongConsumer woke;
        private final Thread thread;
        private volatile boolean stopping;
        /** For readers while it runs. */
        private volatile long soFarNanos;

        private final LongestSpans spans = new LongestSpans();
        private long largestNanos;
        private long largestAtNanos;
        private long sumNanos;
        private long pausesReadAt;

        HiccupMeter(long startedAt, long parkNanos, GcPauses pauses, LongConsumer woke) {
            this.startedAt = startedAt;
            this.parkNanos = parkNanos;
            this.pauses = pauses;
            this.woke = woke;
            this.thread = Daemon.of("downbeat-hiccup-meter", this::watch);
        }

        static HiccupMeter start(long startedAt, long parkNanos, GcPauses pauses, LongConsumer woke) {
            HiccupMeter meter = new HiccupMeter(startedAt, parkNanos, pauses, woke);
            meter.pausesReadAt = startedAt;
            meter.thread.start();
            return meter;
        }

        private void watch() {
            TimerSlack.reduceForThisThread();
            long before = System.nanoTime();
            while (!stopping) {
                LockSupport.parkNanos(this, parkNanos);
                long now = System.nanoTime();
                long excessNanos = now - before - parkNanos;
                noticed(excessNanos, now - startedAt);
                woke.accept(now);
                readPauses(excessNanos, now);
                before = System.nanoTime(); // work after a wake-up is Downbeat's own, not a hiccup
            }
        }

        /** Records a wake-up; an early end of a park is not a hiccup. */
        synchronized void noticed(long excessNanos, long atNanos) {
            if (excessNanos > largestNanos) {
                largestNanos = excessNanos;
                largestAtNanos = atNanos;
            }
            if (excessNanos > PAUSE_NANOS) {
                spans.add(startedAt + atNanos - excessNanos, startedAt + atNanos);
            }
            if (excessNanos > COUNTED_NANOS) {
                sumNanos += excessNanos;
            }
            if (excessNanos > NOTICED_NANOS) {
                soFarNanos += excessNanos;
            }
        }

        /** Often enough that two collections rarely fall between readings, and immediately after a pause. */
        private void readPauses(long excessNanos, long now) {
            if (excessNanos >= NOTICED_NANOS || now - pausesReadAt >= PAUSES_READ_NANOS) {
                pauses.read();
                pausesReadAt = now;
            }
        }

        void stop() {
            stopping = true;
            LockSupport.unpark(thread);
            boolean interrupted = Thread.interrupted();
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException later) {
                interrupted = true;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Total oversleep, except for the last millisecond at most. Any thread may call this. */
        long soFarNanos() {
            return soFarNanos;
        }

        synchronized List<Pause> pauses(long fromAt) {
            return spans.pauses(fromAt);
        }

        synchronized long largestNanos() {
            return largestNanos;
        }

        synchronized long largestAtNanos() {
            return largestAtNanos;
        }

        synchronized long sumNanos() {
            return sumNanos;
        }
    }

    /**
     * Stop-the-world collections, from the management beans. Beans of concurrent cycles are ignored, since they run in
     * parallel. The resolution is 1 ms, so a shorter pause may not show.
     *
     * <p>Thread-safe.
     */
    static final class GcPauses {
        private final List<GarbageCollectorMXBean> beans;
        private final long countBefore;
        private final long millisBefore;
        private long count;
        private long millis;
        private long largestMillis;
        private volatile long soFarMillis;

        GcPauses() {
            this(ManagementFactory.getGarbageCollectorMXBeans());
        }

        GcPauses(List<GarbageCollectorMXBean> all) {
            beans = all.stream().filter(bean -> stopsTheProcess(bean.getName())).toList();
            countBefore = counted();
            millisBefore = spent();
            count = countBefore;
            millis = millisBefore;
        }

        static boolean stopsTheProcess(String name) {
            return !name.contains("Cycles") && !name.contains("Concurrent");
        }

        /** Several collections since the last reading count as one of their total length: an overestimate at worst. */
        synchronized void read() {
            long countNow = counted();
            long millisNow = spent();
            if (countNow != count) {
                largestMillis = Math.max(largestMillis, millisNow - millis);
            }
            count = countNow;
            millis = millisNow;
            soFarMillis = millisNow - millisBefore;
        }

        /** As of the last reading; any thread may call this. */
        long soFarNanos() {
            return soFarMillis * 1_000_000;
        }

        synchronized long count() {
            return count - countBefore;
        }

        synchronized long nanos() {
            return (millis - millisBefore) * 1_000_000;
        }

        synchronized long largestNanos() {
            return largestMillis * 1_000_000;
        }

        /** A bean without data returns -1. This is called so often that a stream would dominate its cost. */
        private long counted() {
            long sum = 0;
            for (GarbageCollectorMXBean bean : beans) {
                sum += Math.max(0, bean.getCollectionCount());
            }
            return sum;
        }

        private long spent() {
            long sum = 0;
            for (GarbageCollectorMXBean bean : beans) {
                sum += Math.max(0, bean.getCollectionTime());
            }
            return sum;
        }
    }

    /** Processor time of this process, and time stolen by the hypervisor. */
    static final class ProcessorTime {
        /** USER_HZ is 100 on every architecture of Linux that runs Java: see proc(5). */
        private static final long NANOS_PER_TICK = 10_000_000;

        private static final int STEAL = 8;

        private ProcessorTime() {}

        /** Processor time of this process in nanoseconds; -1 if the platform does not report it. */
        static long ownNanos() {
            return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean bean
                    ? bean.getProcessCpuTime()
                    : -1;
        }

        /** Time stolen from this machine since boot, over all cores, in nanoseconds; -1 if not reported. */
        static long stolenNanos() {
            try (BufferedReader reader = Files.newBufferedReader(Path.of("/proc/stat"))) {
                String first = reader.readLine();
                return first == null ? -1 : stolenNanos(first);
            } catch (IOException | RuntimeException unavailable) {
                return -1;
            }
        }

        /** The eighth number of a line such as "cpu 1 2 3 4 5 6 7 8 9 10", in ticks. */
        static long stolenNanos(String line) {
            List<String> words = List.of(line.strip().split("\\s+", -1));
            return words.size() > STEAL && words.get(0).equals("cpu")
                    ? Long.parseLong(words.get(STEAL)) * NANOS_PER_TICK
                    : -1;
        }

        /** The difference of two readings; -1 if either is unknown. */
        static long between(long before, long after) {
            return before < 0 || after < 0 ? -1 : Math.max(0, after - before);
        }
    }
}
