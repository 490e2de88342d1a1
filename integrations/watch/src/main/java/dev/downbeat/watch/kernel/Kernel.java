package dev.downbeat.watch.kernel;

import dev.downbeat.selfcheck.ControlGroups;
import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.HighValueDetector;
import dev.downbeat.watch.sample.SamplingWatcher.Sampler;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What Linux reports about a process, a control group, or the machine.
 *
 * @param root the parent of /proc and /sys
 */
public record Kernel(Path root) {
    private static final long RETRANSMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long SYN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Stalls for at least a tenth of the time are considered. */
    private static final double MICROS_PER_SECOND = 100_000;

    /** The total throttled time, in control groups v2 and v1. */
    private static final String MICROS = "throttled_usec";

    private static final String NANOS = "throttled_time";

    public static final Kernel OF_THIS_MACHINE = new Kernel(Path.of("/"));

    public boolean isThere() {
        return Files.isDirectory(root.resolve("proc"));
    }

    public Path process(long pid) {
        return root.resolve("proc").resolve(Long.toString(pid));
    }

    /**
     * Samplers of a process to run every few milliseconds: whether it is stopped or throttled. With instants known only
     * to a tenth of a second, a run of some seconds could not prove a cause: chance would place it there too.
     */
    public List<Sampler> state(long pid) throws IOException {
        return opened(all -> {
            all.add(new StopSampler(KernelFile.open(process(pid).resolve("stat"))));
            for (List<Path> groups : groups(pid)) {
                for (Path group : groups) { // whose limits apply as well
                    all.addAll(throttling(group));
                }
            }
        });
    }

    /** Adds samplers to a list, one after another. */
    public interface Opening {
        void addTo(List<Sampler> all) throws IOException;
    }

    /** Samplers opened one after another; if one cannot be opened, those before it are closed. */
    public static List<Sampler> opened(Opening opening) throws IOException {
        List<Sampler> all = new ArrayList<>();
        try {
            opening.addTo(all);
        } catch (IOException gone) {
            all.forEach(Sampler::close);
            throw gone;
        }
        return all;
    }

    /** Samplers of a process to run every 20 ms: how long its threads wait for a processor. */
    public List<Sampler> threads(long pid) {
        return List.of(new RunDelays(process(pid).resolve("task")));
    }

    /** Samplers of a process to run every 100 ms: its control groups and its network. */
    public List<Sampler> counters(long pid) throws IOException {
        List<Path> groups = groups(pid).stream()
                .map(innermostFirst -> innermostFirst.get(0))
                .toList();
        return opened(all -> {
            for (Path group : groups) {
                all.addAll(group(group));
            }
            if (groups.stream().noneMatch(group -> KernelFile.isThere(group.resolve("io.pressure")))) {
                Path pressure = root.resolve("proc/pressure");
                pressure(all, pressure.resolve("memory"), EventKind.MEMORY_STALL, "of the machine");
                pressure(all, pressure.resolve("io"), EventKind.IO_STALL, "of the machine");
            }
            all.addAll(network(process(pid).resolve("net")));
        });
    }

    private List<List<Path>> groups(long pid) throws IOException {
        return ControlGroups.of(root, process(pid).resolve("cgroup"));
    }

    /** Samplers of a control group, v1 or v2, to run every few milliseconds. */
    public List<Sampler> throttling(Path group) throws IOException {
        List<Sampler> all = new ArrayList<>();
        Path cpu = group.resolve("cpu.stat");
        if (KernelFile.isThere(cpu)) {
            KernelFile file = KernelFile.open(cpu);
            if (has(MICROS, file)) {
                all.add(new ThrottledTime(file, MICROS, 1_000));
            } else if (has(NANOS, file)) {
                all.add(new ThrottledTime(file, NANOS, 1));
            } else {
                file.close(); // its processors are not limited
            }
        }
        return all;
    }

