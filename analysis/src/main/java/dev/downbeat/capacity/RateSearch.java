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
 * Searches for the highest rate that meets the objectives. The rate rises by halves until the service fails, then the
 * gap is bisected, then both ends are confirmed by longer runs. A rate is sustained if every objective is certainly met
 * and the response time does not grow. Undecided rates are measured again for longer. Each further look at a rate may
 * err half as often, so that repeated looks do not add up. Use once, on one thread.
 */
public final class RateSearch {
    private static final double UP = 1.5;

    /** The search gives up below the first rate divided by this. */
    private static final double DEEPEST = 30;

    private static final double ERROR = 0.05;

    /** What holds at up to this multiple of a rate probably holds at the rate itself. */
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
     * Creates a search.
     *
     * @param plan rates, durations and objectives
     * @param measurement runs the measurements
     * @param progress receives each step, and receives it again when it is refined
     */
    public RateSearch(SearchPlan plan, RateMeasurement measurement, Consumer<RateStep> progress) {
        this.plan = plan;
        this.measurement = measurement;
        this.progress = progress;
        this.judge = new StepJudge(plan);
    }

    /** Starts no further runs; a run that fails from now on does not count. Thread-safe. */
    public void stop() {
        stop(Unmeasured.INTERRUPTED);
    }

    /** Stops with a reason. */
    synchronized void stop(String reason) {
        if (stoppedFor == null) {
            stoppedFor = reason;
        }
    }

    /**
     * Searches to the end, or until a rate cannot be measured. The result then says that the search was cut short.
     *
     * @throws IOException if not even the first rate could be measured and nobody stopped the search
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

    /** Measures the most informative rate; false if nothing is left to learn. */
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

    /** Three significant digits suffice and are easy to type. */
    static double rounded(double rate) {
        return BigDecimal.valueOf(rate).round(new MathContext(3)).doubleValue();
    }

    /** Measures a rate, and again for longer if it is undecided; empty if nothing was measured. */
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

    /** A run spoilt by Downbeat is repeated once. If the repetition is spoilt too, Downbeat is the limit. */
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

    /** Empty if the run was stopped early or the service became unreachable; either ends the search. */
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
     * Measures again for longer, since the first run may have been chosen for its luck. If the longer run is not
     * conclusive alone, all runs at the rate count. Periodic events are visible in single runs only.
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

    /**
     * A duration that covers several of the observed slow phases. Far above the capacity, queues cause phases of their
     * own.
     */
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

    /** Once both ends are known, a confirmed answer is worth more than a narrower one. This time is reserved for it. */
    private long keptNanos() {
        double low = Capacity.lowerEnd(steps.values());
        boolean known = low > 0 && Double.isFinite(Capacity.upperEnd(steps.values()));
        long nanos = confirmationNanos(low);
        return known && canConfirm(low) && spentNanos + nanos <= plan.budgetNanos() ? nanos : 0;
    }
}
