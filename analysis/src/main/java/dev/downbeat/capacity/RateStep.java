package dev.downbeat.capacity;

import dev.downbeat.record.Recording;
import dev.downbeat.stats.Growth;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.JudgedObjective;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a service at one rate. Immutable.
 *
 * @param perSecond the rate at which requests were meant to start
 * @param outcome what follows
 * @param reason why, in a few words
 * @param isConfirmed whether a longer run of its own said the same
 * @param measuredNanos how long all runs took at this rate
 * @param recording what was counted after settling
 * @param answeredPerSecond how many requests were answered per second of load
 * @param growth how the response time changed while the load lasted, if the run was long enough to tell
 * @param objectives what became of each objective
 * @param responseTimes the intervals (95 %) of the percentiles {@link #PERCENTILES}, as far as the runs carry them
 */
public record RateStep(
        double perSecond,
        Outcome outcome,
        String reason,
        boolean isConfirmed,
        long measuredNanos,
        Recording recording,
        double answeredPerSecond,
        Optional<Growth> growth,
        List<JudgedObjective> objectives,
        List<QuantileInterval> responseTimes) {
    /** Of which percentiles there are intervals. */
    public static final List<Double> PERCENTILES = Percentiles.of(Percentiles.Place.DECIDING);

    private static final double FAR_BELOW = 0.5;

    /** What a rate turned out to be. */
    public enum Outcome {
        /** All objectives are surely met, and the response time does not grow. */
        PASS("ok"),
        /** At least one objective is surely missed. */
        MISSED("missed"),
        /** The response time surely grows as long as the load lasts: more than the service can do. */
        GROWING("overload"),
        /** The budget or the limit of runs was reached before anything was sure. */
        UNDECIDED("undecided"),
        /** This process could not offer the rate properly: nothing is known of the service. */
        UNSOUND("UNSOUND");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** In a word, for a table. */
        public String word() {
            return word;
        }

        /** Whether the service surely did not sustain the rate. */
        public boolean isFailure() {
            return this == MISSED || this == GROWING;
        }
    }

    public RateStep {
        objectives = List.copyOf(objectives);
        responseTimes = List.copyOf(responseTimes);
    }

    /** The interval of one of the {@link #PERCENTILES}; empty if the runs do not carry it. */
    public Optional<QuantileInterval> responseTime(double percentile) {
        return responseTimes.stream()
                .filter(interval -> interval.percentile() == percentile)
                .findFirst();
    }

    /** Whether the objectives were kept; surely, or by so much that a longer run would hardly miss them. */
    boolean looksKept() {
        return outcome == Outcome.PASS
                || outcome == Outcome.UNDECIDED
                        && objectives.stream()
                                .allMatch(objective -> objective.isDecided() || objective.timesItsLimit() < FAR_BELOW);
    }

    RateStep confirmed() {
        return new RateStep(
                perSecond,
                outcome,
                reason,
                true,
                measuredNanos,
                recording,
                answeredPerSecond,
                growth,
                objectives,
                responseTimes);
    }

    /** Mean time of a request at the service, in seconds. */
    double meanServiceSeconds() {
        return recording.service().meanNanos() / 1e9;
    }

    /** Whether half of the requests waited for a free connection longer than the service took. */
    boolean isShortOfConnections() {
        return recording.backlogWait().valueAtPercentile(50)
                > recording.service().valueAtPercentile(50);
    }
}
