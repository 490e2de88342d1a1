package dev.downbeat.verdict;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ShardRun;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds results of runs that never happened. Every request that is added is also planned, unless said otherwise. */
public final class RunFixture {
    /** A millisecond in nanoseconds. */
    public static final long MS = 1_000_000;

    /** A second in nanoseconds. */
    public static final long S = 1_000_000_000;

    /** When each of these runs began. */
    public static final Instant STARTED = Instant.parse("2026-03-01T12:00:00Z");

    private final CorrectedRecorder recorder = new CorrectedRecorder();
    private final Exchange exchange = new Exchange(0);
    private final List<Interval> intervals = new ArrayList<>();
    private Workload workload = new Workload.Open(new Poisson(Rate.perSecond(1_000), 0x7f3a));
    private RunSpan.Ending ending = RunSpan.Ending.COMPLETE;
    private Optional<String> failure = Optional.empty();
    private ConnectionCounts connections = ConnectionCounts.NONE;
    private ConnectionCounts reopened = ConnectionCounts.NONE;
    private TargetCounts counts = TargetCounts.NONE;
    private GeneratorHealth health = healthy();
    private Duration planned = Duration.ofSeconds(20);
    private Duration timeout = Duration.ofSeconds(30);
    private Duration warmUp = Duration.ZERO;
    private long durationNanos = 20 * S;
    private long intervalStart;
    private long peakBacklog;
    private long peakBacklogAtNanos;
    private Saturation saturation = Saturation.NONE;
    private ProcessDelays strain = ProcessDelays.NONE;
    private Optional<Instant> start = Optional.empty();
    private List<ShardRun> shards = List.of();

    /** A process that had an easy time. */
    public static GeneratorHealth healthy() {
        return new GeneratorHealth(20 * S, 3 * S, 2 * MS, 4 * S, 0, 3, 12 * MS, 6 * MS, 0);
    }

    /** The same process, but for one standstill. */
    public static GeneratorHealth stoodStillFor(long nanos) {
        return new GeneratorHealth(20 * S, 3 * S, nanos, 5 * S, nanos, 3, 12 * MS, 6 * MS, 0);
    }

    /** A run of the given plan. */
    public RunFixture workload(Workload meant, Duration duration) {
        workload = meant;
        planned = duration;
        return this;
    }

    /** After a second of the same load that did not count. */
    public RunFixture warmedUp() {
        warmUp = Duration.ofSeconds(1);
        return this;
    }

    /** Requests that were sent at once and answered. */
    public RunFixture answered(long count, long serviceNanos) {
        return answered(count, 0, 0, serviceNanos);
    }

    /** Requests that were due at one moment, sent at once and answered. */
    public RunFixture answeredAt(long dueNanos, long count, long serviceNanos) {
        recorder.planned(count);
        for (long i = 0; i < count; i++) {
            exchange.begin(dueNanos, dueNanos, dueNanos);
            exchange.completedAt = dueNanos + serviceNanos;
            exchange.firstByteAt = exchange.completedAt;
            recorder.completed(exchange);
        }
        return this;
    }

    /** Requests that were sent late, then waited for a slot, and were answered. */
    public RunFixture answered(long count, long lateNanos, long waitNanos, long serviceNanos) {
        for (long i = 0; i < count; i++) {
            recorder.planned(1);
            answeredOnly(lateNanos, waitNanos, serviceNanos);
        }
        return this;
    }

