package dev.downbeat.watch;

import dev.downbeat.why.Event;
import dev.downbeat.why.Watched;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
import jdk.management.jfr.RemoteRecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Watches a JVM by its flight recorder, streamed over its management while it runs ({@link RemoteRecordingStream}; the other JVM
 * must be of Java 16 or newer). Its clock is compared with ours by an operation whose execution the recorder reports: a look for
 * deadlocks, which stops the program for about 0.1 ms; some at the beginning and at the end, and three every five seconds.
 */
final class JvmWatcher implements Watcher {
    static final long MOST_UNCERTAINTY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int MANY = 12;
    private static final int FEW = 3;
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final long EVERY_SECONDS = 5;
    private static final long BEGIN_SECONDS = 15;
    private static final long END_SECONDS = 10;
    private static final String RECORDER = "jdk.management.jfr:type=FlightRecorder";

    private final String source;
    private final JvmAddress address;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread created = new Thread(task, "downbeat-watch");
        created.setDaemon(true);
        return created;
    });
    private final FlightEvents events = new FlightEvents();
    private final List<Calls.Call> calls = new CopyOnWriteArrayList<>();
    private final Object end = new Object();
    private volatile Optional<String> failure = Optional.empty();
    private volatile boolean ending;
    private JvmAddress.@Nullable Link link;
    private @Nullable RemoteRecordingStream stream;
    private @Nullable Future<?> between;

    JvmWatcher(String source, JvmAddress address) {
        this.source = source;
        this.address = address;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public void begin() {
        within(BEGIN_SECONDS, this::open);
        if (failure.isEmpty()) {
            between = thread.submit(this::callNowAndThen);
        }
    }

    private void within(long seconds, Task task) {
        Future<?> done = thread.submit(() -> {
            try {
                task.run();
            } catch (IOException | JMException | RuntimeException refused) {
                failed(JvmAddress.line(refused));
            }
        });
        try {
            done.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            done.cancel(true);
            failed("no answer within " + seconds + " s");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failed("interrupted");
        } catch (ExecutionException impossible) {
            failed(JvmAddress.line(impossible));
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
        RemoteRecordingStream started = stream(opened.beans());
        stream = started;
        started.setSettings(FlightSetting.all());
        started.onEvent(this::accept);
        started.onError(error -> {});
        started.startAsync();
        call(opened.beans(), MANY);
    }

    /** What an address says of its failure is for readers as it is. */
    private static JvmAddress.Link message(JvmAddress address) throws IOException {
        try {
            return address.connect();
        } catch (IOException refused) {
            throw new IOException(refused.getMessage()); // its cause says less
        }
    }

    private static RemoteRecordingStream stream(MBeanServerConnection beans) throws IOException {
        try {
            return new RemoteRecordingStream(beans);
        } catch (IOException | IllegalArgumentException refused) {
            throw new IOException(
                    "its flight recorder cannot be streamed, which Java 16 and newer can; for older ones see"
                            + " 'downbeat explain --jfr': " + JvmAddress.line(refused));
        }
    }

    private void accept(jdk.jfr.consumer.RecordedEvent event) {
        synchronized (events) {
            events.accept(event);
            events.notifyAll();
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

    private void callNowAndThen() {
        JvmAddress.Link open = link;
        while (open != null && !awaitEnding()) {
            try {
                call(open.beans(), FEW);
            } catch (IOException | JMException | RuntimeException gone) {
                failed("it ended, or does not answer any more");
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
        if (open == null || between == null) {
            return Watched.nothing(source, failure.orElse("it was not watched"));
        }
        synchronized (end) {
            ending = true;
            end.notifyAll();
        }
        long endedAt = System.nanoTime();
        if (failure.isEmpty()) {
            within(END_SECONDS, () -> {
                call(open.beans(), MANY);
                awaitLast();
            });
        }
        synchronized (events) {
            return watched(startAt, durationNanos, endedAt);
        }
    }

    /** The recorder hands over its events every second: until it has told of our last call, it has not told all. */
    private void awaitLast() throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS / 2);
        synchronized (events) {
            int looked = 0;
            while (until - System.nanoTime() > 0) {
                if (events.ownOperations() >= calls.size() && events.ownOperations() > looked) {
                    looked = events.ownOperations();
                    if (isLastTold()) {
                        return;
                    }
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(events, until - System.nanoTime());
                } catch (InterruptedException stopped) {
                    throw new IOException("interrupted", stopped);
                }
            }
        }
    }

    private boolean isLastTold() {
        List<ClockLink.Exchange> exchanges = Calls.match(calls, events.own());
        return !exchanges.isEmpty()
                && exchanges.get(exchanges.size() - 1).sentAt()
                        == calls.get(calls.size() - 1).sentAt();
    }

    private Watched watched(long startAt, long durationNanos, long endedAt) {
        List<String> notes = new ArrayList<>();
        failure.ifPresent(notes::add);
        Optional<ClockLink> clocks = clocks();
        if (clocks.isEmpty()) {
            notes.add("its clock could not be compared with ours: its events are left out");
            return new Watched(source, List.of(), 0, 0, 0, notes);
        }
        ClockLink clock = clocks.get();
        if (clock.uncertaintyNanos() > MOST_UNCERTAINTY_NANOS) {
            notes.add(String.format(
                    java.util.Locale.ROOT,
                    "its clock is known to %.1f ms only, not to 10 ms: its events are left out",
                    clock.uncertaintyNanos() / 1e6));
            return new Watched(source, List.of(), 0, 0, clock.uncertaintyNanos(), notes);
        }
        events.note().ifPresent(notes::add);
        long from = Math.max(0, calls.get(0).sentAt() - startAt);
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
        return new Watched(source, told, Math.min(from, to), to, clock.uncertaintyNanos(), notes);
    }

    private Optional<ClockLink> clocks() {
        List<ClockLink.Exchange> exchanges = Calls.match(calls, events.own());
        return exchanges.isEmpty() ? Optional.empty() : Optional.of(ClockLink.of(exchanges));
    }

    @Override
    public void close() {
        thread.shutdownNow();
        RemoteRecordingStream started = stream;
        JvmAddress.Link opened = link;
        Thread closing = new Thread(
                () -> {
                    if (started != null) {
                        started.close();
                    }
                    if (opened != null) {
                        opened.close();
                    }
                },
                "downbeat-watch-close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(TimeUnit.SECONDS.toMillis(2)); // longer only if nobody answers
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
