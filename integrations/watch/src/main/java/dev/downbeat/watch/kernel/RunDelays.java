package dev.downbeat.watch.kernel;

import dev.downbeat.watch.sample.HighSpells;
import dev.downbeat.watch.sample.Sampler;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How long runnable threads of a process waited for a processor: the second number of /proc/PID/task/TID/schedstat. The
 * longest-waiting thread is reported, if it waited for several milliseconds and at least a tenth of the longest wait of
 * the run: next to 100 ms, 5 ms is not an event. The kernel counts a wait at its end, so one longer than the sampling
 * interval began earlier.
 */
final class RunDelays implements Sampler {
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
    }

    private final Path folder;
    private final Map<String, Task> tasks = new HashMap<>();
    private final HighSpells spells = new HighSpells(
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
        List<String> gone = new ArrayList<>();
        for (Map.Entry<String, Task> each : tasks.entrySet()) {
            Task task = each.getValue();
            try {
                long delay = task.file.nth(1);
                longest = Math.max(longest, delay - task.last);
                task.last = delay;
            } catch (IOException ended) {
                gone.add(each.getKey());
            }
        }
        for (String each : gone) {
            forget(each);
        }
        if (lastAt != 0) {
            spells.add(Math.min(lastAt, now - longest), now, (double) longest);
            longestOfAll = Math.max(longestOfAll, longest);
        }
        lastAt = now;
        if (listedAt == 0 || now - listedAt >= LIST_NANOS) {
            list();
            listedAt = now;
        }
    }

    private void forget(String name) {
        Task task = tasks.remove(name);
        if (task != null) {
            task.file.close();
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
        } catch (java.nio.file.DirectoryIteratorException ended) {
            throw ended.getCause();
        }
        List.copyOf(tasks.keySet()).stream()
                .filter(name -> {
                    Task task = tasks.get(name);
                    return task != null && !task.listed;
                })
                .forEach(this::forget);
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
        return spells.events(LEAST_SHARE_OF_LONGEST * longestOfAll);
    }

    @Override
    public Optional<String> note() {
        return tooMany
                ? Optional.of(
                        "only " + MOST_THREADS + " of its threads were asked how long they waited for a processor")
                : Optional.empty();
    }

    @Override
    public void close() {
        List.copyOf(tasks.keySet()).forEach(this::forget);
    }
}