    /** Requests that were answered, and whose answers Downbeat read late, which is part of their service time. */
    public RunFixture readLate(long count, long serviceNanos, long lateNanos) {
        recorder.planned(count);
        for (long i = 0; i < count; i++) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = serviceNanos;
            exchange.readLateNanos = lateNanos;
            recorder.completed(exchange);
        }
        return this;
    }

    /** Requests that are due, and whose end comes in a later interval. */
    public RunFixture planned(long count) {
        recorder.planned(count);
        return this;
    }

    /** Requests that were planned long before, and are answered only now. */
    public RunFixture answeredLater(long count, long serviceNanos) {
        return answeredLater(count, 0, serviceNanos);
    }

    /** The same, sent late. */
    public RunFixture answeredLater(long count, long lateNanos, long serviceNanos) {
        for (long i = 0; i < count; i++) {
            answeredOnly(lateNanos, 0, serviceNanos);
        }
        return this;
    }

    private void answeredOnly(long lateNanos, long waitNanos, long serviceNanos) {
        exchange.begin(0, lateNanos, lateNanos + waitNanos);
        exchange.completedAt = lateNanos + waitNanos + serviceNanos;
        exchange.firstByteAt = exchange.completedAt;
        recorder.completed(exchange);
    }

    /** Answered requests that were never planned: what only a bug can bring about. */
    public RunFixture unplanned(long count) {
        return answeredLater(count, MS);
    }

    /** One answered request at a place on its connection; the first one opens it. */
    public RunFixture atPosition(int position, long serviceNanos) {
        recorder.planned(1);
        exchange.begin(0, 0, 0);
        exchange.position = position;
        if (position == 1) {
            exchange.lookupNanos = MS / 2;
            exchange.connectNanos = MS;
            exchange.handshakeNanos = 5 * MS;
        }
        exchange.completedAt = serviceNanos;
        exchange.firstByteAt = exchange.completedAt;
        recorder.completed(exchange);
        return this;
    }

    /** Requests of the open interval that each opened a connection first, nearly all of whose time is the handshake. */
    public RunFixture reconnected(long count, long handshakeNanos, long answerNanos) {
        recorder.planned(count);
        long startedAt = intervalStart + S / 2;
        for (long i = 0; i < count; i++) {
            exchange.begin(startedAt, startedAt, startedAt);
            exchange.handshakeNanos = handshakeNanos;
            exchange.completedAt = startedAt + handshakeNanos + answerNanos;
            exchange.firstByteAt = exchange.completedAt;
            recorder.completed(exchange);
        }
        reopened = new ConnectionCounts(count, 0, 0, 0, count, 0, count, 0);
        return this;
    }

    /** Requests that were answered with a status. */
    public RunFixture answeredWith(int status, long count, long nanos) {
        recorder.planned(count);
        for (long i = 0; i < count; i++) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = nanos;
            exchange.firstByteAt = exchange.completedAt;
            exchange.status = status;
            recorder.completed(exchange);
        }
        return this;
    }

    /** Requests that failed after a time. */
    public RunFixture failed(long count, String reason, long nanos) {
        return failed(count, Outcome.failed(reason), nanos);
    }

    /** Requests that the service answered in full after a time, and not as it should. */
    public RunFixture failedResponse(long count, String reason, long nanos) {
        return failed(count, Outcome.failedResponse(reason), nanos);
    }

    /**
     * Requests of the open interval that failed after a time, for want of a connection.
     *
     * @param refused connections that failed to open
     */
    public RunFixture unconnected(long count, long refused, String reason, long nanos) {
        recorder.planned(count);
        for (long i = 0; i < count; i++) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = nanos;
            exchange.outcome = Outcome.failed(reason);
            exchange.unconnected = true;
            recorder.completed(exchange);
        }
        reopened = new ConnectionCounts(0, 0, refused, 0, 0, 0, 1, 1);
        return this;
    }

    /** Requests that could not be built. */
    public RunFixture unbuilt(long count, String reason) {
        return failed(count, Outcome.unbuilt(reason), 0);
    }

    private RunFixture failed(long count, Outcome outcome, long nanos) {
        recorder.planned(count);
        for (long i = 0; i < count; i++) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = nanos;
            exchange.firstByteAt = exchange.completedAt;
            exchange.outcome = outcome;
            recorder.completed(exchange);
        }
        return this;
    }

    /** Requests that were sent and timed out. */
    public RunFixture timedOut(long count, long ageNanos) {
        recorder.planned(count);
        for (long i = 0; i < count; i++) {
            exchange.begin(0, 0, 0);
            recorder.timedOut(exchange, ageNanos);
        }
        return this;
    }

    /** Requests that timed out before they could be sent. */
    public RunFixture timedOutUnsent(long count, long ageNanos) {
        return timedOutUnsent(count, 0, ageNanos);
    }

    /** The same, noticed late. */
    public RunFixture timedOutUnsent(long count, long lateNanos, long ageNanos) {
        recorder.planned(count);
        exchange.begin(0, lateNanos, ageNanos);
        for (long i = 0; i < count; i++) {
            recorder.timedOutUnsent(exchange, ageNanos);
        }
        return this;
    }

    /** Requests that were still out at the end. */
    public RunFixture inFlight(long count, long ageNanos) {
        recorder.planned(count);
        for (long i = 0; i < count; i++) {
            exchange.begin(0, 0, 0);
            recorder.inFlight(exchange, ageNanos);
        }
        return this;
    }

    /** Requests that still waited for a slot at the end. */
    public RunFixture neverSent(long count, long ageNanos) {
        recorder.planned(count);
        exchange.begin(0, 0, ageNanos);
        for (long i = 0; i < count; i++) {
            recorder.neverSent(exchange, ageNanos);
        }
        return this;
    }

    /** Requests that a limit of this process kept from being sent. */
    public RunFixture keptBy(String limit, long count) {
        return ended(Outcome.ownLimit(limit), count);
    }

    /** Requests that a limit of this process ended after a first sending. */
    public RunFixture cutShortBy(String limit, long count) {
        return ended(Outcome.ownLimitAfterSending(limit), count);
    }

    private RunFixture ended(Outcome outcome, long count) {
        recorder.planned(count);
        for (long i = 0; i < count; i++) {
            exchange.begin(0, 0, 0);
            exchange.outcome = outcome;
            recorder.completed(exchange);
        }
        return this;
    }

    /** What kept this process from its work in the open interval. */
    public RunFixture strain(ProcessDelays seen) {
        strain = seen;
        return this;
    }

    /** When all shards were to begin. */
    public RunFixture start(Instant at) {
        start = Optional.of(at);
        return this;
    }

    /** The result of all shards together. */
    public RunFixture shards(ShardRun... all) {
        shards = List.of(all);
        return this;
    }

    /** Closes an interval. */
    public RunFixture until(long endNanos) {
        intervals.add(new Interval(intervalStart, endNanos, recorder.drain(), reopened, strain));
        strain = ProcessDelays.NONE;
        reopened = ConnectionCounts.NONE;
        intervalStart = endNanos;
        return this;
    }

    /** How and when the run ended. */
    public RunFixture ended(RunSpan.Ending how, long afterNanos) {
        ending = how;
        durationNanos = afterNanos;
        return this;
    }

    /** The target's code broke. */
    public RunFixture broke(String what, long afterNanos) {
        failure = Optional.of(what);
        return ended(RunSpan.Ending.BROKEN, afterNanos);
    }

    /** The longest queue. */
    public RunFixture backlog(long peak, long atNanos) {
        peakBacklog = peak;
        peakBacklogAtNanos = atNanos;
        return this;
    }

    /** What happened to the connections. */
    public RunFixture connections(ConnectionCounts counts) {
        connections = counts;
        return this;
    }

    /** What only this kind of target counts. */
    public RunFixture counts(TargetCounts own) {
        counts = own;
        return this;
    }

    /** What the process went through. */
    public RunFixture health(GeneratorHealth seen) {
        health = seen;
        return this;
    }

    /** For how long no slot was free, and for how much of that time we were busy. */
    public RunFixture full(long nanos, long busyNanos) {
        saturation = new Saturation(nanos, busyNanos);
        return this;
    }

    /** The timeout of each request, instead of 30 s. */
    public RunFixture timeout(Duration each) {
        timeout = each;
        return this;
    }

    /** The result; use the fixture once. */
    public RunResult result() {
        if (intervals.isEmpty() || durationNanos > intervalStart) {
            until(Math.max(intervalStart, durationNanos));
        }
        Recording total =
                Recording.sum(intervals.stream().map(Interval::recording).toList());
        RunPlan.Builder plan =
                RunPlan.builder(workload).duration(planned).warmUp(warmUp).timeout(timeout);
        start.ifPresent(plan::start);
        return new RunResult(
                plan.build(),
                "GET http://localhost:8080/orders",
                new RunSpan(STARTED, 1_000_000, durationNanos, ending, failure),
                total,
                intervals,
                new LaneCounts(connections, counts, peakBacklog, peakBacklogAtNanos, saturation),
                health,
                shards,
                Interruptions.UNKNOWN,
                KeptRequests.NONE);
    }
}