    /** Whether the file has a number after this word; closes a file that cannot be read. */
    private static boolean has(String word, KernelFile file) throws IOException {
        try {
            return file.after(word, "") >= 0;
        } catch (IOException gone) {
            file.close();
            throw gone;
        }
    }

    /** Samplers of a control group, v1 or v2, to run every 100 ms. */
    public List<Sampler> group(Path group) throws IOException {
        return opened(all -> {
            Path memory = group.resolve("memory.events");
            for (String word : List.of("high", "max", "oom")) {
                memoryLimit(all, memory, word);
            }
            pressure(all, group.resolve("cpu.pressure"), EventKind.PROCESSOR_WAIT, "of the control group");
            pressure(all, group.resolve("memory.pressure"), EventKind.MEMORY_STALL, "of the control group");
            pressure(all, group.resolve("io.pressure"), EventKind.IO_STALL, "of the control group");
        });
    }

    /** Samplers of a network namespace to run every 100 ms: dropped connections and retransmitted packets. */
    public List<Sampler> network(Path net) throws IOException {
        return opened(all -> {
            Path netstat = net.resolve("netstat");
            if (KernelFile.isThere(netstat)) {
                all.add(new KernelCounter(
                        KernelFile.open(netstat),
                        file -> file.ofTable("TcpExt:", "ListenOverflows"),
                        new HighValueDetector(
                                EventKind.LISTEN_OVERFLOW, 0, perSecond -> ofCount(perSecond, "connections")),
                        0,
                        SYN_NANOS)); // a dropped client retries after that time
            }
            Path snmp = net.resolve("snmp");
            if (KernelFile.isThere(snmp)) {
                all.add(new KernelCounter(
                        KernelFile.open(snmp),
                        file -> file.ofTable("Tcp:", "RetransSegs"),
                        new HighValueDetector(EventKind.RETRANSMIT, 0, perSecond -> ofCount(perSecond, "packets")),
                        RETRANSMIT_NANOS, // the minimum wait of a sender
                        0));
            }
        });
    }

    private static void memoryLimit(List<Sampler> all, Path path, String word) throws IOException {
        if (KernelFile.isThere(path)) {
            KernelFile file = KernelFile.open(path);
            if (!has(word, file)) {
                file.close();
            } else {
                HighValueDetector reached = new HighValueDetector(
                        EventKind.MEMORY_STALL, 0, perSecond -> "memory limit reached (" + word + ")");
                all.add(new KernelCounter(file, open -> open.after(word, ""), reached, 0, 0));
            }
        }
    }

    private static void pressure(List<Sampler> all, Path path, EventKind kind, String whose) throws IOException {
        if (KernelFile.isThere(path)) {
            all.add(new KernelCounter(
                    KernelFile.open(path),
                    file -> file.after("some", "total="),
                    new HighValueDetector(
                            kind,
                            MICROS_PER_SECOND,
                            micros -> String.format(
                                    Locale.ROOT, "some threads %s stalled %.0f %% of the time", whose, micros / 1e4)),
                    0,
                    0));
        }
    }

    private static String ofCount(double perSecond, String what) {
        return String.format(Locale.ROOT, "up to %.0f %s a second", perSecond, what);
    }

    private static final class KernelCounter implements Sampler {
        interface Reading {
            /** The current value; -1 if absent. */
            long now(KernelFile file) throws IOException;
        }

        private final KernelFile file;
        private final Reading reading;
        private final HighValueDetector detector;
        private final long beforeNanos;
        private final long afterNanos;
        private long lastAt;
        private long last = -1;

        /**
         * Creates a sampler.
         *
         * @param detector detects a high growth per second
         * @param beforeNanos how long before its growth the counted activity began
         * @param afterNanos how long after its growth the counted activity has effect
         */
        KernelCounter(KernelFile file, Reading reading, HighValueDetector detector, long beforeNanos, long afterNanos) {
            this.file = file;
            this.reading = reading;
            this.detector = detector;
            this.beforeNanos = beforeNanos;
            this.afterNanos = afterNanos;
        }

