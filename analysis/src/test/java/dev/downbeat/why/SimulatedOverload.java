package dev.downbeat.why;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
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
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A service on paper that is slow because too much is asked of it, for a while or more and more, and whose events keep nobody
 * waiting: each kind that is named for its tail is innocent.
 */
final class SimulatedOverload {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    private static final int THREADS = 2;
    private static final double MEAN_MILLIS = 3.4;
    private static final double CAPACITY = THREADS * 1_000 / MEAN_MILLIS;

    /** How the load changes. */
    enum Course {
        RAMP("a ramp into overload"),
        SPIKE("a spike of overload");

        final String words;

        Course(String words) {
            this.words = words;
        }
    }

    /** What the events follow. */
    enum Events {
        /** They come at any time. */
        ANY_TIME("events at any time"),
        /** The more is asked, the more of them: reads of other services, waits for a lock. */
        WITH_LOAD("events with the load");

        final String words;

        Events(String words) {
            this.words = words;
        }
    }

    private final Random random;
    private final Events kind;
    private final long length;
    private final Steps arrivals;
    private final List<Event> events = new ArrayList<>();

    private final double base;
    private final double top;
    private final double often;
    private final long spikeFrom;
    private final long spikeTo;
    private final Course course;

    SimulatedOverload(long seed, Course course, Events kind) {
        this.random = new Random(seed);
        this.course = course;
        this.kind = kind;
        this.length = (20 + random.nextInt(41)) * S;
        this.base = (0.2 + 0.4 * random.nextDouble()) * CAPACITY;
        this.top = (1.1 + 0.9 * random.nextDouble()) * CAPACITY;
        this.spikeFrom = (long) ((0.2 + 0.4 * random.nextDouble()) * length);
        this.spikeTo = spikeFrom + (2 + random.nextInt(5)) * S;
        this.often = Math.pow(10, -3 + 2.5 * random.nextDouble());
        this.arrivals = arrivals(seed);
    }

    private Steps arrivals(long seed) {
        if (course == Course.RAMP) {
            Ramp ramp = new Ramp(rate(base), rate(top), length, new Spacing.Poisson(seed));
            return new Steps(List.of(new Step(ramp, length)));
        }
        return new Steps(List.of(
                new Step(new Poisson(rate(base), seed), spikeFrom),
                new Step(new Poisson(rate(top), seed + 1), spikeTo - spikeFrom),
                new Step(new Poisson(rate(base), seed + 2), length - spikeTo)));
    }

    private static Rate rate(double perSecond) {
        return Rate.perSecond((long) perSecond);
    }

    private double perSecond(long at) {
        if (course == Course.RAMP) {
            return base + (top - base) * at / length;
        }
        return at >= spikeFrom && at < spikeTo ? top : base;
    }

    /** One request. */
    private record Request(long intended, long ended) {}

    SimulatedCauses.Seen seen() {
        PriorityQueue<Long> threads = new PriorityQueue<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(0L);
        }
        List<Request> requests = new ArrayList<>();
        double at = 0;
        while ((at -= Math.log(1 - random.nextDouble()) * S / Math.max(base, top)) < length) {
            long intended = (long) at;
            if (random.nextDouble() < perSecond(intended) / Math.max(base, top)) {
                long begun = Math.max(intended, threads.remove());
                long ended = begun + (long) (3 * MS * Math.exp(0.5 * random.nextGaussian()));
                threads.add(ended);
                requests.add(new Request(intended, ended));
                if (kind == Events.WITH_LOAD) {
                    withWork(begun);
                }
            }
        }
        if (kind == Events.ANY_TIME) {
            background();
        }
        RunResult result = result(requests);
        return new SimulatedCauses.Seen(
                result, List.of(new WatchResult("jvm:1", events, 0, result.durationNanos(), 0, List.of())));
    }

    private void event(EventKind what, double share, long at, int leastMillis, int mostMillis, String detail) {
        if (random.nextDouble() < share) {
            events.add(new Event(what, at, (leastMillis + random.nextInt(mostMillis - leastMillis)) * MS, detail));
        }
    }

    private void withWork(long at) {
        event(EventKind.SOCKET_READ, often, at, 10, 60, "prices:8080");
        event(EventKind.LOCK_WAIT, often / 2, at, 10, 40, "Cache in Cache.get");
        event(EventKind.COLLECTION_PAUSE, 0.003, at, 1, 3, "G1 Young");
        event(EventKind.FILE_WRITE, 0.003, at, 10, 30, "orders.db");
    }

    private void background() {
        for (int i = 0; i < length / S; i++) {
            event(EventKind.COLLECTION_PAUSE, 0.8, anyTime(), 1, 3, "G1 Young");
            event(EventKind.PARKED, 1, anyTime(), 10, 910, "LinkedBlockingQueue in Worker.run");
            event(EventKind.LOCK_WAIT, 1, anyTime(), 10, 50, "Appender in Log.flush");
            event(EventKind.SOCKET_READ, 1, anyTime(), 10, 210, "metrics:9090");
            event(EventKind.COMPILATION, 0.25, anyTime(), 50, 250, "");
            event(EventKind.FILE_WRITE, 0.25, anyTime(), 10, 40, "app.log");
            event(EventKind.PROCESSOR_WAIT, 0.25, anyTime(), 20, 21, "");
        }
    }

    private long anyTime() {
        return (long) (random.nextDouble() * length);
    }

    private RunResult result(List<Request> requests) {
        RequestKeeper keeper = new RequestKeeper(KeptRequests.MOST, 1);
        Exchange exchange = new Exchange(0);
        List<Request> byEnd = new ArrayList<>(requests);
        byEnd.sort(Comparator.comparingLong(Request::ended));
        CorrectedRecorder recorder = new CorrectedRecorder();
        Recording whole = Recording.empty();
        List<Interval> intervals = new ArrayList<>();
        int planned = 0;
        int done = 0;
        for (long from = 0; from < length || done < byEnd.size(); from += S) {
            int before = planned;
            while (planned < requests.size() && requests.get(planned).intended < from + S) {
                planned++;
            }
            recorder.planned(planned - before);
            while (done < byEnd.size() && byEnd.get(done).ended < from + S) {
                Request one = byEnd.get(done);
                exchange.index = done++;
                exchange.begin(one.intended, one.intended, one.intended);
                exchange.completedAt = one.ended;
                recorder.completed(exchange);
                keeper.ended(exchange, one.ended, true);
            }
            Recording second = recorder.drain();
            whole = whole.plus(second);
            intervals.add(new Interval(from, from + S, second, ConnectionCounts.NONE, ProcessDelays.NONE));
        }
        RunPlan plan = RunPlan.builder(new Workload.Open(arrivals))
                .duration(Duration.ofNanos(length))
                .build();
        return RunResult.soFar(plan, whole, intervals).with(keeper.kept());
    }
}
