package dev.downbeat.capacity;

import dev.downbeat.stats.Growth;
import dev.downbeat.stats.ScalabilityLaw;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The result of a search. Immutable.
 *
 * @param plan the rates and objectives of the search
 * @param steps the result at each rate, in ascending order of rate
 * @param isCutShort whether the search ended early, because of its budget or {@code unmeasured}
 * @param unmeasured the rate at which the search failed; empty if it completed or its budget ran out
 * @param missesSlowPhases whether slow phases of the service were too rare for a run to confirm a rate
 */
public record Capacity(
        SearchPlan plan,
        List<RateStep> steps,
        boolean isCutShort,
        Optional<Unmeasured> unmeasured,
        boolean missesSlowPhases) {
    /** The service is considered busy if its mean service time reaches this multiple of that at the lowest rate. */
    private static final double BUSY = 1.5;

    /** A shorter wait for a connection, in service times, is negligible. */
    private static final double NEGLIGIBLE_WAIT = 0.1;

    /** A smaller slope does not yield a capacity. */
    private static final double LEAST_SLOPE = 0.01;

    private static final double NORMAL_95 = 1.96;

    /** What limited the rate. */
    public enum Limit {
        /** The service failed at a higher rate. */
        SERVICE,
        /** All connections were busy while the service was as fast as ever, so more connections might achieve more. */
        CONNECTIONS,
        /** No rate was too high, and Downbeat itself disturbed the highest rates, so it may have been the limit. */
        CLIENT,
        /** No rate was too high. */
        NOT_REACHED
    }

    public Capacity {
        steps = List.copyOf(steps);
        if (unmeasured.isPresent() && !isCutShort) {
            throw new IllegalArgumentException("what ended at " + unmeasured.get() + " was cut short");
        }
    }

    /** The lowest rate shown to be too high, or at which Downbeat was the limit; infinite if there is none. */
    static double upperEnd(Collection<RateStep> steps) {
        return steps.stream()
                .filter(RateStep::isTooHigh)
                .mapToDouble(RateStep::perSecond)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** The highest rate that passed with all lower ones likely met; 0 if none. A pass above a failure is luck. */
    static double lowerEnd(Collection<RateStep> steps) {
        return likely(steps)
                .filter(step -> step.outcome() == RateStep.StepOutcome.PASS)
                .mapToDouble(RateStep::perSecond)
                .max()
                .orElse(0);
    }

    /** The highest rate up to which all rates look sustained; 0 if there is none. */
    static double likelyEnd(Collection<RateStep> steps) {
        return likely(steps).mapToDouble(RateStep::perSecond).max().orElse(0);
    }

    private static Stream<RateStep> likely(Collection<RateStep> steps) {
        return steps.stream()
                .sorted(Comparator.comparingDouble(RateStep::perSecond))
                .takeWhile(RateStep::isLikelyMet);
    }

    /** The highest rate shown to be sustained, with a confidence of 95 %; empty if there is none. */
    public OptionalDouble sustainablePerSecond() {
        double low = lowerEnd(steps);
        return low == 0 ? OptionalDouble.empty() : OptionalDouble.of(low);
    }

    /** The step at that rate; the lowest step if no rate was sustained. */
    public Optional<RateStep> highestKept() {
        double rate = sustainablePerSecond()
                .orElse(steps.stream().mapToDouble(RateStep::perSecond).min().orElse(0));
        return steps.stream().filter(step -> step.perSecond() == rate).findFirst();
    }

    /** The lowest rate shown to be too high, with a confidence of 95 %; empty if there is none. */
    public OptionalDouble tooHighPerSecond() {
        double high = steps.stream()
                .filter(step -> step.outcome().isFailure())
                .mapToDouble(RateStep::perSecond)
                .min()
                .orElse(0);
        return high == 0 ? OptionalDouble.empty() : OptionalDouble.of(high);
    }

    /** Whether certainly no rate is sustained: the search came to its end, and even the lowest rate failed. */
    public boolean isNoneSustained() {
        return !isCutShort && !steps.isEmpty() && steps.get(0).outcome().isFailure();
    }

    /** Whether a run of at least three steps confirmed the sustained rate. */
    public boolean isConfirmed() {
        double low = lowerEnd(steps);
        return steps.stream().anyMatch(step -> step.perSecond() == low && step.isConfirmed());
    }

    /** What limited the rate. */
    public Limit limit() {
        Optional<RateStep> end = steps.stream()
                .filter(step -> step.outcome().isFailure())
                .min(Comparator.comparingDouble(RateStep::perSecond));
        if (end.isEmpty()) {
            return clientLimit().isPresent() ? Limit.CLIENT : Limit.NOT_REACHED;
        }
        return isLimitOfConnections(end.get()) ? Limit.CONNECTIONS : Limit.SERVICE;
    }

    /**
     * Only a lower rate with idle connections can show that connections are the limit. Just above the limit, waits for
     * a connection are short and rare, so a higher rate may show it first.
     */
    private boolean isLimitOfConnections(RateStep end) {
        RateStep lowest = steps.get(0);
        return !lowest.waitsForConnections(50, 1)
                && isAsQuickAs(lowest, end)
                && end.waitsForConnections(99, NEGLIGIBLE_WAIT)
                && steps.stream()
                        .filter(step -> step.perSecond() >= end.perSecond())
                        .anyMatch(step -> step.waitsForConnections(50, 1) && isAsQuickAs(lowest, step));
    }

    private static boolean isAsQuickAs(RateStep lowest, RateStep step) {
        return step.meanServiceSeconds() < BUSY * lowest.meanServiceSeconds();
    }

    /**
     * The lowest rate from which on Downbeat may have been the limit; empty if the service failed, or was measured at a
     * higher rate.
     */
    public Optional<RateStep> clientLimit() {
        boolean isServiceLimit = steps.stream().anyMatch(step -> step.outcome().isFailure());
        return steps.stream()
                .filter(step -> !isServiceLimit
                        && step.outcome() == RateStep.StepOutcome.UNSOUND
                        && step.perSecond() > highestMeasuredPerSecond().orElse(0))
                .min(Comparator.comparingDouble(RateStep::perSecond));
    }

    /**
     * The lowest rate at which Downbeat may have hidden what the service sustains; empty if the service failed below it or
     * passed at a higher rate.
     */
    public Optional<RateStep> undecidedByClient() {
        double tooHigh = tooHighPerSecond().orElse(Double.POSITIVE_INFINITY);
        double passed = steps.stream()
                .filter(step -> step.outcome() == RateStep.StepOutcome.PASS)
                .mapToDouble(RateStep::perSecond)
                .max()
                .orElse(0);
        return steps.stream()
                .filter(step -> step.outcome() == RateStep.StepOutcome.UNSOUND
                        && step.perSecond() > passed
                        && step.perSecond() < tooHigh)
                .min(Comparator.comparingDouble(RateStep::perSecond));
    }

    /** The highest rate that Downbeat could offer; empty if there is none. */
    public OptionalDouble highestMeasuredPerSecond() {
        return steps.stream()
                .filter(step -> step.outcome() != RateStep.StepOutcome.UNSOUND)
                .mapToDouble(RateStep::perSecond)
                .max();
    }

    /**
     * The service's capacity, estimated from the growth of the response time in each overloaded step and weighted by
     * precision. Empty if no step was overloaded, connections were the limit, or steps missed slow phases. If steps
     * differ by more than their errors, the interval is widened (Birge, Phys. Rev. 40, 1932), at most to the outermost
     * ends of the steps' own intervals.
     */
    public Optional<Growth.CapacityEstimate> saturation() {
        List<Growth.CapacityEstimate> all = steps.stream()
                .filter(this::isOverload)
                .flatMap(step -> step.growth().flatMap(growth -> growth.capacity(step.perSecond())).stream())
                .toList();
        if (all.size() < 2 || missesSlowPhases) {
            return missesSlowPhases ? Optional.empty() : all.stream().findFirst();
        }
        double weights = all.stream().mapToDouble(Capacity::weight).sum();
        double mean =
                all.stream().mapToDouble(one -> one.perSecond() * weight(one)).sum() / weights;
        double apart = all.stream()
                .mapToDouble(one -> Math.pow(one.perSecond() - mean, 2) * weight(one))
                .sum();
        double half = NORMAL_95 * Math.sqrt(Math.max(1, apart / Math.max(1, all.size() - 1)) / weights);
        double least = all.stream()
                .mapToDouble(Growth.CapacityEstimate::lowPerSecond)
                .min()
                .orElseThrow();
        double most = all.stream()
                .mapToDouble(Growth.CapacityEstimate::highPerSecond)
                .max()
                .orElseThrow();
        return Optional.of(
                new Growth.CapacityEstimate(mean, Math.max(least, mean - half), Math.min(most, mean + half)));
    }

    /** The inverse of the variance. */
    private static double weight(Growth.CapacityEstimate one) {
        double width = Math.max(1e-6 * one.perSecond(), one.highPerSecond() - one.lowPerSecond());
        return Math.pow(2 * NORMAL_95 / width, 2);
    }

    private boolean isOverload(RateStep step) {
        return step.outcome() == RateStep.StepOutcome.GROWING
                && step.growth()
                        .filter(growth -> growth.lowSlope() > LEAST_SLOPE)
                        .isPresent()
                && !isLimitOfConnections(step);
    }

    /**
     * The universal scalability law fitted to the steps, by the concurrency measured at the service. Empty with fewer
     * than six loads, or if the concurrency never reached 1.
     */
    public Optional<ScalabilityLaw> scalability() {
        List<RateStep> sound = steps.stream()
                .filter(step -> step.outcome() != RateStep.StepOutcome.UNSOUND)
                .filter(step -> step.answeredPerSecond() > 0 && step.meanServiceSeconds() > 0)
                .toList();
        if (sound.size() < ScalabilityLaw.LEAST_LOADS) {
            return Optional.empty();
        }
        double[] throughputs =
                sound.stream().mapToDouble(RateStep::answeredPerSecond).toArray();
        double[] clients = sound.stream()
                .mapToDouble(step -> step.answeredPerSecond() * step.meanServiceSeconds())
                .toArray();
        return Arrays.stream(clients).anyMatch(atOnce -> atOnce >= 1)
                ? Optional.of(ScalabilityLaw.fit(clients, throughputs))
                : Optional.empty();
    }

    /**
     * A rate that could not be measured, which ended the search early.
     *
     * @param perSecond the rate, above 0
     * @param reason the reason in a few words: the search was stopped, or the service became unreachable
     */
    public record Unmeasured(double perSecond, String reason) {
        static final String INTERRUPTED = "interrupted";

        public Unmeasured {
            if (!(perSecond > 0)) {
                throw new IllegalArgumentException(
                        String.format(Locale.ROOT, "perSecond must be above 0, but was %s", perSecond));
            }
        }
    }
}