        @Override
        public void sample(long now) throws IOException {
            long value = reading.now(file);
            if (value >= 0 && last >= 0 && value >= last) {
                detector.add(lastAt, now, (value - last) * 1e9 / Math.max(1, now - lastAt));
            }
            lastAt = now;
            last = value;
        }

        @Override
        public List<Event> events() {
            List<Event> events = new ArrayList<>();
            for (Event event : detector.events()) {
                events.add(new Event(
                        event.kind(),
                        event.startNanos() - beforeNanos,
                        event.lengthNanos() + beforeNanos + afterNanos,
                        event.detail()));
            }
            return events;
        }

        @Override
        public Optional<String> note() {
            return detector.note();
        }

        @Override
        public void close() {
            file.close();
        }
    }

    /** Detects when a process was stopped (SIGSTOP, a debugger, a frozen container). */
    private static final class StopSampler implements Sampler {
        private final KernelFile stat;
        private final EventLog log = new EventLog();
        private long lastAt;
        private long stoppedAt;
        private boolean stopped;

        /** A process with its state in a file like /proc/PID/stat. */
        StopSampler(KernelFile stat) {
            this.stat = stat;
        }

        @Override
        public void sample(long now) throws IOException {
            char state = stat.letterAfterBracket();
            if (state == 'Z' || state == 'X') {
                throw new IOException("it ended");
            }
            boolean isStopped = state == 'T' || state == 't';
            if (isStopped && !stopped) {
                stoppedAt = lastAt == 0 ? now : lastAt + (now - lastAt) / 2;
            } else if (!isStopped && stopped) {
                add(lastAt + (now - lastAt) / 2);
            }
            stopped = isStopped;
            lastAt = now;
        }

        private void add(long end) {
            log.add(EventKind.PROCESS_STOPPED, stoppedAt, end - stoppedAt, "");
        }

        @Override
        public List<Event> events() {
            if (stopped) {
                add(lastAt);
                stopped = false;
            }
            return log.events();
        }

        @Override
        public void close() {
            stat.close();
        }
    }

    /**
     * Detects when a control group was throttled. The kernel adds each period to a total at its end. The growth is
     * therefore its length, and the sample that sees it marks its end. Times of several processors are summed, so a
     * period is never reported to begin before the previous one ended.
     */
    private static final class ThrottledTime implements Sampler {
        private static final long LEAST_NANOS = 1_000_000;

        private final KernelFile file;
        private final String word;
        private final long unitNanos;
        private final EventLog log = new EventLog();
        private long longest;
        private long lastAt;
        private long last = -1;
        private long overAt = Long.MIN_VALUE;

        /** Samples the total after a word in a file like cpu.stat, in units of {@code unitNanos}. */
        ThrottledTime(KernelFile file, String word, long unitNanos) {
            this.file = file;
            this.word = word;
            this.unitNanos = unitNanos;
        }

        @Override
        public void sample(long now) throws IOException {
            long total = file.after(word, "");
            if (last >= 0 && total > last) {
                long to = lastAt + (now - lastAt) / 2;
                long from = Math.max(overAt, to - (total - last) * unitNanos);
                if (to - from >= LEAST_NANOS) {
                    log.add(EventKind.THROTTLED, from, to - from, "");
                    longest = Math.max(longest, to - from);
                }
                overAt = to;
            }
            last = total;
            lastAt = now;
        }

        @Override
        public List<Event> events() {
            String detail = String.format(Locale.ROOT, "up to %.0f ms at a time", longest / 1e6);
            return log.events().stream()
                    .map(event -> new Event(event.kind(), event.startNanos(), event.lengthNanos(), detail))
                    .toList();
        }

        @Override
        public Optional<String> note() {
            return log.note().map(note -> EventKind.THROTTLED.words() + ": " + note);
        }

        @Override
        public void close() {
            file.close();
        }
    }

