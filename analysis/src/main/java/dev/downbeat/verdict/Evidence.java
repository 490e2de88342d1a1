package dev.downbeat.verdict;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import dev.downbeat.stats.RunIntervals.MeanInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ObservedJudgement.BoundedTime.Observed;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.bound.ResponseIntervals.Cuts;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * What a run proves about the service, beyond the requests that happened to be sent. An objective is certainly met if
 * its whole confidence interval is within the limit, certainly missed if none of it is, and otherwise undecided. The
 * intervals account for requests that wait together. A maximum has no interval and is judged as observed. Immutable.
 */
public final class Evidence implements ServiceLevelObjective.ObjectiveJudge<JudgedObjective> {
    private static final long GOOD = 1;
    private static final long BAD = 2;

    private static final String TOO_SHORT = "run too short to decide";

    private final Observations observations;
    private final RunResult result;
    private final long stretchNanos;
    private final double confidence;
    private final ResponseBounds bounds;
    private final List<Interval> stretches;

    private Evidence(Observations observations, long stretchNanos, double confidence) {
        this.observations = observations;
        this.result = observations.result();
        this.stretchNanos = stretchNanos;
        this.confidence = confidence;
        this.bounds = observations.response();
        this.stretches = stretches(result.intervals(), stretchNanos);
    }

    /**
     * Creates the evidence of a run.
     *
     * @param result the run, without a warm-up
     * @param stretchNanos least length of a stretch for stretches to be independent; a second suffices for most queues
     * @param confidence probability that each decision is right, from 0.5, below 1
     */
    public static Evidence of(RunResult result, long stretchNanos, double confidence) {
        return new Evidence(Observations.of(result), stretchNanos, confidence);
    }

    /** The evidence of a run whose observations are known. */
    static Evidence of(Observations observations) {
        return new Evidence(observations, ResponseIntervals.LEAST_STRETCH_NANOS, QuantileInterval.CONFIDENCE);
    }

    static List<Interval> stretches(List<Interval> intervals, long leastNanos) {
        return Cuts.stretches(intervals, leastNanos).stream()
                .map(stretch -> stretch.stream().reduce(Interval::then).orElseThrow())
                .toList();
    }

    /** The evidence of the requests of one name. */
    Evidence named(String name) {
        return new Evidence(observations.named(name), stretchNanos, confidence);
    }

    @Override
    public JudgedObjective named(ServiceLevelObjective.Named slo) {
        return named(slo.name()).judge(slo.slo()).withObjective(slo);
    }

    public JudgedObjective judge(ServiceLevelObjective slo) {
        return slo.judge(this);
    }

    JudgedObjective asObserved(ServiceLevelObjective slo) {
        return ObservedJudgement.of(slo, observations);
    }

    @Override
    public JudgedObjective percentile(ServiceLevelObjective.Percentile slo) {
        if (slo.percentile() >= 100) {
            return asObserved(slo);
        }
        if (bounds.count() == 0) {
            return JudgedObjective.unobserved(slo, "nothing was answered");
        }
        Optional<QuantileInterval> least =
                interval(slo.percentile(), stretch -> stretch.recording().responseAtLeast());
        Optional<QuantileInterval> most = bounds.isExact()
                ? least
                : interval(slo.percentile(), stretch -> ResponseBounds.atMost(stretch.recording(), 0));
        OptionalLong low = least.map(QuantileInterval::lowNanos).orElse(OptionalLong.empty());
        OptionalLong high = most.map(QuantileInterval::highNanos).orElse(OptionalLong.empty());
        JudgedObjective.Status status = status(slo, least, most);
        // Requests that may still be answered have no upper bound, regardless of the run's length.
        boolean isShort = low.isEmpty()
                || least.stream().noneMatch(known -> known.highNanos().isPresent());
        long value = bounds.atLeastNanos(slo.percentile());
        return JudgedObjective.ofTime(
                slo,
                status,
                value,
                !bounds.isKnownAt(slo.percentile()),
                Observed.of(bounds.isKnownAt(slo.percentile())).time(value, slo.limitNanos())
                        + between(low, high, slo.limitNanos())
                        + (isShort && status == JudgedObjective.Status.UNDECIDED
                                ? ": " + whyUndecided(slo, least)
                                : ""));
    }

    private static JudgedObjective.Status status(
            ServiceLevelObjective.Percentile slo, Optional<QuantileInterval> least, Optional<QuantileInterval> most) {
        OptionalLong low = least.map(QuantileInterval::lowNanos).orElse(OptionalLong.empty());
        OptionalLong high = most.map(QuantileInterval::highNanos).orElse(OptionalLong.empty());
        boolean missed = low.isPresent() && !slo.keeps(low.getAsLong());
        boolean met = high.isPresent() && slo.keeps(high.getAsLong());
        return JudgedObjective.Status.of(met, missed);
    }

