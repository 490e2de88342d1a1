package dev.downbeat.report;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RunFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A run against a service on paper: evenly spaced arrivals, a few connections, one standstill. Each request has its true
 * place in time, which the fixture that only counts cannot give it.
 *
 * @param perSecond requests a second
 * @param seconds how long
 * @param intervalNanos length of an interval
 * @param stallAtNanos when the standstill begins; it lasts 1.4 s
 */
public record SimulatedRun(int perSecond, int seconds, long intervalNanos, long stallAtNanos) {
    public static final long STALL_NANOS = 1_400_000_000;
    public static final int CONNECTIONS = 12;

    /** Requests after which the service closes a connection. */
    public static final int KEPT = 150;

    private static final long S = RunFixture.S;

    /** 60 s at 2,000/s in steps of 200 ms; from 31.0 s the service stalls for 1.4 s. */
    public static RunReport minute(String... objectives) {
        return Samples.report(new SimulatedRun(2_000, 60, 200_000_000, 31 * S).result(), objectives);
    }

    public RunResult result() {
        List<Exchange> exchanges = exchanges();
        exchanges.sort(Comparator.comparingLong(exchange -> exchange.completedAt));
        CorrectedRecorder recorder = new CorrectedRecorder();
        List<Interval> intervals = new ArrayList<>();
        long start = 0;
        long planned = 0;
        long opened = 0;
        long closed = 0;
        for (Exchange exchange : exchanges) {
            while (exchange.completedAt >= start + intervalNanos) {
                planned = plan(recorder, planned, start + intervalNanos);
                intervals.add(new Interval(
                        start, start + intervalNanos, recorder.drain(), connections(start, opened, closed)));
                start += intervalNanos;
                opened = 0;
                closed = 0;
            }
            recorder.completed(exchange);
            opened += exchange.position == 1 ? 1 : 0;
            closed += exchange.position == KEPT ? 1 : 0;
        }
        long end = exchanges.get(exchanges.size() - 1).completedAt;
        plan(recorder, planned, Math.max(end, seconds * S));
        intervals.add(new Interval(start, end, recorder.drain(), connections(start, opened, closed)));
        return result(intervals, end);
    }

    private ConnectionCounts connections(long start, long opened, long closed) {
        boolean frozen = start + intervalNanos > stallAtNanos && start < stallAtNanos + STALL_NANOS;
        return new ConnectionCounts(opened, 0, 0, closed, 0, 0, CONNECTIONS, frozen ? CONNECTIONS : 5);
    }

    private long plan(CorrectedRecorder recorder, long before, long untilNanos) {
        long all = (long) perSecond * seconds;
        long until = Math.min(all, untilNanos * perSecond / S);
        recorder.planned(until - before);
        return until;
    }

    /** Each connection takes the next request when it is free; the requests in flight wait for the end of the standstill. */
    private List<Exchange> exchanges() {
        SplittableRandom random = new SplittableRandom(7);
        long[] freeAt = new long[CONNECTIONS];
        int[] served = new int[CONNECTIONS];
        List<Exchange> exchanges = new ArrayList<>();
        for (int i = 0; i < perSecond * seconds; i++) {
            long intended = i * (S / perSecond);
            int connection = 0;
            for (int other = 1; other < CONNECTIONS; other++) {
                connection = freeAt[other] < freeAt[connection] ? other : connection;
            }
            long dispatched = intended + 20_000;
            long started = Math.max(dispatched, freeAt[connection]);
            long quick = 1_500_000 + Math.round(Math.pow(random.nextDouble(), 5) * 3_000_000);
            boolean meetsStall = started < stallAtNanos + STALL_NANOS && started + quick > stallAtNanos;
            Exchange exchange = new Exchange(0);
            exchange.begin(intended, dispatched, started);
            exchange.index = i;
            exchange.position = served[connection]++ % KEPT + 1;
            exchange.completedAt = meetsStall ? stallAtNanos + STALL_NANOS + quick : started + quick;
            exchange.firstByteAt = exchange.completedAt - 50_000;
            freeAt[connection] = exchange.completedAt;
            exchanges.add(exchange);
        }
        return exchanges;
    }

    private RunResult result(List<Interval> intervals, long end) {
        Recording total =
                Recording.sum(intervals.stream().map(Interval::recording).toList());
        return new RunResult(
                RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(perSecond), 0x7f3a)))
                        .duration(Duration.ofSeconds(seconds))
                        .build(),
                "GET http://localhost:8080/orders",
                RunSpan.of(Instant.parse("2026-03-01T12:00:00Z"), 0, end, RunSpan.Ending.COMPLETE),
                total,
                intervals.stream().map(Interval::forTimeline).toList(),
                new LaneCounts(
                        intervals.stream()
                                .map(Interval::connections)
                                .reduce(ConnectionCounts.NONE, ConnectionCounts::then),
                        TargetCounts.NONE,
                        perSecond * STALL_NANOS / S - CONNECTIONS,
                        stallAtNanos + STALL_NANOS,
                        Saturation.NONE),
                RunFixture.healthy());
    }
}