    /**
     * How long runnable threads of a process waited for a processor: the second number of /proc/PID/task/TID/schedstat.
     * The longest-waiting thread is reported, if it waited for several milliseconds and at least a tenth of the longest
     * wait of the run: next to 100 ms, 5 ms is not an event. The kernel counts a wait at its end, so one longer than
     * the sampling interval began earlier.
     */
    private static final class RunDelays implements Sampler {
        /** The maximum number of threads sampled: the first ones found. */
        static final int MOST_THREADS = 400;

        private static final double FLOOR_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
        private static final double LEAST_SHARE_OF_LONGEST = 0.1;

        /** The sampling interval per thread; a sample takes a microsecond. */
        private static final long SAMPLE_NANOS_PER_THREAD = 200_000;

        private static final long LIST_NANOS = TimeUnit.SECONDS.toNanos(1);

        private static final class Task {
            private final KernelFile file;
            private long last;
            private boolean listed = true;

            Task(KernelFile file, long last) {
                this.file = file;
                this.last = last;
            }

            /** Whether its thread has ended; its file is then closed. */
            boolean isGone() {
                if (!listed) {
                    file.close();
                }
                return !listed;
            }
        }

        private final Path folder;
        private final Map<String, Task> tasks = new HashMap<>();
        private final HighValueDetector detector = new HighValueDetector(
                EventKind.PROCESSOR_WAIT,
                FLOOR_NANOS,
                nanos -> String.format(Locale.ROOT, "a thread waited up to %.0f ms", nanos / 1e6));
        private long longestOfAll;
        private boolean tooMany;
        private long listedAt;
        private long lastAt;

        /** A process with its threads in a folder like /proc/PID/task. */
        RunDelays(Path folder) {
            this.folder = folder;
        }

        @Override
        public void sample(long now) throws IOException {
            if (lastAt != 0 && now - lastAt < SAMPLE_NANOS_PER_THREAD * tasks.size()) {
                return;
            }
            long longest = 0;
            for (Iterator<Task> all = tasks.values().iterator(); all.hasNext(); ) {
                Task task = all.next();
                try {
                    long delay = task.file.nth(1);
                    longest = Math.max(longest, delay - task.last);
                    task.last = delay;
                } catch (IOException ended) {
                    task.file.close();
                    all.remove();
                }
            }
            if (lastAt != 0) {
                detector.add(Math.min(lastAt, now - longest), now, (double) longest);
                longestOfAll = Math.max(longestOfAll, longest);
            }
            lastAt = now;
            if (listedAt == 0 || now - listedAt >= LIST_NANOS) {
                list();
                listedAt = now;
            }
        }

        private void list() throws IOException {
            tasks.values().forEach(task -> task.listed = false);
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(folder)) {
                for (Path thread : threads) {
                    Task known = tasks.get(thread.getFileName().toString());
                    if (known != null) {
                        known.listed = true;
                    } else if (tasks.size() >= MOST_THREADS) {
                        tooMany = true;
                    } else {
                        open(thread);
                    }
                }
            } catch (DirectoryIteratorException ended) {
                throw ended.getCause();
            }
            tasks.values().removeIf(Task::isGone);
        }

        private void open(Path thread) {
            try {
                KernelFile file = KernelFile.open(thread.resolve("schedstat"));
                tasks.put(thread.getFileName().toString(), new Task(file, file.nth(1)));
            } catch (IOException ended) { // it ended first
            }
        }

        @Override
        public List<Event> events() {
            return detector.events(LEAST_SHARE_OF_LONGEST * longestOfAll);
        }

        @Override
        public Optional<String> note() {
            return tooMany
                    ? Optional.of("only " + MOST_THREADS + " threads were sampled for processor wait")
                    : detector.note();
        }

        @Override
        public void close() {
            List.copyOf(tasks.values()).forEach(task -> task.file.close()); // the sampling may outlive its end
        }
    }
}
