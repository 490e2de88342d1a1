package dev.downbeat.capacity;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.stats.Growth;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.Evidence;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Flaw;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.OwnDelay;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Judges the runs at one rate. */
record StepJudge(SearchPlan plan) {
    /** Growth at 0.5 % above the capacity. Less cannot be told from a queue that is still settling. */
    private static final double GROWTH_TOLERATED = 0.005;

    /**
     * Why Downbeat, not the service, was the limit; empty if it was not. Objectives met with all of Downbeat's delays,
     * or missed without them, are not affected.
     */
    Optional<Caveat> clientLimit(RunResult run) {
        RunVerdict verdict = Analysis.of(run, Wishes.of(plan.slos())).verdict();
        // overload is only reported where Downbeat's own delays do not explain it
        boolean isDecided = verdict.service() != RunVerdict.Service.UNDECIDED
                || verdict.overload().isPresent();
        return verdict.caveats().stream()
                .filter(Caveat::isDoubt)
                .filter(caveat -> isBroken(caveat) || (!isDecided && delays(caveat)))
                .findFirst();
    }

    private static boolean isBroken(Caveat caveat) {
        return caveat instanceof Flaw.LedgerMismatch || caveat instanceof Flaw.Broken;
    }

    private static boolean delays(Caveat caveat) {
        return caveat instanceof OwnDelay.GeneratorLate
                || caveat instanceof OwnDelay.ClientBusy
                || caveat instanceof OwnDelay.HiccupDuringRun
                || caveat instanceof LoadCaveat.NotOffered;
    }

    RateStep unsound(double perSecond, RunResult run, Caveat limit) {
        SettledRuns runs = new SettledRuns(List.of(run), plan.settlingNanos());
        return step(perSecond, RateStep.Outcome.UNSOUND, limit.text(), runs, List.of());
    }

    /** Judges all runs at one rate. */
    RateStep judge(double perSecond, List<RunResult> all, double confidence) {
        SettledRuns runs = new SettledRuns(all, plan.settlingNanos());
        Evidence evidence = Evidence.of(runs.joined(), leastStretchNanos(), confidence);
        List<JudgedObjective> objectives =
                plan.slos().stream().map(evidence::judge).toList();
        Optional<Growth> growth = runs.growth();
        if (growth.isPresent() && growth.get().lowSlope() > GROWTH_TOLERATED) {
            String reason = String.format(
                    Locale.ROOT,
                    "grew by %.0f ms each second",
                    1e3 * growth.get().slope());
            return step(perSecond, RateStep.Outcome.GROWING, reason, runs, objectives);
        }
        for (JudgedObjective.Status status : List.of(JudgedObjective.Status.MISSED, JudgedObjective.Status.UNDECIDED)) {
            for (JudgedObjective objective : objectives) {
                if (objective.status() == status) {
                    RateStep.Outcome outcome = status == JudgedObjective.Status.MISSED
                            ? RateStep.Outcome.MISSED
                            : RateStep.Outcome.UNDECIDED;
                    String reason = objective.slo().subject() + " " + objective.reason();
                    return step(perSecond, outcome, reason, runs, objectives);
                }
            }
        }
        return step(perSecond, RateStep.Outcome.PASS, "", runs, objectives);
    }

    private long leastStretchNanos() {
        return plan.stretchNanos() * 19 / 20;
    }

    private RateStep step(
            double perSecond,
            RateStep.Outcome outcome,
            String reason,
            SettledRuns runs,
            List<JudgedObjective> objectives) {
        RunResult joined = runs.joined();
        Evidence evidence = Evidence.of(joined, leastStretchNanos(), QuantileInterval.CONFIDENCE);
        return new RateStep(
                perSecond,
                outcome,
                reason,
                false,
                runs.measuredNanos(),
                joined.recording(),
                runs.answeredPerSecond(),
                runs.growth(),
                objectives,
                RateStep.PERCENTILES.stream()
                        .flatMap(percentile -> evidence.responseTime(percentile).stream())
                        .toList());
    }

    /** Runs at one rate, merged into one without their settling times. Immutable. */
    private static final class SettledRuns {
        private final List<RunResult> runs;
        private final long settlingNanos;

        SettledRuns(List<RunResult> runs, long settlingNanos) {
            this.runs = List.copyOf(runs);
            this.settlingNanos = settlingNanos;
        }

        /** Concatenates the runs; the time between them is omitted. */
        RunResult joined() {
            List<Interval> joined = new ArrayList<>();
            Recording total = Recording.empty();
            long atNanos = 0;
            for (RunResult run : runs) {
                for (Interval interval : settled(run)) {
                    Interval moved = new Interval(
                            atNanos,
                            atNanos + interval.lengthNanos(),
                            interval.recording(),
                            interval.connections(),
                            interval.strain());
                    joined.add(moved);
                    total = total.plus(moved.recording());
                    atNanos = moved.endNanos();
                }
            }
            RunResult last = last();
            RunSpan span = new RunSpan(last.started(), last.span().startAt(), atNanos, last.ending(), last.failure());
            return new RunResult(
                    last.plan(), last.target(), span, closedAccount(total), joined, last.lanes(), last.health());
        }

        /** Requests planned while settling that ended afterwards are removed from the ledger. */
        private static Recording closedAccount(Recording recording) {
            Ledger ledger = recording.ledger();
            Ledger closed = new Ledger(
                    ledger.accounted(),
                    ledger.answered(),
                    ledger.failed(),
                    ledger.timedOut(),
                    ledger.timedOutUnsent(),
                    ledger.inFlight(),
                    ledger.neverSent(),
                    ledger.unconnected());
            return recording.withLedger(closed);
        }

        private RunResult last() {
            return runs.get(runs.size() - 1);
        }

        private List<Interval> settled(RunResult run) {
            return run.intervals().stream()
                    .filter(interval -> interval.startNanos() >= settlingNanos)
                    .toList();
        }

        private List<Interval> underLoad(RunResult run) {
            return settled(run).stream()
                    .filter(interval -> interval.endNanos() <= run.plan().durationNanos() * 1.01)
                    .filter(interval -> interval.lengthNanos() * 2 > run.plan().intervalNanos())
                    .toList();
        }

        double answeredPerSecond() {
            long answered = 0;
            long nanos = 0;
            for (RunResult run : runs) {
                for (Interval interval : underLoad(run)) {
                    answered += interval.recording().ledger().answered();
                    nanos += interval.lengthNanos();
                }
            }
            return nanos == 0 ? 0 : answered * 1e9 / nanos;
        }

        long measuredNanos() {
            return runs.stream().mapToLong(RunResult::durationNanos).sum();
        }

        /** The growth of the response time in the longest run, which is the last. */
        Optional<Growth> growth() {
            List<Interval> seen = underLoad(last());
            if (seen.size() < Growth.LEAST) {
                return Optional.empty();
            }
            long[] medians = new long[seen.size()];
            for (int i = 0; i < medians.length; i++) {
                long median = seen.get(i).recording().response().valueAtPercentile(50);
                medians[i] = median == 0 && i > 0 ? medians[i - 1] : median;
            }
            long nanos = seen.get(seen.size() - 1).endNanos() - seen.get(0).startNanos();
            return Optional.of(Growth.ofAnswers(medians, nanos / medians.length));
        }
    }
}