    private String whyUndecided(ServiceLevelObjective.Percentile slo, Optional<QuantileInterval> interval) {
        Optional<QuantileInterval> ifIndependent =
                Optional.of(QuantileInterval.ofIndependent(result.recording().responseAtLeast(), slo.percentile()));
        return whyUndecided("slow requests", isClustered(interval), status(slo, ifIndependent, ifIndependent));
    }

    /** With as many digits as the value before it, which is compared with the limit. */
    private static String between(OptionalLong low, OptionalLong high, long limitNanos) {
        boolean isOpen = high.isEmpty() || high.getAsLong() >= Distribution.MAX_NANOS;
        if (isOpen && low.isEmpty()) {
            return "";
        }
        String from = low.isEmpty() ? "0" : DurationText.rounded(low.getAsLong(), limitNanos);
        return isOpen
                ? " (at least " + from + ")"
                : " (" + from + " to " + DurationText.rounded(high.getAsLong(), limitNanos) + ")";
    }

    private Optional<QuantileInterval> interval(double percentile, Function<Interval, Distribution> times) {
        return RunIntervals.of(stretches.stream().map(times).toList())
                .map(intervals -> intervals.at(percentile, confidence));
    }

    /**
     * The 95 % confidence interval of a percentile of the response time.
     *
     * @param percentile above 0, below 100
     * @return empty if there are too few requests or stretches, or if only a lower bound is known
     */
    public Optional<QuantileInterval> responseTime(double percentile) {
        if (!bounds.hasEnoughFor(percentile) || !bounds.isKnownAt(percentile)) {
            return Optional.empty();
        }
        return RunIntervals.of(stretches.stream()
                        .map(stretch -> stretch.recording().responseAtLeast())
                        .toList())
                .map(intervals -> intervals.at(percentile));
    }

    @Override
    public JudgedObjective mean(ServiceLevelObjective.Mean slo) {
        if (bounds.count() == 0 || stretches.size() < RunIntervals.LEAST_SECONDS) {
            JudgedObjective observed = asObserved(slo);
            return observed.status() == JudgedObjective.Status.UNDECIDED
                    ? observed
                    : JudgedObjective.unobserved(slo, TOO_SHORT);
        }
        MeanInterval mean = meanOfStretches();
        boolean missed = !slo.keeps((long) mean.lowNanos());
        boolean met = bounds.isExact() && slo.keeps((long) Math.ceil(mean.highNanos()));
        long value = Math.round(mean.meanNanos());
        OptionalLong high = bounds.isExact() ? OptionalLong.of((long) mean.highNanos()) : OptionalLong.empty();
        return JudgedObjective.ofTime(
                slo,
                JudgedObjective.Status.of(met, missed),
                value,
                !bounds.isExact(),
                Observed.of(bounds.isExact()).time(value, slo.limitNanos())
                        + between(OptionalLong.of((long) mean.lowNanos()), high, slo.limitNanos()));
    }

    private MeanInterval meanOfStretches() {
        return MeanInterval.of(
                stretches.stream()
                        .map(stretch -> stretch.recording().responseAtLeast())
                        .toList(),
                confidence);
    }

    /**
     * The ends of the mean's interval.
     *
     * @param highNanos empty if requests were not seen to end, so that the mean is unbounded
     */
    record MeanEnds(long lowNanos, OptionalLong highNanos) {
        static MeanEnds of(MeanInterval mean, ResponseBounds bounds) {
            return new MeanEnds(
                    (long) mean.lowNanos(),
                    bounds.isExact() ? OptionalLong.of((long) mean.highNanos()) : OptionalLong.empty());
        }
    }

    /** The interval of the mean response time; empty if the run is too short for one. */
    Optional<MeanEnds> meanInterval() {
        return bounds.count() == 0 || stretches.size() < RunIntervals.LEAST_SECONDS
                ? Optional.empty()
                : Optional.of(MeanEnds.of(meanOfStretches(), bounds));
    }

    @Override
    public JudgedObjective errors(ServiceLevelObjective.Errors slo) {
        RunPlan plan = result.plan();
        return share(
                slo,
                slo.limitPercent(),
                recording -> BoundedCount.ofErrors(recording, plan).leastCount(),
                recording -> BoundedCount.ofErrors(recording, plan).mostCount());
    }

