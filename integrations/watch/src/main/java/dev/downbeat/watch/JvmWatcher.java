package dev.downbeat.watch;

import dev.downbeat.time.Daemon;
import dev.downbeat.watch.sample.SamplingWatcher;
import dev.downbeat.why.Event;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
import jdk.management.jfr.FlightRecorderMXBean;
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
    private static final String GONE = "it ended or stopped responding";
    private static final String SCHEDULER = "jdk.management:type=VirtualThreadScheduler";
    private static final String RECORDER = "jdk.management.jfr:type=FlightRecorder";

    private final String source;
    private final JvmAddress address;
    private final Map<String, String> settings;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Daemon.factory("downbeat-watch"));
    private final List<CallMatching.TimedCall> calls = new CopyOnWriteArrayList<>();
    private final Object end = new Object();
    private volatile Optional<String> failure = Optional.empty();
    private volatile boolean ending;
    private volatile boolean closed;
    private volatile boolean hasVirtualThreads;

    /** Written by the watcher's thread, possibly after {@link #close}. */
    private volatile JvmAddress.@Nullable JvmConnection link;

    private volatile @Nullable RemoteRecording recording;
    private volatile @Nullable Path file;
    private @Nullable Future<?> periodicCalls;

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
            periodicCalls = thread.submit(this::callPeriodically);
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
        try {
            connect();
        } finally {
            if (closed) {
                closeAll();
            }
        }
    }

    private void connect() throws IOException, JMException {
        JvmAddress.JvmConnection opened = connected(address);
        link = opened;
        if (!opened.beans().isRegistered(new ObjectName(RECORDER))) {
            throw new IOException("this JVM has no flight recorder");
        }
        RemoteRecording started = RemoteRecording.create(opened.beans());
        recording = started;
        started.start(settings);
        Path written = Files.createTempFile("downbeat", ".jfr");
        file = written;
        if (address instanceof JvmAddress.OfProcess && !address.isOwn()) {
            started.dumpIfJvmEnds(written);
        }
        call(opened.beans(), MANY);
    }

    /** Connects; an error keeps the address's own message, without its less specific cause. */
    private static JvmAddress.JvmConnection connected(JvmAddress address) throws IOException {
        try {
            return address.connect();
        } catch (IOException refused) {
            throw new IOException(refused.getMessage());
        }
    }

    private void call(MBeanServerConnection beans, int times) throws IOException, JMException {
        ObjectName threads = new ObjectName("java.lang:type=Threading");
        for (int i = 0; i < times; i++) {
            long sentAt = System.nanoTime();
            beans.invoke(threads, "findDeadlockedThreads", new Object[0], new String[0]);
            calls.add(new CallMatching.TimedCall(sentAt, System.nanoTime()));
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(GAP_NANOS)); // uneven, as a signature
        }
    }

    private void callPeriodically() {
        JvmAddress.JvmConnection open = link;
        RemoteRecording current = recording;
        while (open != null && current != null && !awaitEnding()) {
            try {
                call(open.beans(), FEW);
                current.extend();
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
    public WatchResult end(long startAt, long durationNanos) {
        JvmAddress.JvmConnection open = link;
        RemoteRecording ended = recording;
        Path written = file;
        if (open == null || ended == null || written == null || periodicCalls == null) {
            return WatchResult.nothing(source, failure.orElse("it was not watched"));
        }
        synchronized (end) {
            ending = true;
            end.notifyAll();
        }
        long endedAt = System.nanoTime();
        if (failure.isEmpty()) {
            within(END_SECONDS, GONE, () -> {
                call(open.beans(), MANY);
                hasVirtualThreads = hasVirtualThreads(open.beans());
                ended.fetch(written);
            });
        }
        FlightEvents events = new FlightEvents();
        if (hasVirtualThreads) {
            events.foundVirtualThreads();
        }
        try {
            FlightRecording.each(written, events::accept);
        } catch (IOException nothing) {
            return WatchResult.nothing(source, failure.orElse(SamplingWatcher.line(nothing)));
        }
        return watched(events, startAt, durationNanos, endedAt);
    }

    /** Whether virtual threads have run; known from Java 24 on. */
    private static boolean hasVirtualThreads(MBeanServerConnection beans) throws IOException, JMException {
        ObjectName scheduler = new ObjectName(SCHEDULER);
        return beans.isRegistered(scheduler)
                && beans.getAttribute(scheduler, "PoolSize") instanceof Integer carriers
                && carriers > 0;
    }

    private WatchResult watched(FlightEvents events, long startAt, long durationNanos, long endedAt) {
        List<String> notes = new ArrayList<>();
        failure.ifPresent(notes::add);
        if (address.isOwn()) {
            notes.add("the service runs in the JVM of the measurement: its pauses are those of the measurement too");
        }
        List<ClockLink.RoundTrip> exchanges = CallMatching.match(calls, events.own());
        if (exchanges.isEmpty()) {
            notes.add("its clock could not be compared with Downbeat's: its events are left out");
            return new WatchResult(source, List.of(), 0, 0, 0, notes);
        }
        ClockLink clock = ClockLink.of(exchanges);
        notes.addAll(events.notes());
        boolean isWhole = exchanges.get(0).sentAt() - calls.get(0).sentAt() < ClockLink.TOGETHER_NANOS;
        long from = Math.max(0, (isWhole ? calls.get(0).sentAt() : clock.toLocal(events.firstAt())) - startAt);
        long until = failure.isEmpty() ? endedAt : clock.toLocal(events.lastAt());
        long to = Math.min(durationNanos, Math.max(from, until - startAt));
        List<Event> ofRun = new ArrayList<>();
        for (Event event : events.events()) {
            long start = clock.toLocal(event.startNanos()) - startAt;
            long end = clock.toLocal(event.endNanos()) - startAt;
            if (end >= 0 && start <= durationNanos) {
                ofRun.add(new Event(event.kind(), start, Math.max(0, end - start), event.detail()));
            }
        }
        return new WatchResult(source, ofRun, Math.min(from, to), to, 0, notes).within(clock.uncertaintyNanos());
    }

    @Override
    public void close() {
        closed = true;
        thread.shutdownNow();
        Thread closing = Daemon.start("downbeat-watch-close", this::closeAll);
        try {
            closing.join(TimeUnit.SECONDS.toMillis(2)); // longer only without a response
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAll() {
        RemoteRecording started = recording;
        JvmAddress.JvmConnection opened = link;
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

    /**
     * A recording by another JVM's flight recorder. It is fetched at the end rather than streamed, because a stream
     * transfers data every second on the measured service's processors. If abandoned, it ends on its own.
     */
    private static final class RemoteRecording {
        /** How long it continues after the last {@link #extend}. */
        private static final long UNATTENDED_SECONDS = 120;

        /** Far more than hours of a run need; in a permanent service, older data is dropped. */
        private static final String MOST_BYTES = Integer.toString(256 << 20);

        private static final String BLOCK_BYTES = Integer.toString(1 << 20);

        private final FlightRecorderMXBean recorder;
        private final long id;
        private final long startedAt = System.nanoTime();

        private RemoteRecording(FlightRecorderMXBean recorder, long id) {
            this.recorder = recorder;
            this.id = id;
        }

        /** Creates a recording, which must be closed: until it starts, it does not end on its own. */
        static RemoteRecording create(MBeanServerConnection beans) throws IOException {
            FlightRecorderMXBean recorder = ManagementFactory.newPlatformMXBeanProxy(
                    beans, FlightRecorderMXBean.MXBEAN_NAME, FlightRecorderMXBean.class);
            return new RemoteRecording(recorder, recorder.newRecording());
        }

        void start(Map<String, String> settings) {
            recorder.setRecordingSettings(id, settings);
            recorder.setRecordingOptions(id, Map.of("name", "Downbeat", "maxSize", MOST_BYTES));
            extend();
            recorder.startRecording(id);
        }

        /** Makes a JVM on this machine write the recording to a file if the JVM ends first. */
        void dumpIfJvmEnds(Path file) {
            try {
                recorder.setRecordingOptions(id, Map.of("destination", file.toString(), "dumpOnExit", "true"));
            } catch (IllegalArgumentException denied) { // it belongs to another user or a container
            }
        }

        void extend() {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedAt) + UNATTENDED_SECONDS;
            recorder.setRecordingOptions(id, Map.of("duration", seconds + " s"));
        }

        /** Ends the recording and writes it to a file. */
        void fetch(Path file) throws IOException {
            recorder.setRecordingOptions(id, Collections.singletonMap("destination", null)); // requested explicitly
            recorder.stopRecording(id);
            long stream = recorder.openStream(id, Map.of("blockSize", BLOCK_BYTES));
            try (OutputStream out = Files.newOutputStream(file)) {
                for (byte[] block = recorder.readStream(stream); block != null; block = recorder.readStream(stream)) {
                    out.write(block);
                }
            }
            recorder.closeStream(stream);
        }

        void close() throws IOException {
            recorder.closeRecording(id);
        }
    }

    /**
     * Matches Downbeat's own calls with the operations in a recording, which also contains those of others. Calls are
     * made at uneven intervals, so that only one clock offset lets most of a group match.
     */
    static final class CallMatching {
        private static final double MOST = 0.75;

        /** This many calls together are identified by their intervals, whatever the clocks show. */
        private static final int SURE = 6;

        private static final long DRIFT_NANOS = 100_000_000;

        /** A call, on Downbeat's clock. */
        record TimedCall(long sentAt, long answeredAt) {}

        private CallMatching() {}

        /**
         * The calls with matching operations, in order; empty if nothing matches. Both lists are in time order. A
         * recording that ran out of space has dropped the earliest operations.
         */
        static List<ClockLink.RoundTrip> match(List<TimedCall> calls, List<FlightEvents.OwnOperation> operations) {
            List<ClockLink.RoundTrip> all = new ArrayList<>();
            int from = 0;
            for (int i = 1; i <= calls.size(); i++) {
                if (i == calls.size() || calls.get(i).sentAt - calls.get(from).sentAt > ClockLink.TOGETHER_NANOS) {
                    if (!all.isEmpty() || i - from >= SURE) {
                        all.addAll(group(calls.subList(from, i), operations, all));
                    }
                    from = i;
                }
            }
            return all;
        }

        private static List<ClockLink.RoundTrip> group(
                List<TimedCall> calls, List<FlightEvents.OwnOperation> operations, List<ClockLink.RoundTrip> before) {
            List<ClockLink.RoundTrip> best = List.of();
            for (int first = 0; first < operations.size(); first++) {
                FlightEvents.OwnOperation operation = operations.get(first);
                long offset = calls.get(0).sentAt - operation.startNanos();
                if (before.isEmpty() || Math.abs(offset - offset(before.get(before.size() - 1))) < DRIFT_NANOS) {
                    List<ClockLink.RoundTrip> found = from(calls, operations, first);
                    best = found.size() > best.size() ? found : best;
                }
            }
            return best.size() >= Math.max(2, MOST * calls.size()) ? best : List.of();
        }

        private static long offset(ClockLink.RoundTrip exchange) {
            return exchange.sentAt() - exchange.remoteStart();
        }

        /** The number of consistent matches if the first call is this operation. */
        private static List<ClockLink.RoundTrip> from(
                List<TimedCall> calls, List<FlightEvents.OwnOperation> operations, int first) {
            long least = Long.MIN_VALUE;
            long most = Long.MAX_VALUE;
            List<ClockLink.RoundTrip> found = new ArrayList<>();
            int at = first;
            for (TimedCall call : calls) {
                for (int i = at; i < operations.size(); i++) {
                    FlightEvents.OwnOperation each = operations.get(i);
                    long low = Math.max(least, call.sentAt - each.startNanos());
                    long high = Math.min(most, call.answeredAt - each.endNanos());
                    if (low <= high) {
                        found.add(new ClockLink.RoundTrip(
                                call.sentAt, each.startNanos(), each.endNanos(), call.answeredAt));
                        least = low;
                        most = high;
                        at = i + 1;
                        break;
                    }
                    if (found.isEmpty() || call.answeredAt - each.startNanos() < least) {
                        break; // the first is given; and later ones are too late
                    }
                }
            }
            return found;
        }
    }

    /**
     * The relation of two clocks, derived from exchanges: a request at one local instant, an event at a remote one, and
     * a response at a local one. The offset is limited by the round trip. Exchanges within {@link #TOGETHER_NANOS} of
     * each other narrow it further (Cristian 1989; Marzullo and Owicki 1983). Between such groups the offset is
     * interpolated linearly.
     */
    record ClockLink(List<Anchor> anchors) {
        static final long TOGETHER_NANOS = 1_000_000_000;

        /** One exchange. All values in nanoseconds, on two clocks with arbitrary origins. */
        record RoundTrip(long sentAt, long remoteStart, long remoteEnd, long answeredAt) {
            private long least() {
                return sentAt - remoteStart;
            }

            private long most() {
                return Math.max(least(), answeredAt - remoteEnd);
            }
        }

        private record Anchor(long remote, long offset, long halfWidth) {}

        /** Derived from at least one exchange, in order. */
        static ClockLink of(List<RoundTrip> exchanges) {
            List<Anchor> anchors = new ArrayList<>();
            int from = 0;
            for (int i = 1; i <= exchanges.size(); i++) {
                if (i == exchanges.size() || exchanges.get(i).sentAt - exchanges.get(from).sentAt > TOGETHER_NANOS) {
                    anchors.add(anchor(exchanges.subList(from, i)));
                    from = i;
                }
            }
            return new ClockLink(anchors);
        }

        private static Anchor anchor(List<RoundTrip> group) {
            long least = Long.MIN_VALUE;
            long most = Long.MAX_VALUE;
            RoundTrip narrowest = group.get(0);
            for (RoundTrip each : group) {
                least = Math.max(least, each.least());
                most = Math.min(most, each.most());
                if (each.most() - each.least() < narrowest.most() - narrowest.least()) {
                    narrowest = each;
                }
            }
            if (most < least) { // the remote clock was set, or runs unevenly: use the best exchange alone
                least = narrowest.least();
                most = narrowest.most();
            }
            return new Anchor(narrowest.remoteStart, least + (most - least) / 2, (most - least + 1) / 2);
        }

        /** Converts a remote instant to the local clock. */
        long toLocal(long remote) {
            Anchor before = anchors.get(0);
            for (Anchor after : anchors) {
                if (remote < after.remote) {
                    return remote + between(before, after, remote);
                }
                before = after;
            }
            return remote + before.offset;
        }

        private static long between(Anchor before, Anchor after, long remote) {
            long length = after.remote - before.remote;
            return length <= 0
                    ? after.offset
                    : before.offset
                            + Math.round((double) (remote - before.remote) / length * (after.offset - before.offset));
        }

        /** The maximum error of {@link #toLocal}, in either direction. */
        long uncertaintyNanos() {
            return anchors.stream().mapToLong(Anchor::halfWidth).max().orElse(0);
        }
    }
}
