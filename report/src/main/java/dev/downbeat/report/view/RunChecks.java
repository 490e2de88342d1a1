package dev.downbeat.report.view;

import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.report.data.ClockLabels;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Every check of a verdict, including those passed: what was checked matters as much as what was found. */
public final class RunChecks {
    private final RunReport report;
    private final RunResult result;
    private final Recording recording;
    private final List<Page.Check> passed = new ArrayList<>();

    RunChecks(RunReport report) {
        this.report = report;
        this.result = report.result();
        this.recording = result.recording();
    }

    /** The checks of the measurement that passed. */
    List<Page.Check> passed() {
        if (ClockLabels.of(result).isIncoming()) {
            passed(
                    "all incoming requests are accounted for: "
                            + Numbers.count(result.ledger().planned()),
                    RunDefect.LedgerMismatch.class);
        } else {
            sent();
        }
        samples();
        if (recording.censored().isEmpty()) {
            passed("every request finished", DataLimit.TailCensored.class, RunDefect.NothingAnswered.class);
        }
        return List.copyOf(passed);
    }

    private void sent() {
        passed(
                "all requests are accounted for: "
                        + Numbers.count(result.ledger().planned()) + " planned, "
                        + Numbers.count(result.ledger().sent()) + " sent",
                RunDefect.LedgerMismatch.class,
                LoadCaveat.NotSent.class);
        if (RunFacts.knowsLateness(result)) {
            passed(
                    "sent on time: late by at most "
                            + DurationText.rounded(recording.lateness().maxNanos()) + ", p99 "
                            + DurationText.rounded(recording.lateness().valueAtPercentile(99)),
                    OwnDelay.GeneratorLate.class);
        }
        if (!result.health().isUnknown()) {
            passed(notPaused(), OwnDelay.HiccupDuringRun.class);
        }
    }

    /** The length above which pauses are recorded; shorter ones may have occurred. */
    private String notPaused() {
        long longestNanos = result.longestPause().lengthNanos();
        return longestNanos == 0 && result.health().largestHiccupNanos() > 0
                ? "Downbeat itself was never paused for " + DurationText.rounded(ResponseGapDetector.PAUSE_NANOS)
                        + " or longer"
                : "Downbeat itself was not paused for more than " + DurationText.rounded(longestNanos);
    }

    @SafeVarargs
    private void passed(String text, Class<? extends Caveat>... unless) {
        for (Class<? extends Caveat> kind : unless) {
            if (report.verdict().caveats().stream().anyMatch(kind::isInstance)) {
                return;
            }
        }
        passed.add(Page.Check.of(Mark.GOOD, text));
    }

    private void samples() {
        ResponseBounds bounds = report.analysis().response();
        Percentiles.belowMax(Percentiles.Place.TABLE).stream()
                .filter(bounds::hasEnoughFor)
                .reduce((lower, higher) -> higher)
                .ifPresent(highest -> passed.add(Page.Check.of(
                        Mark.GOOD,
                        "there are enough requests for " + Percentiles.name(highest) + ": "
                                + Numbers.count(Math.round(bounds.count() * (1 - highest / 100))) + " beyond it")));
    }

    /** The results of the objectives: missed, undecided, met; so the first one is the answer. */
    public static List<Page.Check> of(List<JudgedObjective> objectives, String before) {
        List<Page.Check> checks = new ArrayList<>();
        for (Mark mark : Mark.values()) {
            for (JudgedObjective objective : objectives) {
                if (mark(objective) == mark) {
                    checks.add(new Page.Check(
                            mark,
                            objective.status().word(),
                            before + objective.slo().text(),
                            before + objective.slo().subject() + " "
                                    + objective.slo().limit() + ": " + objective.reason()));
                }
            }
        }
        return checks;
    }

    /** Doubts and notes about a measurement. */
    public static List<Page.Note> notes(List<Caveat> caveats, List<Caveat> doubts) {
        return caveats.stream()
                .map(caveat -> new Page.Note(doubts.contains(caveat), caveat.code(), caveat.text(), caveat.brief()))
                .toList();
    }

    private static Mark mark(JudgedObjective objective) {
        return switch (objective.status()) {
            case MET -> Mark.GOOD;
            case MISSED -> Mark.BAD;
            case UNDECIDED -> objective.isOpen() ? Mark.OPEN : Mark.NOTE;
        };
    }

    /** The results of a row's objectives, with a further remark, which may be empty. */
    static Cell cell(List<JudgedObjective> objectives, String more) {
        if (objectives.isEmpty()) {
            return Cell.of(more);
        }
        String text = objectives.stream()
                        .map(objective -> shown(objective.slo()) + " " + objective.word())
                        .collect(Collectors.joining(", "))
                + (more.isEmpty() ? "" : "; " + more);
        return Cell.of(
                objectives.stream()
                        .map(RunChecks::mark)
                        .min(Comparator.naturalOrder())
                        .orElseThrow(),
                text);
    }

    /** With its percentile, which a row by name does not show. */
    private static String shown(ServiceLevelObjective slo) {
        return slo instanceof ServiceLevelObjective.Named named
                ? named.slo().subject() + " " + slo.limit()
                : slo.limit();
    }
}
