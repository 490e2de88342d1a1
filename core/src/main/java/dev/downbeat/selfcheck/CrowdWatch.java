package dev.downbeat.selfcheck;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches how other processes affect a measured service: a thread makes {@linkplain Crowding.Control control calls},
 * four per second, which use 2 % of a core. Started and stopped by one thread; use once.
 */
public final class CrowdWatch {
    private static final long EVERY_NANOS = 250_000_000;
    private static final int CHUNK = 2_000;
    private static final Path PRESSURE = Path.of("/proc/pressure/cpu");
    private static final String TOTAL = "total=";
    private static final double MICROS_TO_NANOS = 1e3;

    private final Set<Long> watched;
    private final Optional<CoreTicks> before;
    private final OptionalLong pressureBefore = pressureMicros();
    private final long startedAt = System.nanoTime();
    private final List<Crowding.Control> controls = new ArrayList<>();
    private final Thread thread = new Thread(this::call, "downbeat-control");
    private volatile boolean isOver;
    private volatile double sink;

    private CrowdWatch(Set<Long> watched) {
        this.watched = Set.copyOf(watched);
        before = CoreTicks.now(watched);
        thread.setDaemon(true);
    }

    /**
     * Starts watching.
     *
     * @param watched processes that count as the build's own, in addition to its children
     */
    public static CrowdWatch start(Set<Long> watched) {
        CrowdWatch watch = new CrowdWatch(watched);
        watch.thread.start();
        return watch;
    }

    private void call() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long nextAt = System.nanoTime();
        while (!isOver) {
            long left = nextAt - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                continue;
            }
            work(threads);
            long took = System.nanoTime() - nextAt; // from its intended start
            synchronized (controls) {
                controls.add(new Crowding.Control(nextAt, took));
            }
            nextAt = Math.max(nextAt + EVERY_NANOS, System.nanoTime());
        }
    }

    private void work(ThreadMXBean threads) {
        long until = threads.getCurrentThreadCpuTime() + Crowding.CONTROL_NANOS;
        double sum = sink;
        while (threads.getCurrentThreadCpuTime() < until) {
            for (int i = 1; i <= CHUNK; i++) {
                sum += 1.0 / i;
            }
        }
        sink = sum;
    }

    /** Stops watching; empty if the system does not report other processes' use. */
    public Optional<Crowding> stop() {
        isOver = true;
        LockSupport.unpark(thread);
        double nanos = Math.max(1, System.nanoTime() - startedAt);
        OptionalLong pressureNow = pressureMicros();
        OptionalDouble pressure = pressureBefore.isEmpty() || pressureNow.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        Math.min(1, (pressureNow.getAsLong() - pressureBefore.getAsLong()) * MICROS_TO_NANOS / nanos));
        List<Crowding.Control> made;
        synchronized (controls) {
            made = List.copyOf(controls);
        }
        return before.flatMap(then ->
                CoreTicks.now(watched).map(now -> new Crowding(now.otherProcessesShareSince(then), pressure, made)));
    }

    private static OptionalLong pressureMicros() {
        try {
            return pressureMicros(Files.readAllLines(PRESSURE).get(0));
        } catch (IOException | RuntimeException unavailable) {
            return OptionalLong.empty();
        }
    }

    /** Parses a line such as {@code some avg10=93.52 avg60=63.19 avg300=55.44 total=12512864564}. */
    static OptionalLong pressureMicros(String line) {
        int at = line.indexOf(TOTAL);
        return at < 0
                ? OptionalLong.empty()
                : OptionalLong.of(
                        Long.parseLong(line.substring(at + TOTAL.length()).strip()));
    }
}
