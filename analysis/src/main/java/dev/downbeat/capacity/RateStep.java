package dev.downbeat.capacity;

import dev.downbeat.record.Recording;
import dev.downbeat.stats.Growth;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.JudgedObjective;
import java.util.List;
import java.util.Optional;

/**
 * The result at one rate. Immutable.
 *
 * @param perSecond planned requests per second
 * @param outcome the conclusion
 * @param reason the reason, in a few words
 * @param isConfirmed whether a run of at least three steps, alone or with those before it, had the outcome
 * @param measuredNanos total duration of all runs at this rate
 * @param recording what was recorded after settling
 * @param answeredPerSecond answered requests per second of load
 * @param growth trend of the response time under load, if the run was long enough
 * @param objectives the judged objectives
 * @param responseTimes 95 % intervals of {@link #PERCENTILES}, where there are enough requests
 */
public record RateStep(
        double perSecond,
        StepOutcome outcome,
        String reason,
        boolean isConfirmed,
        long measuredNanos,
        Recording recording,
        double answeredPerSecond,
        Optional<Growth> growth,
        List<JudgedObjective> objectives,
        List<QuantileInterval> responseTimes) {
    /** The percentiles with intervals. */
    public static final List<Double> PERCENTILES = Percentiles.of(Percentiles.Place.DECIDING);

    private static final double FAR_BELOW = 0.5;

    /** The conclusion about a rate. */
    public enum StepOutcome {
        /** All objectives are certainly met, and the response time does not grow. */
        PASS("ok"),
        /** At least one objective is certainly missed. */
        MISSED("missed"),
        /** The response time certainly grows under load: the rate exceeds the capacity. */
        GROWING("overload"),
        /** The budget or the limit of runs was reached before anything was certain. */
        UNDECIDED("undecided"),
        /** Downbeat could not offer the rate, so nothing is known about the service. */
        UNSOUND("UNSOUND");

        private final String word;

        StepOutcome(String word) {
            this.word = word;
        }

        /** One word for a table. */
        public String word() {
            return word;
        }

        /** Whether the service certainly did not sustain the rate. */
        public boolean isFailure() {
            return this == MISSED || this == GROWING;
        }
    }

    public RateStep {
        objectives = List.copyOf(objectives);
        responseTimes = List.copyOf(responseTimes);
    }

    /** The interval of one of the {@link #PERCENTILES}; empty if there are too few requests. */
    public Optional<QuantileInterval> responseTime(double percentile) {
        return responseTimes.stream()
                .filter(interval -> interval.percentile() == percentile)
                .findFirst();
    }

    /** Whether the service certainly did not sustain the rate, or Downbeat could not offer it. */
    boolean isTooHigh() {
        return outcome.isFailure() || outcome == StepOutcome.UNSOUND;
    }

    /** Whether the objectives were certainly met, or by such a margin that a longer run would hardly miss them. */
    boolean isLikelyMet() {
        return outcome == StepOutcome.PASS
                || outcome == StepOutcome.UNDECIDED
                        && objectives.stream()
                                .allMatch(objective -> objective.isDecided()
                                        || objective.timesItsLimit().orElse(Double.POSITIVE_INFINITY) < FAR_BELOW);
    }

    /** The same step as the result of a longer run, which confirms it unless it is undecided. */
    RateStep confirmed() {
        return new RateStep(
                perSecond,
                outcome,
                reason,
                outcome == StepOutcome.PASS || outcome.isFailure(),
                measuredNanos,
                recording,
                answeredPerSecond,
                growth,
                objectives,
                responseTimes);
    }

    double meanServiceSeconds() {
        return recording.service().meanNanos() / 1e9;
    }

    /** Whether this percentile of the waits for a free connection is longer than this multiple of the median service. */
    boolean waitsForConnections(double percentile, double serviceTimes) {
        return recording.backlogWait().valueAtPercentile(percentile)
                > serviceTimes * recording.service().valueAtPercentile(50);
    }
}
