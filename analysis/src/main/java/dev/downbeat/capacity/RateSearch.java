package dev.downbeat.capacity;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.capacity.Capacity.Unmeasured;
import dev.downbeat.record.Distribution;
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
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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

    /** Slow phases at up to this multiple of a rate probably occur at the rate itself. */
    private static final double NEAR = 1.25;

    private final SearchPlan plan;
    private final RateMeasurement measurement;
    private final Consumer<RateStep> progress;
    private final StepJudge judge;
    private final TreeMap<Double, RateStep> steps = new TreeMap<>();
    private final Map<Double, List<RunResult>> runs = new HashMap<>();
    private long spentNanos;
    private boolean outOfBudget;
    private boolean isShortened;
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

    private synchronized void stop(String reason) {
        if (stoppedFor == null) {
            stoppedFor = reason;
        }
    }

    /**
     * Searches to the end, or until a rate cannot be measured. In the latter case the result is marked as cut short.
     *
     * @return with at least one step
     * @throws IOException if not even the first rate could be measured
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
        if (steps.isEmpty()) {
            throw new IOException("no rate was measured: " + stoppedFor);
        }
        return new Capacity(
                plan,
                List.copyOf(steps.values()),
                isShortened || outOfBudget || unmeasured != null,
                Optional.ofNullable(unmeasured),
                missesSlowPhases());
    }

    private boolean missesSlowPhases() {
        double low = Capacity.lowerEnd(steps.values());
        double rate = low == 0 ? steps.firstKey() : low;
        return confirmationNanos(rate) > plan.confirmationNanos();
    }

    private List<Double> ladder() {
        List<Double> rates = new ArrayList<>();
        for (double rate = plan.fromPerSecond(); rate < plan.toPerSecond(); rate *= UP) {
            double rung = rates.isEmpty() ? rate : rounded(rate); // the first rate is used as given
            if (rung < plan.toPerSecond()) {
                rates.add(rung);
            }
        }
        rates.add(plan.toPerSecond());
        return rates;
    }

    private void climb() throws IOException {
        for (double rate : ladder()) {
            Optional<RateStep> step = tryRate(rate);
            if (step.isEmpty() || step.get().isTooHigh()) {
                return;
            }
        }
    }

    /** Measures the most informative rate; false if nothing is left to learn. */
    private boolean narrow() throws IOException {
        double high = Capacity.upperEnd(steps.values());
        double low = Capacity.lowerEnd(steps.values());
        if (low == 0) {
            double likely = Capacity.likelyEnd(steps.values());
            if (likely > 0) { // a lower rate has fewer requests, which decide even less
                return confirm(likely, Math.max(confirmationNanos(likely), measuredNanos(likely)));
            }
            double lower = rounded(steps.firstKey() / UP);
            return lower > plan.fromPerSecond() / DEEPEST && tryRate(lower).isPresent();
        }
        double next = Double.isInfinite(high)
                ? Math.min(plan.toPerSecond(), rounded(UP * steps.lastKey()))
                : nextBetween(low, high);
        if (next > 0 && !steps.containsKey(next) && tryRate(next).isPresent()) {
            return true;
        }
        return canConfirm(low) && confirm(low, confirmationNanos(low))
                || canConfirm(high) && confirm(high, confirmationNanos(high));
    }

    private long measuredNanos(double rate) {
        RateStep step = steps.get(rate);
        return step == null ? 0 : step.measuredNanos();
    }

    private boolean canConfirm(double rate) {
        RateStep step = steps.get(rate);
        return unmeasured == null
                && step != null
                && step.outcome() != RateStep.StepOutcome.UNSOUND
                && !step.isConfirmed();
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
        boolean isAffordable = affords(rate, plan.stepNanos());
        isShortened |= !isAffordable;
        if (isAffordable) {
            Optional<RunResult> run = soundRun(rate, plan.stepNanos());
            if (run.isPresent()) {
                runs.computeIfAbsent(rate, none -> new ArrayList<>()).add(run.get());
                RateStep step = judge.judge(rate, List.of(run.get()), confidence(1));
                report(step);
                if (step.outcome() == RateStep.StepOutcome.UNDECIDED && affords(rate, plan.longerNanos())) {
                    measureLonger(rate, plan.longerNanos());
                }
            }
        }
        return Optional.ofNullable(steps.get(rate));
    }

    static double confidence(int look) {
        return 1 - ERROR / (1L << Math.min(look, 40)); // 1 minus a smaller error would be 1
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
                report(judge.unsound(rate, run.orElseThrow(), limit.get()));
                return Optional.empty();
            }
        }
    }

    /** Empty if the run was stopped early or the service became unreachable; either ends the search. */
    private Optional<RunResult> wholeRun(double rate, long nanos) throws IOException {
        try {
            RunResult run = measurement.measure(rate, nanos);
            spentNanos += run.durationNanos();
            Optional<String> lossReason = judge.unreachable(run).or(() -> brokenSince(rate, run));
            if (lossReason.isPresent() && steps.isEmpty()) {
                throw new IOException(lossReason.get());
            }
            if (run.ending() != RunSpan.Ending.INTERRUPTED && lossReason.isEmpty()) {
                return Optional.of(run);
            }
            stop(lossReason.orElse(Unmeasured.INTERRUPTED));
        } catch (IOException nothing) {
            if (steps.isEmpty() && stoppedFor == null) {
                throw nothing;
            }
            boolean isInterrupted = Thread.currentThread().isInterrupted();
            stop(isInterrupted ? Unmeasured.INTERRUPTED : String.valueOf(nothing.getMessage()));
        }
        endAt(rate);
        return Optional.empty();
    }

    /** Why every request failed, if the service had answered at this rate or a higher one: it broke since then. */
    private Optional<String> brokenSince(double rate, RunResult run) {
        boolean wasAnswering = runs.entrySet().stream()
                .filter(ofRate -> ofRate.getKey() >= rate)
                .flatMap(ofRate -> ofRate.getValue().stream())
                .anyMatch(before -> before.ledger().answered() > 0);
        return run.recording()
                .usualFailure()
                .filter(reason -> wasAnswering
                        && run.ledger().failed() >= StepJudge.LEAST_LOST
                        && run.recording().failedByService() == run.ledger().planned())
                .map(reason -> reason + " for every request");
    }

    private void endAt(double rate) {
        String reason = stoppedFor;
        if (unmeasured == null && reason != null) {
            unmeasured = new Unmeasured(rate, reason);
        }
    }

    /**
     * Measures again for longer. The longer run counts alone if it is conclusive, since the first may have been lucky,
     * and since periodic events are visible in single runs only. Otherwise all runs at the rate count.
     */
    private void measureLonger(double rate, long nanos) throws IOException {
        Optional<RunResult> run = soundRun(rate, nanos);
        if (run.isPresent()) {
            List<RunResult> all = runs.computeIfAbsent(rate, none -> new ArrayList<>());
            all.add(run.get());
            RateStep alone = judge.judge(rate, List.of(run.get()), confidence(2 * all.size() - 2));
            boolean isConclusive = alone.outcome() != RateStep.StepOutcome.UNDECIDED;
            RateStep step = isConclusive ? alone : judge.judge(rate, all, confidence(2 * all.size() - 1));
            report(nanos < confirmationNanos(rate) ? step : step.confirmed());
        }
    }

    private boolean confirm(double rate, long nanos) throws IOException {
        if (!affords(rate, nanos, 0)) {
            return false;
        }
        measureLonger(rate, nanos);
        return true;
    }

    /** A duration that covers several slow phases, as seen at rates not far above this one. */
    private long confirmationNanos(double rate) {
        SlowPhases phases = new SlowPhases();
        runs.forEach((other, ofRate) -> {
            if (other <= NEAR * rate) {
                ofRate.forEach(run -> phases.add(run, plan.settlingNanos()));
            }
        });
        return Math.max(plan.confirmationNanos(), phases.leastNanos());
    }

    private void report(RateStep step) {
        steps.put(step.perSecond(), step);
        progress.accept(step);
    }

    private boolean affords(double rate, long nanos) {
        return affords(rate, nanos, reservedNanos(rate, nanos));
    }

    private boolean affords(double rate, long nanos, long reservedNanos) {
        endAt(rate);
        outOfBudget |= spentNanos + nanos > plan.budgetNanos();
        return spentNanos + nanos + reservedNanos <= plan.budgetNanos() && stoppedFor == null;
    }

    /**
     * The part of the budget to reserve for a confirmation after the next run and its drain, since a confirmed rate is
     * worth more than a higher one or a narrower interval. Reserved once a rate has passed: for its confirmation or, if
     * it is confirmed, for that of the next rate.
     */
    private long reservedNanos(double rate, long runNanos) {
        double low = Capacity.lowerEnd(steps.values());
        boolean isUnconfirmed = canConfirm(low);
        long nanos = confirmationNanos(isUnconfirmed ? low : rate);
        boolean isNeedless = isUnconfirmed ? spentNanos + nanos > plan.budgetNanos() : runNanos >= nanos;
        return low == 0 || isNeedless ? 0 : nanos + SearchPlan.LONGEST_DRAIN.toNanos();
    }

    /** Judges the runs at one rate. */
    record StepJudge(SearchPlan plan) {
        /** Growth at 0.5 % above the capacity. Slower growth looks like a queue that is still settling. */
        private static final double GROWTH_TOLERATED = 0.005;

        /** The service is gone if at least this many requests failed over {@link #LEAST_GONE_NANOS} until the end. */
        private static final int LEAST_LOST = 10;

        private static final long LEAST_GONE_NANOS = 1_000_000_000;

        /** Why Downbeat was the limit; empty if it was not, or if its delays do not change the answer. */
        Optional<Caveat> clientLimit(RunResult run) {
            if (run.wasNothingDue()) {
                return Optional.empty();
            }
            RunVerdict verdict = Analysis.of(run, Criteria.of(plan.slos())).verdict();
            // an overload is only reported if Downbeat's own delays do not explain it
            boolean isDecided = verdict.service() != RunVerdict.Service.UNDECIDED
                    || verdict.overload().isPresent();
            return verdict.caveats().stream()
                    .filter(Caveat::isDoubt)
                    .filter(caveat -> isBroken(caveat) || (!isDecided && isOwnDelay(caveat)))
                    .findFirst();
        }

        /** Why no request reached the service in the run or its last second; empty if some did. */
        Optional<String> unreachable(RunResult run) {
            List<Interval> counted = run.intervals().stream()
                    .filter(interval -> interval.recording().ledger().accounted() > 0)
                    .toList();
            int from = counted.size();
            while (from > 0 && isUnreachable(counted.get(from - 1).recording())) {
                from--;
            }
            List<Interval> lost = counted.subList(from, counted.size());
            Recording failed = Interval.sum(lost);
            boolean isGone = from == 0
                    || (!lost.isEmpty()
                            && failed.ledger().failed() >= LEAST_LOST
                            && lost.get(lost.size() - 1).endNanos()
                                            - lost.get(0).startNanos()
                                    >= LEAST_GONE_NANOS);
            return failed.usualFailure().filter(reason -> isGone);
        }

        private static boolean isUnreachable(Recording recording) {
            Ledger ledger = recording.ledger();
            return recording.failedByService() == ledger.accounted()
                    && recording.tallies().failedResponses() == 0;
        }

        private static boolean isBroken(Caveat caveat) {
            return caveat instanceof RunDefect.LedgerMismatch || caveat instanceof RunDefect.Broken;
        }

        private static boolean isOwnDelay(Caveat caveat) {
            return caveat instanceof OwnDelay.GeneratorLate
                    || caveat instanceof OwnDelay.ClientBusy
                    || caveat instanceof OwnDelay.HiccupDuringRun
                    || caveat instanceof LoadCaveat.NotOffered;
        }

        RateStep unsound(double perSecond, RunResult run, Caveat limit) {
            SettledRuns runs = new SettledRuns(List.of(run), plan.settlingNanos());
            return step(perSecond, RateStep.StepOutcome.UNSOUND, limit.text(), runs, List.of());
        }

        RateStep judge(double perSecond, List<RunResult> all, double confidence) {
            SettledRuns runs = new SettledRuns(all, plan.settlingNanos());
            Evidence evidence = Evidence.of(runs.joined(), leastStretchNanos(), confidence);
            List<JudgedObjective> objectives =
                    plan.slos().stream().map(evidence::judge).toList();
            Optional<Growth> growth = runs.growth();
            if (growth.isPresent() && growth.get().lowSlope() > GROWTH_TOLERATED) {
                double slope = growth.get().slope();
                String reason = Double.isInfinite(slope)
                        ? "hardly any request was answered"
                        : String.format(Locale.ROOT, "response times grew by %.0f ms each second", 1e3 * slope);
                return step(perSecond, RateStep.StepOutcome.GROWING, reason, runs, objectives);
            }
            for (JudgedObjective.Status status :
                    List.of(JudgedObjective.Status.MISSED, JudgedObjective.Status.UNDECIDED)) {
                for (JudgedObjective objective : objectives) {
                    if (objective.status() == status) {
                        RateStep.StepOutcome outcome = status == JudgedObjective.Status.MISSED
                                ? RateStep.StepOutcome.MISSED
                                : RateStep.StepOutcome.UNDECIDED;
                        String reason = objective.slo().subject() + ": " + objective.reason();
                        return step(perSecond, outcome, reason, runs, objectives);
                    }
                }
            }
            return step(perSecond, RateStep.StepOutcome.PASS, "", runs, objectives);
        }

        private long leastStretchNanos() {
            return plan.stretchNanos() * 19 / 20;
        }

        private RateStep step(
                double perSecond,
                RateStep.StepOutcome outcome,
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
                long atNanos = 0;
                for (RunResult run : runs) {
                    for (Interval interval : settled(run)) {
                        joined.add(interval.later(atNanos - interval.startNanos()));
                        atNanos += interval.lengthNanos();
                    }
                }
                RunResult last = last();
                RunSpan span =
                        new RunSpan(last.started(), last.span().startAt(), atNanos, last.ending(), last.failure());
                return new RunResult(
                        last.plan(),
                        last.target(),
                        span,
                        closedAccount(Interval.sum(joined)),
                        joined,
                        last.lanes(),
                        last.health());
            }

            /** Requests planned while settling that ended afterwards are removed from the ledger. */
            private static Recording closedAccount(Recording recording) {
                return recording.withLedger(
                        recording.ledger().plus(new Ledger(-recording.outstanding(), 0, 0, 0, 0, 0, 0)));
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
                        .filter(interval ->
                                interval.lengthNanos() * 2 > run.plan().intervalNanos())
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
                List<Interval> intervals = underLoad(last());
                if (intervals.size() < Growth.LEAST) {
                    return Optional.empty();
                }
                long[] medians = new long[intervals.size()];
                for (int i = 0; i < medians.length; i++) {
                    long median = intervals.get(i).recording().response().valueAtPercentile(50);
                    medians[i] = median == 0 && i > 0 ? medians[i - 1] : median;
                }
                long nanos = intervals.get(intervals.size() - 1).endNanos()
                        - intervals.get(0).startNanos();
                return Optional.of(Growth.ofAnswers(medians, nanos / medians.length));
            }
        }
    }

    /**
     * The slow phases of a service over all runs of a search. A run between two slow phases makes the service look
     * better than it is, so runs must be long enough to contain several.
     */
    static final class SlowPhases {
        /** A stretch is slow if its median is at least this multiple of its run's lower quartile. */
        private static final double FACTOR = 2;

        /** A run should contain at least this many phases; fewer may be chance. */
        private static final double LEAST_MET = 4;

        /** The least share of slow time that counts; single stretches are slow by chance. */
        private static final double LEAST_SHARE = 0.02;

        private static final int LEAST_ANSWERS = 10;

        private double seenNanos;
        private double slow;
        private double slowSquared;

        /** Adds the phases that ended within a run after settling; a queue that grows to the end is not a phase. */
        void add(RunResult run, long settlingNanos) {
            List<Interval> stretches = run.intervals().stream()
                    .filter(stretch -> stretch.startNanos() >= settlingNanos
                            && times(stretch).count() >= LEAST_ANSWERS)
                    .toList();
            long[] medians = stretches.stream()
                    .mapToLong(stretch -> times(stretch).valueAtPercentile(50))
                    .sorted()
                    .toArray();
            double limit = medians.length == 0 ? 0 : FACTOR * medians[medians.length / 4];
            double phase = 0;
            for (Interval stretch : stretches) {
                if (times(stretch).valueAtPercentile(50) > limit) {
                    phase += stretch.lengthNanos();
                } else {
                    seenNanos += stretch.lengthNanos() + phase;
                    slow += phase;
                    slowSquared += phase * phase;
                    phase = 0;
                }
            }
        }

        private static Distribution times(Interval stretch) {
            return stretch.recording().responseAtLeast();
        }

        /** The run length that contains enough phases, by their effective number (Kish 1965). */
        long leastNanos() {
            return slow <= LEAST_SHARE * seenNanos ? 0 : (long) (LEAST_MET * seenNanos * slowSquared / (slow * slow));
        }
    }

    @FunctionalInterface
    public interface RateMeasurement {
        /**
         * Runs the measurement.
         *
         * @param perSecond planned requests per second, above 0
         * @param durationNanos duration of the load
         * @return the whole run including its start, with intervals of {@link SearchPlan#stretchNanos}
         * @throws IOException if nothing could be measured
         */
        RunResult measure(double perSecond, long durationNanos) throws IOException;
    }
}
