package dev.downbeat.report;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.event.Incident;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.testing.Golden;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventCause;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reports made by hand, from which the golden files come. */
public final class Samples {
    private static final long MS = RunFixture.MS;
    private static final long S = RunFixture.S;

    private Samples() {}

    public static String text(ReportFormat format, RunReport report) {
        StringBuilder text = new StringBuilder();
        try {
            format.write(report, text);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    public static RunReport of(String name) {
        return switch (name) {
            case "stall" -> stall();
            case "interrupted" -> interrupted();
            case "censored" -> censored();
            case "refused" -> refused();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** 2,000/s for 60 s against a service that needs 2 to 6 ms, and stalls from 31.0 s for 1.4 s. */
    public static RunReport stall() {
        RunFixture run = new RunFixture()
                .workload(new Workload.Open(new Poisson(Rate.perSecond(2_000), 0x7f3a)), Duration.ofSeconds(60));
        long[][] times = stallTimes();
        for (int i = 0; i < times.length; i++) {
            if (i < 64) {
                run.atPosition(1, times[i][1] + 30 * MS);
            } else {
                run.answered(1, 20_000, times[i][0], times[i][1]);
            }
            if ((i + 1) % 2_000 == 0) {
                run.until((i + 1) / 2_000 * S);
            }
        }
        run.connections(new ConnectionCounts(64, 0, 0, 0, 0, 0, 64, 0))
                .backlog(2_800 - 64, 32_400 * MS)
                .ended(RunSpan.Ending.COMPLETE, 60_004 * MS);
        return report(run.result(), "p90<5ms", "p99<20ms", "p99.9<50ms", "errors<1%");
    }

    /** Wait for a slot and service time of each request. */
    public static long[][] stallTimes() {
        SplittableRandom random = new SplittableRandom(7);
        long[][] times = new long[120_000][];
        for (int i = 0; i < times.length; i++) {
            long intended = i * 500_000L;
            long end = 32_400 * MS;
            boolean frozen = intended >= 31 * S && intended < end;
            long quick = 2 * MS + Math.round(Math.pow(random.nextDouble(), 6) * 4 * MS);
            boolean inFlight = frozen && intended < 31 * S + 32 * MS;
            long wait = frozen && !inFlight ? end - intended : 0;
            times[i] = new long[] {wait, inFlight ? end - intended + quick : quick};
        }
        return times;
    }

    /** Two kinds of requests, of which one stalls, and one that came too rarely for a median. */
    public static RunReport named() {
        RunResult stalled = new SimulatedRun(100, 20, 200_000_000, 8 * S).result();
        Recording order = stalled.recording();
        RunResult calm = new SimulatedRun(400, 20, 200_000_000, 30 * S).result();
        Recording list = calm.recording();
        Recording rare = new RunFixture().answered(3, 4 * MS).result().recording();
        Map<String, Recording> names = new LinkedHashMap<>();
        names.put("list", list);
        names.put("place order", order);
        names.put("delete everything", rare);
        return report(
                new RunResult(
                        stalled.plan(),
                        stalled.target(),
                        stalled.span(),
                        list.plus(order).plus(rare).withNames(names),
                        IntStream.range(0, stalled.intervals().size())
                                .mapToObj(second -> stalled.intervals()
                                        .get(second)
                                        .with(stalled.intervals()
                                                .get(second)
                                                .recording()
                                                .plus(calm.intervals()
                                                        .get(second)
                                                        .recording())))
                                .toList(),
                        stalled.lanes(),
                        stalled.health()),
                "p99<50ms",
                "place order: p90<5ms",
                "errors<1%");
    }

    public static RunReport interrupted() {
        RunFixture run = new RunFixture()
                .workload(new Workload.Open(new Constant(Rate.perSecond(100))), Duration.ofSeconds(20))
                .answered(300, 3 * MS)
                .answered(76, 5 * MS)
                .failed(1, "HTTP 503", 2 * MS)
                .inFlight(3, 12 * MS)
                .connections(new ConnectionCounts(11, 0, 1, 4, 2, 1, 4, 0))
                .counts(new TargetCounts(
                        Map.of(TargetCounts.OPERATIONS, 380L, TargetCounts.ATTEMPTS, 399L, "messages twice", 2L)))
                .ended(RunSpan.Ending.INTERRUPTED, 3_812 * MS);
        return report(run.result(), "errors<1%", "p99<50ms");
    }

    /** 1,000/s for 20 s, frozen at 15 s until after the end. */
    public static RunReport censored() {
        RunFixture run = new RunFixture()
                .workload(new Workload.Open(new Constant(Rate.perSecond(1_000))), Duration.ofSeconds(20))
                .answered(15_000, 30_000, 0, MS)
                .until(15 * S);
        for (long i = 0; i < 5_000; i++) {
            long age = 7 * S - i * MS;
            if (i < 64) {
                run.inFlight(1, age);
            } else {
                run.neverSent(1, age);
            }
        }
        run.backlog(4_936, 20 * S)
                .connections(new ConnectionCounts(64, 0, 0, 0, 0, 0, 64, 0))
                .ended(RunSpan.Ending.COMPLETE, 22 * S);
        return report(run.result(), "p50<10ms", "p99<1s", "max<10s", "errors<1%");
    }

    public static RunReport refused() {
        RunFixture run = new RunFixture()
                .workload(new Workload.Closed(10, ThinkTime.none()), Duration.ofSeconds(10))
                .failed(990, "connection refused", MS / 5)
                .failed(10, "connection reset", MS)
                .connections(new ConnectionCounts(10, 0, 990, 0, 10, 0, 0, 0))
                .health(new GeneratorHealth(10 * S, -1, 0, 0, 0, 0, 0, 0, -1))
                .ended(RunSpan.Ending.COMPLETE, 10 * S);
        return report(run.result(), "errors<1%");
    }

    public static RunReport report(RunResult result, String... objectives) {
        return report(result, RequiredCertainty.PLAIN, objectives);
    }

    public static RunReport report(RunResult result, RequiredCertainty rigour, String... objectives) {
        return report(result, rigour, Map.of("connections", 64L), objectives);
    }

    /** With more about the plan. */
    public static RunReport report(RunResult result, Map<String, Object> details) {
        return report(result, RequiredCertainty.PLAIN, details);
    }

    private static RunReport report(
            RunResult result, RequiredCertainty rigour, Map<String, Object> details, String... objectives) {
        List<ServiceLevelObjective> slos =
                Stream.of(objectives).map(ServiceLevelObjective::parse).toList();
        return new RunReport(
                result,
                RunVerdict.of(Observations.of(result), slos, rigour),
                List.of("downbeat", "run", "http://localhost:8080/orders", "-c", "64"),
                result.plan().workload().kind().equals("closed") ? Optional.empty() : Optional.of("7f3a"),
                "0.1.0",
                machine(),
                details);
    }

    /** The same report with these events of the service. */
    public static RunReport explained(RunReport report, Diagnosis why) {
        return new RunReport(
                report.analysis(),
                report.command(),
                report.seed(),
                report.version(),
                report.machine(),
                report.details(),
                report.queue(),
                report.measurement(),
                why);
    }

    /** What a JVM and its container did during {@link #stall} or a run like it: a full collection, and what goes on all the time. */
    public static Diagnosis why(RunReport report, long stallAtNanos, long stallNanos) {
        List<Event> collections = new ArrayList<>();
        collections.add(new Event(EventKind.FULL_COLLECTION, stallAtNanos, stallNanos, "G1 Full, System.gc()"));
        collections.add(new Event(EventKind.SAFEPOINT, stallAtNanos - 2 * MS, stallNanos + 3 * MS, "G1CollectFull"));
        long end = report.result().durationNanos();
        for (long at = S / 2; at < end; at += 3 * S) {
            collections.add(new Event(EventKind.COLLECTION_PAUSE, at, 8 * MS, "G1 New"));
            collections.add(new Event(EventKind.SAFEPOINT, at, 9 * MS, "G1CollectForAllocation"));
        }
        List<Event> throttles = new ArrayList<>();
        for (long at = 2 * S; at < end; at += 5 * S) {
            throttles.add(new Event(EventKind.THROTTLED, at, 45 * MS, ""));
        }
        throttles.add(new Event(EventKind.RETRANSMIT, 4 * S, 0, "|2 segments|"));
        EventCause collection = new EventCause(
                EventKind.FULL_COLLECTION,
                List.of(EventKind.SAFEPOINT),
                1,
                0.81,
                0.74,
                0.88,
                0.03,
                "G1 Full, System.gc()");
        EventCause throttled = new EventCause(EventKind.THROTTLED, List.of(), 12, 0.09, 0.04, 0.15, 0.01, "");
        List<Explanation> found = new ArrayList<>();
        found.add(new Explanation(
                new Explanation.Tail(99), 20 * MS, 1_200, List.of(collection, throttled), 0.1, List.of()));
        for (Incident incident : report.analysis().events()) {
            found.add(new Explanation(
                    new Explanation.During(incident), 20 * MS, 1_100, List.of(collection), 0.19, List.of()));
        }
        return new Diagnosis(
                List.of(
                        new WatchResult("jvm:4711", collections, -S, end, 200_000, List.of()),
                        new WatchResult("cgroup:shop", throttles, 0, end, 0, List.of()),
                        WatchResult.nothing("pid:4712", "no such process")),
                found);
    }

    public static MachineProfile machine() {
        return new MachineProfile(
                8,
                -1,
                "Linux",
                "6.1.0",
                "amd64",
                "OpenJDK 64-Bit Server VM 17.0.12+7",
                List.of("G1 Young Generation"),
                20,
                25,
                60_000,
                "");
    }

    /** Compares with the golden file of this name, or writes it. */
    public static void hold(String name, String written) throws IOException {
        if (name.endsWith(".html")) {
            Golden.checkPage(Samples.class, name, written);
        } else {
            Golden.check(Samples.class, name, written);
        }
    }
}
