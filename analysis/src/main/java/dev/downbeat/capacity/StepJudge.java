package dev.downbeat.capacity;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Growth;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.Evidence;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Flaw;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.OwnDelay;
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
}
