package dev.downbeat.why;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.record.recorder.RequestKeeper;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

/**
 * A service on paper with causes of slowness and the events that a watcher would see: a queue before a few threads, which stand
 * or get slow, wait for a lock, for a place in a pool, for another service or for the disk. Beside these happens what happens in
 * every service and keeps nobody waiting for long.
 */
final class SimulatedCauses {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    private static final int THREADS = 16;
    private static final int PER_SECOND = 500;

    /** What a sampler looks at each time: pressure, waits of threads, whether the process stands. */
    private static final long SAMPLE = 100 * MS;

    private static final long THREADS_SAMPLE = 20 * MS;
    private static final long STATE_SAMPLE = 5 * MS;

    /** A period of a limit of processor time. */
    private static final long PERIOD = 100 * MS;

    /** What is done to the service. */
    enum Injected {
        STOP(EventKind.PROCESS_STOPPED),
        FULL_GC(EventKind.FULL_COLLECTION),
        PAUSES(EventKind.COLLECTION_PAUSE),
        THROTTLE(EventKind.THROTTLED),
        NEIGHBOUR(EventKind.PROCESSOR_WAIT),
        DISK(EventKind.IO_STALL),
        LOCK(EventKind.LOCK_WAIT),
        POOL(EventKind.PARKED),
        BACKEND(EventKind.SOCKET_READ),
        FSYNC(EventKind.FILE_WRITE);

        final EventKind kind;

        Injected(EventKind kind) {
            this.kind = kind;
        }
    }

    private final Random random;
    private final long length;
    private final Set<Injected> injected;
    private final boolean areHidden;
    private final int often;
    private final List<Event> events = new ArrayList<>();

    private UnsteadyProcessor processor = new UnsteadyProcessor(Spans.of(List.of()), Spans.of(List.of()));
    private Spans locked = Spans.of(List.of());
    private Spans crowded = Spans.of(List.of());
    private Spans faraway = Spans.of(List.of());
    private Spans flushed = Spans.of(List.of());

    /**
     * A run to come.
     *
     * @param areHidden whether the causes leave no events, and others that have nothing to do with them do
     */
    SimulatedCauses(long seed, long lengthSeconds, Set<Injected> injected, boolean areHidden) {
        this(seed, lengthSeconds, injected, areHidden, 1);
    }

    /**
     * A run to come.
     *
     * @param often so many times as many of each cause in a minute
     */
    SimulatedCauses(long seed, long lengthSeconds, Set<Injected> injected, boolean areHidden, int often) {
        this.random = new Random(seed);
        this.length = lengthSeconds * S;
        this.injected = injected.isEmpty() ? EnumSet.noneOf(Injected.class) : EnumSet.copyOf(injected);
        this.areHidden = areHidden;
        this.often = often;
    }

    /** What a run and its watcher bring home. */
    record Seen(RunResult result, List<WatchResult> watched) {}

    Seen seen() {
        List<long[]> stopped = new ArrayList<>();
        Spans slow = Spans.of(List.of());
        for (Injected one : injected) {
            switch (one) {
                case STOP -> stopped.addAll(seenAtLooks(at(3, 200, 400)));
                case FULL_GC -> {
                    List<long[]> pauses = told(one, at(3, 200, 600), "G1 Full, System.gc()");
                    stopped.addAll(pauses);
                    (areHidden ? at(3, 200, 600) : pauses)
                            .forEach(
                                    pause -> event(EventKind.SAFEPOINT, pause[0] - MS, pause[1] + MS, "G1CollectFull"));
                }
                case PAUSES -> stopped.addAll(told(one, at(40, 30, 80), "G1 Young"));
                case THROTTLE -> stopped.addAll(throttled());
                case NEIGHBOUR -> slow = slow.with(Spans.of(sampled(one, at(3, 600, 1_400), THREADS_SAMPLE)));
                case DISK -> slow = slow.with(Spans.of(sampled(one, at(3, 600, 1_400), SAMPLE)));
                case LOCK -> locked = Spans.of(at(8, 150, 300));
                case POOL -> crowded = Spans.of(at(4, 300, 700));
                case BACKEND -> faraway = Spans.of(at(4, 300, 600));
                case FSYNC -> flushed = Spans.of(at(8, 150, 300));
            }
        }
        background(stopped);
        processor = new UnsteadyProcessor(Spans.of(stopped), slow);
        RunResult result = run();
        return new Seen(result, List.of(new WatchResult("jvm:1", events, 0, length, 0, List.of())));
    }

