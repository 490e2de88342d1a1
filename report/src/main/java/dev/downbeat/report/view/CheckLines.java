package dev.downbeat.report.view;

import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.Hue;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.RunResult;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.DataLimit;
import dev.downbeat.verdict.Flaw;
import dev.downbeat.verdict.LoadCaveat;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.OwnDelay;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.ResponseBounds;
import java.util.ArrayList;
import java.util.List;

/** Every check of a verdict as a line, those that were passed too: what was looked at is worth as much as what was found. */
final class CheckLines {
    private static final double[] SHOWN = {99.99, 99.9, 99, 95, 90, 50};

    private final RunReport report;
    private final RunResult result;
    private final Recording recording;
    private final List<Line> lines = new ArrayList<>();

    /** One check, and what came of it. */
    record Line(Mark mark, String text) {}

    /** How a check came out: a sign and a word, since colour alone says nothing. */
    enum Mark {
        GOOD("✓", "passed", Hue.SLO),
        NOTE("!", "note", Hue.DOUBT),
        BAD("✗", "failed", Hue.BAD),
        OPEN("?", "undecided", Hue.DOUBT);

        private final String sign;
        private final String word;
        private final Hue hue;

        Mark(String sign, String word, Hue hue) {
            this.sign = sign;
            this.word = word;
            this.hue = hue;
        }

        String sign() {
            return sign;
        }

        String word() {
            return word;
        }

        Hue hue() {
            return hue;
        }
    }

    CheckLines(RunReport report) {
        this.report = report;
        this.result = report.result();
        this.recording = result.recording();
    }

    /** What speaks for and against the measurement; reasons for doubt first, then notes, then what was found in order. */
    List<Line> measurement() {
        lines.clear();
        List<Caveat> doubts = report.verdict().doubts();
        for (Caveat caveat : report.verdict().caveats()) {
            lines.add(new Line(doubts.contains(caveat) ? Mark.BAD : Mark.NOTE, caveat.text()));
        }
        long planned = result.ledger().planned();
        passed(
                "all " + Numbers.count(planned) + " requests that were meant to start are accounted for, "
                        + Numbers.count(result.ledger().sent()) + " were sent",
                Flaw.LedgerMismatch.class,
                LoadCaveat.NotSent.class);
        passed(
                "sent on time: late by at most "
                        + DurationText.rounded(recording.lateness().maxNanos()) + ", p99 "
                        + DurationText.rounded(recording.lateness().valueAtPercentile(99)),
                OwnDelay.GeneratorLate.class);
        passed(
                "Downbeat itself was not paused for more than "
                        + DurationText.rounded(result.health().largestHiccupNanos()),
                OwnDelay.HiccupDuringRun.class);
        samples();
        if (recording.censored().isEmpty()) {
            passed("the end of every request was seen", DataLimit.TailCensored.class, Flaw.NothingAnswered.class);
        }
        return List.copyOf(lines);
    }

    @SafeVarargs
    private void passed(String text, Class<? extends Caveat>... unless) {
        for (Class<? extends Caveat> kind : unless) {
            if (report.verdict().caveats().stream().anyMatch(kind::isInstance)) {
                return;
            }
        }
        lines.add(new Line(Mark.GOOD, text));
    }

    private void samples() {
        ResponseBounds bounds = ResponseBounds.of(recording);
        for (double percentile : SHOWN) {
            if (bounds.carries(percentile)) {
                long beyond = Math.round(bounds.count() * (1 - percentile / 100));
                String text = "there are enough requests for " + PercentileName.of(percentile) + ": "
                        + Numbers.count(beyond) + " beyond it";
                lines.add(new Line(Mark.GOOD, text));
                return;
            }
        }
    }

    /** What became of each objective: missed, undecided, met. */
    List<Line> service() {
        List<Line> objectives = new ArrayList<>();
        for (Mark mark : List.of(Mark.BAD, Mark.OPEN, Mark.GOOD)) {
            for (Objective objective : report.verdict().objectives()) {
                if (mark(objective.status()) == mark) {
                    objectives.add(new Line(
                            mark,
                            objective.slo().subject() + " " + objective.slo().limit() + ": " + objective.reason()));
                }
            }
        }
        return objectives;
    }

    static Mark mark(Objective.Status status) {
        return switch (status) {
            case MET -> Mark.GOOD;
            case MISSED -> Mark.BAD;
            case UNDECIDED -> Mark.OPEN;
        };
    }
}
