package dev.downbeat.selfcheck;

import com.sun.management.ThreadMXBean;
import dev.downbeat.time.Daemon;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Watches how other processes affect a measured service: a thread makes {@linkplain CpuContention.Control control calls},
 * four per second, which use 2 % of a core. Started and stopped by one thread; use once.
 */
public final class CpuContentionMonitor {
    private static final long EVERY_NANOS = 250_000_000;
    private static final int CHUNK = 2_000;
    private static final Path PRESSURE = Path.of("/proc/pressure/cpu");
    private static final String TOTAL = "total=";
    private static final double MICROS_TO_NANOS = 1e3;

    private final Set<Long> watched;
    private final Optional<CoreTicks> before;
    private final OptionalLong pressureBefore = pressureMicros();
    private final long startedAt = System.nanoTime();
    private final List<CpuContention.Control> controls = new ArrayList<>();
    private final Thread thread = Daemon.of("downbeat-control", this::makeCalls);
    private volatile boolean isOver;
    private volatile double sink;

    private CpuContentionMonitor(Set<Long> watched) {
        this.watched = Set.copyOf(watched);
        before = CoreTicks.now(watched);
    }

    /**
     * Starts watching.
     *
     * @param watched processes that count as the build's own, in addition to its children
     */
    public static CpuContentionMonitor start(Set<Long> watched) {
        CpuContentionMonitor watch = new CpuContentionMonitor(watched);
        watch.thread.start();
        return watch;
    }

