package dev.downbeat.watch;

import dev.downbeat.watch.sample.SamplingWatcher;
import dev.downbeat.why.Event;
import dev.downbeat.why.Watched;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Watches a JVM through its flight recorder ({@link RemoteRecording}). The clocks are related by an operation whose
 * execution the recorder reports: a deadlock search, which pauses the program for about 0.1 ms. It runs a few times at
 * the start and the end, and three times every ten seconds.
 */
final class JvmWatcher implements Watcher {
    private static final int MANY = 12;
    private static final int FEW = 3;
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final long EVERY_SECONDS = 10;
    private static final long BEGIN_SECONDS = 15;
    private static final long END_SECONDS = 60;
    private static final String GONE = "it ended, or does not answer any more";
    private static final String RECORDER = "jdk.management.jfr:type=FlightRecorder";

    private final String source;
    private final JvmAddress address;
    private final Map<String, String> settings;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread created = new Thread(task, "downbeat-watch");
        created.setDaemon(true);
        return created;
    });
    private final List<Calls.Call> calls = new CopyOnWriteArrayList<>();
    private final Object end = new Object();
    private volatile Optional<String> failure = Optional.empty();
    private volatile boolean ending;
    private JvmAddress.@Nullable Link link;
    private @Nullable RemoteRecording recording;
    private @Nullable Path file;
    private @Nullable Future<?> between;

    /**
     * Creates a watcher.
     *
     * @param settings settings of the recorder
     */
    JvmWatcher(String source, JvmAddress address, Map<String, String> settings) {
        this.source = source;
        this.address = address;
        this.settings = settings;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public void begin() {
        within(BEGIN_SECONDS, "", this::open);
        if (failure.isEmpty()) {
            between = thread.submit(this::callPeriodically);
        }
    }

    /**
     * Runs a task with a time limit; failures are reported in these words or, if there are none, in those of the cause.
     */
    private void within(long seconds, String words, Task task) {
        Future<?> done = thread.submit(() -> {
            try {
                task.run();
            } catch (IOException | JMException | RuntimeException refused) {
                failed(words.isEmpty() ? SamplingWatcher.line(refused) : words);
            }
        });
        try {
            done.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException unresponsive) {
            done.cancel(true);
            failed("no answer within " + seconds + " s");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failed("interrupted");
        } catch (ExecutionException impossible) {
            failed(SamplingWatcher.line(impossible));
        }
    }

    private interface Task {
        void run() throws IOException, JMException;
    }

    private void failed(String why) {
        if (failure.isEmpty()) {
            failure = Optional.of(why);
        }
    }

    private void open() throws IOException, JMException {
        JvmAddress.Link opened = message(address);
        link = opened;
        if (!opened.beans().isRegistered(new ObjectName(RECORDER))) {
            throw new IOException("this JVM has no flight recorder");
        }
        RemoteRecording started = RemoteRecording.start(opened.beans(), settings);
        recording = started;
        Path written = Files.createTempFile("downbeat", ".jfr");
        file = written;
        if (address instanceof JvmAddress.OfProcess) {
            started.dumpIfJvmEnds(written);
        }
        call(opened.beans(), MANY);
    }

    /** An address's own error message is already fit for users. */
    private static JvmAddress.Link message(JvmAddress address) throws IOException {
        try {
            return address.connect();
        } catch (IOException refused) {
            throw new IOException(refused.getMessage()); // its cause is less specific
        }
    }

    private void call(MBeanServerConnection beans, int times) throws IOException, JMException {
        ObjectName threads = new ObjectName("java.lang:type=Threading");
        for (int i = 0; i < times; i++) {
            long sentAt = System.nanoTime();
            beans.invoke(threads, "findDeadlockedThreads", new Object[0], new String[0]);
            calls.add(new Calls.Call(sentAt, System.nanoTime()));
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(GAP_NANOS)); // uneven, as a signature
        }
    }

    private void callPeriodically() {
        JvmAddress.Link open = link;
        RemoteRecording going = recording;
        while (open != null && going != null && !awaitEnding()) {
            try {
                call(open.beans(), FEW);
                going.goOn();
            } catch (IOException | JMException | RuntimeException gone) {
                failed(GONE);
                return;
            }
        }
    }

    private boolean awaitEnding() {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(EVERY_SECONDS);
        synchronized (end) {
            while (!ending && until - System.nanoTime() > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(end, until - System.nanoTime());
                } catch (InterruptedException stopped) {
                    return true;
                }
            }
        }
        return ending;
    }

    @Override
    public Watched end(long startAt, long durationNanos) {
        JvmAddress.Link open = link;
        RemoteRecording ended = recording;
        Path written = file;
        if (open == null || ended == null || written == null || between == null) {
            return Watched.nothing(source, failure.orElse("it was not watched"));
        }
        synchronized (end) {
            ending = true;
            end.notifyAll();
        }
        long endedAt = System.nanoTime();
        if (failure.isEmpty()) {
            within(END_SECONDS, GONE, () -> {
                call(open.beans(), MANY);
                ended.fetch(written);
            });
        }
        FlightEvents events = new FlightEvents();
        try {
            FlightRecording.each(written, events::accept);
        } catch (IOException nothing) {
            return Watched.nothing(source, failure.orElse(SamplingWatcher.line(nothing)));
        }
        return watched(events, startAt, durationNanos, endedAt);
    }

    private Watched watched(FlightEvents events, long startAt, long durationNanos, long endedAt) {
        List<String> notes = new ArrayList<>();
        failure.ifPresent(notes::add);
        List<ClockLink.Exchange> exchanges = Calls.match(calls, events.own());
        if (exchanges.isEmpty()) {
            notes.add("its clock could not be compared with ours: its events are left out");
            return new Watched(source, List.of(), 0, 0, 0, notes);
        }
        ClockLink clock = ClockLink.of(exchanges);
        events.note().ifPresent(notes::add);
        boolean isWhole = exchanges.get(0).sentAt() - calls.get(0).sentAt() < ClockLink.TOGETHER_NANOS;
        long from = Math.max(0, (isWhole ? calls.get(0).sentAt() : clock.ours(events.firstAt())) - startAt);
        long until = failure.isEmpty() ? endedAt : clock.ours(events.lastAt());
        long to = Math.min(durationNanos, Math.max(from, until - startAt));
        List<Event> told = new ArrayList<>();
        for (Event event : events.events()) {
            long start = clock.ours(event.startNanos()) - startAt;
            long end = clock.ours(event.endNanos()) - startAt;
            if (end >= 0 && start <= durationNanos) {
                told.add(new Event(event.kind(), start, Math.max(0, end - start), event.detail()));
            }
        }
        return new Watched(source, told, Math.min(from, to), to, 0, notes).within(clock.uncertaintyNanos());
    }

    @Override
    public void close() {
        thread.shutdownNow();
        Thread closing = new Thread(this::closeAll, "downbeat-watch-close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(TimeUnit.SECONDS.toMillis(2)); // longer only without a response
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAll() {
        RemoteRecording started = recording;
        JvmAddress.Link opened = link;
        Path written = file;
        try {
            if (started != null) {
                started.close();
            }
        } catch (IOException | RuntimeException gone) { // the recording ends with the JVM, or by its time limit
        }
        if (opened != null) {
            opened.close();
        }
        try {
            if (written != null) {
                Files.deleteIfExists(written);
            }
        } catch (IOException undeletable) { // it is in the temporary folder
        }
    }
}