    @Override
    public JudgedObjective answers(ServiceLevelObjective.AchievedRate slo) {
        boolean complete = result.isComplete();
        return share(
                slo,
                BigDecimal.valueOf(100).subtract(slo.limitPercent()),
                recording -> unanswered(recording, BoundedCount::mostCount, complete),
                recording -> unanswered(recording, BoundedCount::leastCount, complete));
    }

    private static long unanswered(Recording recording, ToLongFunction<BoundedCount> answered, boolean complete) {
        Ledger ledger = recording.ledger();
        return ledger.accounted() - answered.applyAsLong(BoundedCount.ofAnswers(ledger, complete));
    }

    /**
     * Judges a share of bad requests as percentile 100 - L of a two-valued distribution, which has an interval. It is
     * missed if the certainly bad requests miss it, and met if all possibly bad ones meet it.
     */
    private JudgedObjective share(
            ServiceLevelObjective slo,
            BigDecimal limitPercent,
            ToLongFunction<Recording> surelyBad,
            ToLongFunction<Recording> possiblyBad) {
        JudgedObjective observed = asObserved(slo);
        double percentile = 100 - limitPercent.doubleValue();
        if (!(percentile > 0 && percentile < 100) || observed.valueShare().isEmpty()) {
            return observed;
        }
        Optional<QuantileInterval> least = interval(percentile, stretch -> twoValues(stretch.recording(), surelyBad));
        Optional<QuantileInterval> most = interval(percentile, stretch -> twoValues(stretch.recording(), possiblyBad));
        JudgedObjective.Status status = status(least, most);
        boolean isOpen = status == JudgedObjective.Status.UNDECIDED && observed.isDecided();
        boolean isClustered = isClustered(least) || isClustered(most);
        return JudgedObjective.ofShare(
                slo,
                status,
                observed.valueShare().getAsDouble(),
                observed.isLowerBound(),
                observed.reason()
                        + (isOpen ? ": " + whyUndecided(percentile, surelyBad, possiblyBad, isClustered) : ""));
    }

    /** Whether failures certainly miss an objective on a share, given that they do in this run. */
    boolean isMissedByFailures(ServiceLevelObjective slo) {
        double percentile = slo instanceof ServiceLevelObjective.AchievedRate rate
                ? rate.limitPercent().doubleValue()
                : 100 - ((ServiceLevelObjective.Errors) slo).limitPercent().doubleValue();
        return !(percentile > 0 && percentile < 100)
                || status(
                                interval(
                                        percentile,
                                        stretch -> twoValues(stretch.recording(), Recording::failedByService)),
                                Optional.empty())
                        == JudgedObjective.Status.MISSED;
    }

    private static JudgedObjective.Status status(Optional<QuantileInterval> least, Optional<QuantileInterval> most) {
        boolean missed = least.stream().anyMatch(known -> known.lowNanos().orElse(GOOD) == BAD);
        boolean met = most.stream().anyMatch(known -> known.highNanos().orElse(BAD) == GOOD);
        return JudgedObjective.Status.of(met, missed);
    }

    /** Whether the effective number of requests is below half, which is more than the allowance for few batches. */
    private boolean isClustered(Optional<QuantileInterval> interval) {
        long count = result.recording().ledger().accounted();
        return interval.stream().anyMatch(known -> known.effectiveCount() < count / 2.0);
    }

    /** Why an objective on a share is undecided although its value is known. */
    private String whyUndecided(
            double percentile,
            ToLongFunction<Recording> surelyBad,
            ToLongFunction<Recording> possiblyBad,
            boolean isClustered) {
        Recording all = result.recording();
        JudgedObjective.Status ifIndependent = status(
                Optional.of(QuantileInterval.ofIndependent(twoValues(all, surelyBad), percentile)),
                Optional.of(QuantileInterval.ofIndependent(twoValues(all, possiblyBad), percentile)));
        return whyUndecided("the failures", isClustered, ifIndependent);
    }

    private String whyUndecided(String bad, boolean isClustered, JudgedObjective.Status ifIndependent) {
        if (stretches.size() < RunIntervals.LEAST_SECONDS) {
            return TOO_SHORT;
        }
        return isClustered && ifIndependent != JudgedObjective.Status.UNDECIDED
                ? bad + " came together, so too few of them are independent"
                : "too few requests to decide";
    }

    private static Distribution twoValues(Recording recording, ToLongFunction<Recording> bad) {
        Histogram histogram = new Histogram(1, BAD, 1);
        long badCount = bad.applyAsLong(recording);
        histogram.recordValueWithCount(BAD, badCount);
        histogram.recordValueWithCount(GOOD, Math.max(0, recording.ledger().accounted() - badCount));
        return Distribution.of(histogram);
    }
}
