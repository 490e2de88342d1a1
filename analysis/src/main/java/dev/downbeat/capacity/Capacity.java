package dev.downbeat.capacity;

import dev.downbeat.stats.Growth;
import dev.downbeat.stats.ScalabilityLaw;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a search found. Immutable.
 *
 * @param plan what was looked for
 * @param steps what is known of each rate, by rising rate
 * @param isCutShort whether the search ended before it was done, by its budget or for what {@code unmeasured} says
 * @param unmeasured the rate at which it ended, if it was not its budget that ended it
 * @param missesSlowPhases whether the service was slow at times, so rarely that a run to confirm a rate had to be longer than usual
 */
public record Capacity(
        SearchPlan plan,
        List<RateStep> steps,
        boolean isCutShort,
        Optional<Unmeasured> unmeasured,
        boolean missesSlowPhases) {
    /** A service whose requests take so much longer than when it is idle is busy itself. */
    private static final double BUSY = 1.5;

    /** A slope below this is too close to none for a capacity. */
    private static final double LEAST_SLOPE = 0.01;

    private static final double NORMAL_95 = 1.96;

    /** What kept the rate from being higher. */
    public enum Limit {
        /** The service failed at a higher rate. */
        SERVICE,
        /** All connections were busy while the service was as quick as ever: more connections might do more. */
        CONNECTIONS,
        /** This process could not offer more. */
        CLIENT,
        /** No higher rate was tried. */
        NOT_REACHED
    }

    public Capacity {
        steps = List.copyOf(steps);
        if (unmeasured.isPresent() && !isCutShort) {
            throw new IllegalArgumentException("what ended at " + unmeasured.get() + " was cut short");
        }
    }

    /** Of a search that nobody but its budget may have ended early. */
    public Capacity(SearchPlan plan, List<RateStep> steps, boolean isCutShort) {
        this(plan, steps, isCutShort, Optional.empty(), false);
    }

    /** The lowest rate that is shown to be too high, or at which we were the limit; infinite if there is none. */
    static double upperEnd(Collection<RateStep> steps) {
        return steps.stream()
                .filter(step -> step.outcome().isFailure() || step.outcome() == RateStep.Outcome.UNSOUND)
                .mapToDouble(RateStep::perSecond)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * The highest rate that passed and below which all look kept; 0 if there is none. A rate that passes above one that does
     * not met the service at a better time, so it says nothing.
     */
    static double lowerEnd(Collection<RateStep> steps) {
        return steps.stream()
                .sorted(Comparator.comparingDouble(RateStep::perSecond))
                .takeWhile(RateStep::looksKept)
                .filter(step -> step.outcome() == RateStep.Outcome.PASS)
                .mapToDouble(RateStep::perSecond)
                .max()
                .orElse(0);
    }

    /** The highest rate that was shown to be sustained (95 %); empty if none was. */
    public OptionalDouble sustainablePerSecond() {
        double low = lowerEnd(steps);
        return low == 0 ? OptionalDouble.empty() : OptionalDouble.of(low);
    }

    /** What is known of that rate; of the lowest that was tried, if none was sustained. */
    public Optional<RateStep> highestKept() {
        double rate = sustainablePerSecond()
                .orElse(steps.stream().mapToDouble(RateStep::perSecond).min().orElse(0));
        return steps.stream().filter(step -> step.perSecond() == rate).findFirst();
    }

    /** The lowest rate that was shown to be too high (95 %): the upper end of the interval; empty if there is none. */
    public OptionalDouble tooHighPerSecond() {
        double high = steps.stream()
                .filter(step -> step.outcome().isFailure())
                .mapToDouble(RateStep::perSecond)
                .min()
                .orElse(0);
        return high == 0 ? OptionalDouble.empty() : OptionalDouble.of(high);
    }

    /** Whether a longer run of its own said the same of the sustainable rate. */
    public boolean isConfirmed() {
        double low = lowerEnd(steps);
        return steps.stream().anyMatch(step -> step.perSecond() == low && step.isConfirmed());
    }

    /** What kept the rate from being higher. */
    public Limit limit() {
        double high = upperEnd(steps);
        Optional<RateStep> end =
                steps.stream().filter(step -> step.perSecond() == high).findFirst();
        if (end.isEmpty()) {
            return Limit.NOT_REACHED;
        }
        if (end.get().outcome() == RateStep.Outcome.UNSOUND) {
            return Limit.CLIENT;
        }
        return isLimitOfConnections(end.get()) ? Limit.CONNECTIONS : Limit.SERVICE;
    }

    /** Without a lower rate at which there were connections to spare, nobody can tell. */
    private boolean isLimitOfConnections(RateStep step) {
        RateStep lowest = steps.get(0);
        return step.isShortOfConnections()
                && !lowest.isShortOfConnections()
                && step.meanServiceSeconds() < BUSY * lowest.meanServiceSeconds();
    }

    /** Why this process was the limit, if it was. */
    public Optional<String> clientLimit() {
        return steps.stream()
                .filter(step -> step.outcome() == RateStep.Outcome.UNSOUND)
                .findFirst()
                .map(RateStep::reason);
    }

    /**
     * How much the service can do at all, from the growth of the response time in each overloaded step, weighted by how
     * sure each is; empty if no step was one, the connections were the limit, or steps miss slow phases. Steps that differ by more than they are
     * sure, since the service changed between them, widen the interval (Birge, Phys. Rev. 40, 1932).
     */
    public Optional<Growth.Capacity> saturation() {
        List<Growth.Capacity> all = steps.stream()
                .filter(this::isOverload)
                .flatMap(step -> step.growth().flatMap(growth -> growth.capacity(step.perSecond())).stream())
                .toList();
        if (all.isEmpty() || missesSlowPhases) {
            return Optional.empty();
        }
        double weights = all.stream().mapToDouble(Capacity::weight).sum();
        double mean =
                all.stream().mapToDouble(one -> one.perSecond() * weight(one)).sum() / weights;
        double apart = all.stream()
                .mapToDouble(one -> Math.pow(one.perSecond() - mean, 2) * weight(one))
                .sum();
        double half = NORMAL_95 * Math.sqrt(Math.max(1, apart / Math.max(1, all.size() - 1)) / weights);
        return Optional.of(new Growth.Capacity(mean, mean - half, mean + half));
    }

    /** One by its variance. */
    private static double weight(Growth.Capacity one) {
        double width = Math.max(1e-6 * one.perSecond(), one.highPerSecond() - one.lowPerSecond());
        return Math.pow(2 * NORMAL_95 / width, 2);
    }

    private boolean isOverload(RateStep step) {
        return step.outcome() == RateStep.Outcome.GROWING
                && step.growth()
                        .filter(growth -> growth.lowSlope() > LEAST_SLOPE)
                        .isPresent()
                && !isLimitOfConnections(step);
    }

    /** The law of throughput by concurrency; empty with fewer than six loads. The concurrency is that at the service. */
    public Optional<ScalabilityLaw> scalability() {
        List<RateStep> sound = steps.stream()
                .filter(step -> step.outcome() != RateStep.Outcome.UNSOUND)
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
        return Optional.of(ScalabilityLaw.fit(clients, throughputs));
    }
}