    private void makeCalls() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long nextAt = System.nanoTime();
        while (!isOver && threads.getCurrentThreadCpuTime() >= 0) { // negative: not reported
            long left = nextAt - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                continue;
            }
            work(threads);
            long took = System.nanoTime() - nextAt; // from its intended start
            synchronized (controls) {
                controls.add(new CpuContention.Control(nextAt, took));
            }
            nextAt = Math.max(nextAt + EVERY_NANOS, System.nanoTime());
        }
    }

    private void work(ThreadMXBean threads) {
        long until = threads.getCurrentThreadCpuTime() + CpuContention.CONTROL_NANOS;
        double sum = sink;
        while (threads.getCurrentThreadCpuTime() < until) {
            for (int i = 1; i <= CHUNK; i++) {
                sum += 1.0 / i;
            }
        }
        sink = sum;
    }

    /** Stops watching; empty if the system does not report other processes' use. */
    public Optional<CpuContention> stop() {
        isOver = true;
        LockSupport.unpark(thread);
        double nanos = Math.max(1, System.nanoTime() - startedAt);
        OptionalLong pressureNow = pressureMicros();
        OptionalDouble pressure = pressureBefore.isEmpty() || pressureNow.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        Math.min(1, (pressureNow.getAsLong() - pressureBefore.getAsLong()) * MICROS_TO_NANOS / nanos));
        List<CpuContention.Control> calls;
        synchronized (controls) {
            calls = List.copyOf(controls);
        }
        return before.flatMap(then -> CoreTicks.now(watched)
                .map(now -> new CpuContention(now.otherProcessesShareSince(then), pressure, calls)));
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

    /**
     * Processor time of all cores since boot, in ticks of 1/100 s, and the part used by Downbeat: the build with all its
     * child processes, its session, and the processes that it watches. A service started by the build is included, so its
     * use is never attributed to others.
     *
     * @param busy ticks used by any process
     * @param all ticks, busy or idle
     * @param downbeatTicks part of {@code busy}
     */
    record CoreTicks(long busy, long all, long downbeatTicks) {
        private static final Path PROC = Path.of("/proc");

        /** Empty if the system does not report it. */
        static Optional<CoreTicks> now(Set<Long> watched) {
            try {
                return Optional.of(of(Files.readAllLines(PROC.resolve("stat")).get(0), processes(), root(), watched));
            } catch (IOException | RuntimeException unavailable) {
                return Optional.empty();
            }
        }

        /** The outermost JVM ancestor of this process is the build; its descendants measure or are measured. */
        private static long root() {
            ProcessHandle build = ProcessHandle.current();
            Optional<ProcessHandle> above = build.parent();
            while (above.isPresent()) {
                if (above.get().info().command().orElse("").endsWith("java")) {
                    build = above.get();
                }
                above = above.get().parent();
            }
            return build.pid();
        }

        private static List<Process> processes() throws IOException {
            List<Process> found = new ArrayList<>();
            try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
                for (Path each : all) {
                    try {
                        found.add(Process.of(Files.readString(each.resolve("stat"))));
                    } catch (IOException | RuntimeException ended) {
                        // ended in the meantime
                    }
                }
            }
            return found;
        }

        /** Totals from a line such as {@code cpu user nice system idle iowait irq softirq steal} and the build's root process. */
        static CoreTicks of(String line, List<Process> processes, long root, Set<Long> watched) {
            long[] ticks = numbers(line.substring("cpu".length()));
            long busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
            Map<Long, Process> byId = new HashMap<>();
            processes.forEach(each -> byId.put(each.pid, each));
            Set<Long> roots = new HashSet<>(watched);
            roots.add(root);
            long session = byId.containsKey(root) ? byId.get(root).session : -1;
            long downbeatTicks = processes.stream()
                    .filter(each -> each.session == session || isDescendant(each, roots, byId))
                    .mapToLong(Process::ticks)
                    .sum();
            return new CoreTicks(busy, busy + ticks[3] + ticks[4] + ticks[7], downbeatTicks);
        }

        private static boolean isDescendant(Process process, Set<Long> roots, Map<Long, Process> byId) {
            Process each = process;
            while (each != null && !roots.contains(each.pid)) {
                each = byId.get(each.parent);
            }
            return each != null;
        }

        /** The fraction of all cores used by other processes since then, from 0 to 1. */
        double otherProcessesShareSince(CoreTicks before) {
            long passed = all - before.all;
            return passed <= 0
                    ? 0
                    : Math.max(
                            0,
                            (double) (busy - before.busy - Math.max(0, downbeatTicks - before.downbeatTicks)) / passed);
        }

        private static long[] numbers(String text) {
            return Stream.of(text.strip().split("\\s+", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
        }

        /** One process; its ticks include those of its terminated children. */
        record Process(long pid, long parent, long session, long ticks) {
            private static final int STATE = 1;

            /** Parses a line of {@code /proc/PID/stat}; the name in parentheses may contain anything. */
            static Process of(String line) {
                long pid = Long.parseLong(line.substring(0, line.indexOf(' ')));
                String[] rest =
                        line.substring(line.lastIndexOf(')') + 2).strip().split(" ", -1);
                long ticks = 0;
                for (int time = 11; time < 15; time++) {
                    ticks += Long.parseLong(rest[time]);
                }
                return new Process(pid, Long.parseLong(rest[STATE]), Long.parseLong(rest[STATE + 2]), ticks);
            }
        }
    }

    /**
     * The effect of other processes during a run: their share of the cores, and the duration of control calls that only
     * need a processor for a fixed time.
     *
     * @param othersShare share of all cores, from 0 to 1
     * @param pressure fraction of the time in which some task waited for a processor, from 0 to 1, if the kernel reports it
     * @param controls in order
     */
    public record CpuContention(double othersShare, OptionalDouble pressure, List<Control> controls) {
        /** Processor time that a control call needs. */
        public static final long CONTROL_NANOS = 5_000_000;

        /** Below this share of the cores, other processes are not to blame. */
        private static final double CONTENDED_SHARE = 0.25;

        /** A control call that met contention takes at least twice its time. */
        private static final long SLOW_CONTROL_NANOS = 2 * CONTROL_NANOS;

        /**
         * The maximum number of waits for a processor in one request: threads of the client and the service, and their
         * dependencies, where a control call is one thread.
         */
        private static final long WAITS = 10;

        /** This many control calls on time within a stall show that it was the service's own. */
        private static final int CONTRADICTING = 2;

        private static final double TAIL = 0.99;

        /**
         * A call that needs {@link #CONTROL_NANOS} of processor time.
         *
         * @param startAt by {@link System#nanoTime}
         * @param tookNanos from then to its end
         */
        public record Control(long startAt, long tookNanos) {
            private long lateNanos() {
                return Math.max(0, tookNanos - CONTROL_NANOS);
            }
        }

        public CpuContention {
            controls = List.copyOf(controls);
        }

        /** A copy without control calls that started before an instant. */
        public CpuContention since(long instant) {
            return new CpuContention(
                    othersShare,
                    pressure,
                    controls.stream()
                            .filter(each -> each.startAt - instant >= 0)
                            .toList());
        }

        /** Whether other processes used so much that control calls were late. */
        public boolean isCrowded() {
            return othersShare >= CONTENDED_SHARE && controlP99Nanos() >= SLOW_CONTROL_NANOS;
        }

        /** The 99th percentile of the control calls; 0 if there were none. */
        public long controlP99Nanos() {
            long[] sorted =
                    controls.stream().mapToLong(Control::tookNanos).sorted().toArray();
            return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(TAIL * sorted.length) - 1];
        }

        /** Whether a request with this excess time may have waited for the processor behind others. */
        public boolean explains(long excessNanos) {
            return isCrowded() && excessNanos <= explainedNanos();
        }

        /** The longest that a request may have waited for the processor behind others; 0 if they hardly ran. */
        public long explainedNanos() {
            return isCrowded() ? WAITS * (controlP99Nanos() - CONTROL_NANOS) : 0;
        }

        /**
         * Whether a stall may have been a wait for the processor behind others. A service that stalls while control calls are
         * on time stalls on its own. A single call on time shows little: it may have found the one free processor.
         *
         * @param fromAt by {@link System#nanoTime}
         */
        public boolean explains(long fromAt, long lengthNanos) {
            List<Control> within = controls.stream()
                    .filter(each -> each.startAt - fromAt >= 0 && each.startAt - fromAt < lengthNanos)
                    .toList();
            long latest = within.stream().mapToLong(Control::lateNanos).max().orElse(0);
            boolean isContradicted = within.size() >= CONTRADICTING && lengthNanos > WAITS * latest;
            return explains(lengthNanos) && !isContradicted;
        }

        /** A description: {@code other processes used 61 % of the CPU; a 5 ms control call took 48 ms at p99}. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "other processes used %.0f %% of the CPU; a %d ms control call took %.0f ms at p99%s",
                    100 * othersShare,
                    CONTROL_NANOS / 1_000_000,
                    controlP99Nanos() / 1e6,
                    pressure.stream()
                            .mapToObj(share -> String.format(
                                    Locale.ROOT, "; tasks waited for a CPU %.0f %% of the time", 100 * share))
                            .findFirst()
                            .orElse(""));
        }
    }
}
