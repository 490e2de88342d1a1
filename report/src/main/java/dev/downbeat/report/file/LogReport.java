package dev.downbeat.report.file;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.verdict.Flaw;
import dev.downbeat.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a report of what a histogram log of ours knows. */
final class LogReport {
    private static final String UNKNOWN = "not in the log";

    private LogReport() {}

    static RunReport of(SavedRun saved) {
        return new RunReport(
                analysis(saved),
                List.of(),
                Optional.empty(),
                UNKNOWN,
                new MachineProfile(1, -1, UNKNOWN, "", "", UNKNOWN, List.of(), -1, 0, 0, List.of(), ""),
                Map.of());
    }

    /** Why a run was unsound, such as that its load was not offered, is not in the times. */
    private static Analysis analysis(SavedRun saved) {
        Analysis found = Analysis.of(result(saved), Wishes.of(List.of()));
        boolean wasUnsound =
                Verdict.Measurement.UNSOUND.word().equals(saved.facts().get("verdict.measurement"));
        return wasUnsound && found.verdict().measurement() != Verdict.Measurement.UNSOUND
                ? Analysis.judged(
                        found.result(),
                        found.wishes(),
                        found.verdict()
                                .unsoundFor(new Flaw.SavedUnsound(saved.facts().getOrDefault("verdict.doubts", ""))))
                : found;
    }

    private static RunResult result(SavedRun saved) {
        List<Interval> intervals = saved.intervals();
        Recording total = Recording.empty();
        for (Interval interval : intervals) {
            total = total.plus(interval.recording());
        }
        Ledger ledger = saved.ledger().orElse(total.ledger());
        long endNanos = intervals.get(intervals.size() - 1).endNanos();
        RunResult.Ending ending = saved.isPartial() ? RunResult.Ending.INTERRUPTED : RunResult.Ending.COMPLETE;
        return new RunResult(
                plan(saved, endNanos),
                saved.name(),
                RunSpan.of(Instant.EPOCH, 0, endNanos, ending),
                total.withCensored(ledger, total.censored()),
                intervals,
                LaneCounts.NONE,
                GeneratorHealth.unknown(endNanos));
    }

    private static RunPlan plan(SavedRun saved, long endNanos) {
        String kind = saved.facts().getOrDefault("plan.workload", "open");
        long windowNanos = (long) saved.number("plan.window_ns").orElse((double) endNanos);
        return RunPlan.builder(new Workload.External(kind, kind + " workload, from its histogram log", 0))
                .duration(Duration.ofNanos(Math.max(1, windowNanos)))
                .build();
    }
}
