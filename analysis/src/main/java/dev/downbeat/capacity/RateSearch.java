package dev.downbeat.capacity;

import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.caveat.Caveat;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the highest rate at which a service keeps its objectives: up by halves until it fails, then between what it
 * sustained and what it did not, then once more and longer at both ends. A rate is sustained if every objective is surely
 * met and the response time does not grow; where nothing is sure, the same rate is measured again and longer. Each look
 * at a rate may err half as often as the one before, so that repeated looking does not add up. Use once, on one thread.
 */
public final class RateSearch {
    private static final double UP = 1.5;

    /** So much below the first rate the search gives up. */
    private static final double DEEPEST = 30;

    private static final double ERROR = 0.05;

    /** What happens up to so many times a rate is likely at that rate, too. */
    private static final double NEAR = 1.25;

    private final SearchPlan plan;
    private final RateMeasurement measurement;
    private final Consumer<RateStep> progress;
    private final StepJudge judge;
    private final TreeMap<Double, RateStep> steps = new TreeMap<>();
    private final Map<Double, List<RunResult>> runs = new HashMap<>();
    private long spentNanos;
    private boolean outOfBudget;
    private @Nullable Unmeasured unmeasured;
    private volatile @Nullable String stoppedFor;

    /**
     * A search.
     *
     * @param plan what is looked for
     * @param measurement makes the runs
     * @param progress told of each step as soon as something is known of it, and again when more is known
     */
    public RateSearch(SearchPlan plan, RateMeasurement measurement, Consumer<RateStep> progress) {
        this.plan = plan;
        this.measurement = measurement;
        this.progress = progress;
        this.judge = new StepJudge(plan);
    }

    /** Begins no further run; a run that fails from now on fails for this. Thread-safe. */
    public void stop() {
        stop(Unmeasured.INTERRUPTED);
    }

    /** The same, and why. */
    synchronized void stop(String reason) {
        if (stoppedFor == null) {
            stoppedFor = reason;
        }
    }

    /**
     * Searches to the end, or until a rate cannot be measured: then what is known by then is the answer, which says so.
     *
     * @throws IOException if not even the first rate could be measured, and nobody ended the search
     */
    public Capacity run() throws IOException {
        if (plan.shuffle().isPresent()) {
            List<Double> rates = ladder();
            Collections.shuffle(rates, new Random(plan.shuffle().getAsLong()));
            for (double rate : rates) {
                tryRate(rate);
            }
        } else {
            climb();
        }
        while (!outOfBudget && unmeasured == null && !steps.isEmpty() && narrow()) {
            // each turn measures one more rate
        }
        return new Capacity(
                plan,
                List.copyOf(steps.values()),
                outOfBudget || unmeasured != null,
                Optional.ofNullable(unmeasured),
                confirmationNanos(Capacity.lowerEnd(steps.values())) > plan.confirmationNanos());
    }

    private List<Double> ladder() {
        List<Double> rates = new ArrayList<>();
        for (double rate = plan.fromPerSecond(); rate < plan.toPerSecond(); rate *= UP) {
            rates.add(rounded(rate));
        }
        rates.add(plan.toPerSecond());
        return rates;
    }

    private void climb() throws IOException {
        for (double rate : ladder()) {
            Optional<RateStep> step = tryRate(rate);
            if (step.isEmpty() || isUpperEnd(step.get())) {
                return;
            }
        }
    }

    private static boolean isUpperEnd(RateStep step) {
        return step.outcome().isFailure() || step.outcome() == RateStep.Outcome.UNSOUND;
    }

    /** Measures where the most is to be learnt; false if there is nothing more to learn. */
    private boolean narrow() throws IOException {
        double high = Capacity.upperEnd(steps.values());
        double low = Capacity.lowerEnd(steps.values());
        if (low == 0) {
            double lower = rounded(steps.firstKey() / UP);
            return lower > plan.fromPerSecond() / DEEPEST && tryRate(lower).isPresent();
        }
        double next = Double.isInfinite(high)
                ? Math.min(plan.toPerSecond(), rounded(UP * steps.lastKey()))
                : nextBetween(low, high);
        if (next > 0 && !steps.containsKey(next) && tryRate(next).isPresent()) {
            return true;
        }
        return canConfirm(low) && confirm(low) || canConfirm(high) && confirm(high);
    }

    private boolean canConfirm(double rate) {
        RateStep step = steps.get(rate);
        return unmeasured == null && step != null && step.outcome() != RateStep.Outcome.UNSOUND && !step.isConfirmed();
    }

    /** The middle of the wider of the two gaps next to the ends; 0 if both are narrow enough. */
    private double nextBetween(double low, double high) {
        double aboveLow = steps.tailMap(low, false).firstKey();
        double belowHigh = steps.headMap(high, false).lastKey();
        boolean atLow = aboveLow / low >= high / belowHigh;
        double from = atLow ? low : belowHigh;
        double to = atLow ? aboveLow : high;
        double middle = rounded(Math.sqrt(from * to));
        return to / from <= 1 + plan.precision() || middle <= from || middle >= to ? 0 : middle;
    }