    /** Stretches of so many milliseconds at random times, apart from each other. */
    private List<long[]> at(int perMinute, int leastMillis, int mostMillis) {
        return times(
                Math.max(1, (int) Math.round((double) perMinute * often * length / 60.0 / S)), leastMillis, mostMillis);
    }

    private List<long[]> times(int count, int leastMillis, int mostMillis) {
        List<long[]> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long lasts = (leastMillis + random.nextInt(mostMillis - leastMillis)) * MS;
            long from = (long) ((i + 0.1 + 0.8 * random.nextDouble()) / count * (length - 2 * S));
            pairs.add(new long[] {from, from + lasts});
        }
        return pairs;
    }

    private void event(EventKind kind, long from, long to, String detail) {
        events.add(new Event(kind, from, Math.max(0, to - from), detail));
    }

    private List<long[]> told(Injected one, List<long[]> pairs, String detail) {
        for (long[] pair : areHidden ? times(pairs.size(), 200, 400) : pairs) {
            event(one.kind, pair[0], pair[1], detail);
        }
        return pairs;
    }

    /** What a sampler sees of it: the whole of each time between two looks. */
    private List<long[]> sampled(Injected one, List<long[]> pairs, long every) {
        long phase = random.nextInt((int) (every / MS)) * MS;
        for (long[] pair : areHidden ? at(3, 600, 1_400) : pairs) {
            long from = pair[0] - Math.floorMod(pair[0] - phase, every);
            long to = pair[1] + every - Math.floorMod(pair[1] - phase, every);
            event(one.kind, from, to, "");
        }
        return pairs;
    }

    /** Stops, whose ends lie somewhere between two looks. */
    private List<long[]> seenAtLooks(List<long[]> pairs) {
        for (long[] pair : areHidden ? times(pairs.size(), 200, 400) : pairs) {
            event(EventKind.PROCESS_STOPPED, pair[0] + betweenLooks(), pair[1] + betweenLooks(), "");
        }
        return pairs;
    }

    private long betweenLooks() {
        return (long) ((random.nextDouble() - 0.5) * STATE_SAMPLE);
    }

    /**
     * Of each period most stands. It is told when it is over, with its length. Who holds a lock then holds it until the group is let
     * run again for long enough: a consequence, and no cause.
     */
    private List<long[]> throttled() {
        List<long[]> stopped = new ArrayList<>();
        for (long[] stretch : at(4, 500, 1_200)) {
            long stands = (74 + random.nextInt(20)) * MS;
            for (long at = stretch[0]; at < stretch[1]; at += PERIOD) {
                stopped.add(new long[] {at, at + stands});
            }
            if (!areHidden) {
                event(EventKind.LOCK_WAIT, stretch[0] + 3 * MS, stretch[1] + 2 * MS, "Object in Shop.price");
            }
        }
        for (long[] stand : areHidden ? times(stopped.size(), 80, 95) : stopped) {
            long late = betweenLooks();
            event(EventKind.THROTTLED, stand[0] + late, stand[1] + late, "");
        }
        return stopped;
    }

    /** What happens everywhere and hardly matters. */
    private void background(List<long[]> stopped) {
        for (long at = random.nextInt(1_000) * MS; at < length; at += S + random.nextInt(400) * MS) {
            long lasts = (200 + random.nextInt(800)) * MS / 1_000;
            event(EventKind.COLLECTION_PAUSE, at, at + lasts, "G1 Young");
            stopped.add(new long[] {at, at + lasts});
        }
        for (int i = 0; i < length / S; i++) {
            long at = (long) (random.nextDouble() * length);
            event(EventKind.PARKED, at, at + (10 + random.nextInt(900)) * MS, "LinkedBlockingQueue in Worker.run");
            at = (long) (random.nextDouble() * length);
            event(EventKind.LOCK_WAIT, at, at + (10 + random.nextInt(40)) * MS, "Appender in Log.flush");
            at = (long) (random.nextDouble() * length);
            event(EventKind.SOCKET_READ, at, at + (10 + random.nextInt(200)) * MS, "metrics:9090");
            if (i % 4 == 0) {
                at = (long) (random.nextDouble() * length);
                event(EventKind.COMPILATION, at, at + (50 + random.nextInt(200)) * MS, "");
                event(EventKind.FILE_WRITE, at + 3 * S, at + 3 * S + (10 + random.nextInt(30)) * MS, "app.log");
                at = at - Math.floorMod(at, THREADS_SAMPLE);
                event(EventKind.PROCESSOR_WAIT, at, at + THREADS_SAMPLE, "");
            }
        }
    }

    /** The end of what goes on at an instant, or the instant. */
    private static long endOf(Spans spans, long at) {
        int span = spans.firstAfter(at);
        return span < spans.count() && spans.from(span) <= at ? spans.to(span) : at;
    }

    private RunResult run() {
        PriorityQueue<Long> threads = new PriorityQueue<>();
        long[] pool = new long[2];
        for (int i = 0; i < THREADS; i++) {
            threads.add(0L);
        }
        CorrectedRecorder recorder = new CorrectedRecorder();
        RequestKeeper keeper = new RequestKeeper(KeptRequests.MOST, 1);
        Exchange exchange = new Exchange(0);
        double at = 0;
        long planned = 0;
        while ((at -= Math.log(1 - random.nextDouble()) * S / PER_SECOND) < length - S) {
            long intended = (long) at;
            long begun = Math.max(intended, threads.remove());
            long ended = serve(begun, pool);
            threads.add(ended);
            exchange.index = planned++;
            exchange.begin(intended, intended, intended);
            exchange.completedAt = ended;
            recorder.planned(1);
            recorder.completed(exchange);
            keeper.ended(exchange, ended, true);
        }
        Recording recording = recorder.drain();
        Interval interval = new Interval(0, length, recording, ConnectionCounts.NONE, ProcessDelays.NONE);
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(PER_SECOND))))
                .duration(Duration.ofNanos(length))
                .build();
        return RunResult.soFar(plan, recording, List.of(interval)).with(keeper.kept());
    }

    private long serve(long begun, long[] pool) {
        long at = processor.worked(begun, MS * Math.exp(0.5 * random.nextGaussian()));
        if (random.nextInt(10) < 6) {
            at = waited(EventKind.LOCK_WAIT, "Cache in Cache.get", at, endOf(locked, at));
        }
        if (random.nextInt(10) < 4) {
            at = waited(EventKind.FILE_WRITE, "orders.db", at, endOf(flushed, at));
        }
        if (endOf(faraway, at) > at) {
            at = waited(EventKind.SOCKET_READ, "prices:8080", at, at + (60 + random.nextInt(120)) * MS);
        }
        if (endOf(crowded, at) > at || (pool[0] > at && pool[1] > at)) {
            Arrays.sort(pool);
            long free = waited(EventKind.PARKED, "Semaphore in Pool.take", at, Math.max(at, pool[0]));
            pool[0] = processor.worked(free, (endOf(crowded, free) > free ? 30.0 : 1.0) * MS);
            at = pool[0];
        }
        return processor.worked(at, 2 * MS * Math.exp(0.5 * random.nextGaussian()));
    }

    /** Waits of 10 ms and more are told. */
    private long waited(EventKind kind, String detail, long from, long to) {
        if (to - from >= 10 * MS && !areHidden) {
            event(kind, from, to, detail);
        }
        return to;
    }
}