    /** Three digits are enough, and can be typed. */
    static double rounded(double rate) {
        return BigDecimal.valueOf(rate).round(new MathContext(3)).doubleValue();
    }

    /** Measures a rate once, and longer if nothing is sure then; empty if nothing was measured. */
    private Optional<RateStep> tryRate(double rate) throws IOException {
        if (affords(rate, plan.stepNanos())) {
            Optional<RunResult> run = soundRun(rate, plan.stepNanos());
            if (run.isPresent()) {
                runs.computeIfAbsent(rate, none -> new ArrayList<>()).add(run.get());
                RateStep step = judge.judge(rate, List.of(run.get()), confidence(1));
                note(step);
                if (step.outcome() == RateStep.Outcome.UNDECIDED && affords(rate, plan.longerNanos())) {
                    measureLonger(rate, plan.longerNanos());
                }
            }
        }
        return Optional.ofNullable(steps.get(rate));
    }

    private static double confidence(int look) {
        return 1 - ERROR / (1 << look);
    }

    /** A run that was spoilt by this process is made once more; a second time it is the limit of this process. */
    private Optional<RunResult> soundRun(double rate, long nanos) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Optional<RunResult> run = wholeRun(rate, nanos);
            Optional<Caveat> limit = run.flatMap(judge::clientLimit);
            if (limit.isEmpty()) {
                return run;
            }
            if (attempt == 2 || !affords(rate, nanos, 0)) {
                note(judge.unsound(rate, run.orElseThrow(), limit.get()));
                return Optional.empty();
            }
        }
    }

    /** Empty if it was ended before its time, or the service cannot be reached any more: either ends the search. */
    private Optional<RunResult> wholeRun(double rate, long nanos) throws IOException {
        try {
            RunResult run = measurement.measure(rate, nanos);
            spentNanos += run.durationNanos();
            if (run.ending() != RunResult.Ending.INTERRUPTED) {
                return Optional.of(run);
            }
            stop();
        } catch (IOException nothing) {
            if (steps.isEmpty() && stoppedFor == null) {
                throw nothing;
            }
            stop(String.valueOf(nothing.getMessage()));
        }
        endAt(rate);
        return Optional.empty();
    }

    private void endAt(double rate) {
        String reason = stoppedFor;
        if (unmeasured == null && reason != null) {
            unmeasured = new Unmeasured(rate, reason);
        }
    }

    /**
     * A longer run of its own, since the rate may have been chosen for its luck; with all runs at the rate if it tells nothing
     * alone. What comes at equal steps shows in one run only.
     */
    private void measureLonger(double rate, long nanos) throws IOException {
        Optional<RunResult> run = soundRun(rate, nanos);
        if (run.isPresent()) {
            List<RunResult> all = runs.computeIfAbsent(rate, none -> new ArrayList<>());
            all.add(run.get());
            RateStep alone = judge.judge(rate, List.of(run.get()), confidence(2 * all.size() - 2));
            boolean sure = alone.outcome() != RateStep.Outcome.UNDECIDED;
            RateStep step = sure ? alone : judge.judge(rate, all, confidence(2 * all.size() - 1));
            note(nanos < confirmationNanos(rate) ? step : step.confirmed());
        }
    }

    private boolean confirm(double rate) throws IOException {
        long nanos = confirmationNanos(rate);
        if (!affords(rate, nanos, 0)) {
            return false;
        }
        measureLonger(rate, nanos);
        return true;
    }

    /** Long enough to meet several of the slow phases that were seen. Far above the rate a queue makes its own. */
    private long confirmationNanos(double rate) {
        SlowPhases phases = new SlowPhases();
        runs.forEach((other, made) -> {
            if (other <= NEAR * rate) {
                made.forEach(run -> phases.add(run, plan.settlingNanos()));
            }
        });
        return Math.max(plan.confirmationNanos(), phases.leastNanos());
    }

    private void note(RateStep step) {
        steps.put(step.perSecond(), step);
        progress.accept(step);
    }

    private boolean affords(double rate, long nanos) {
        return affords(rate, nanos, keptNanos());
    }

    private boolean affords(double rate, long nanos, long keptNanos) {
        endAt(rate);
        outOfBudget |= spentNanos + nanos > plan.budgetNanos();
        return spentNanos + nanos + keptNanos <= plan.budgetNanos() && stoppedFor == null;
    }

    /** As soon as both ends are known, a confirmed answer is worth more than a closer one: its time is kept for it. */
    private long keptNanos() {
        double low = Capacity.lowerEnd(steps.values());
        boolean known = low > 0 && Double.isFinite(Capacity.upperEnd(steps.values()));
        long nanos = confirmationNanos(low);
        return known && canConfirm(low) && spentNanos + nanos <= plan.budgetNanos() ? nanos : 0;
    }
}
