package dev.downbeat.verdict;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What became of one objective.
 *
 * @param slo what was asked
 * @param status whether it was kept
 * @param valueNanos for an objective on a time: what was observed, in nanoseconds, if the data can carry it
 * @param valueShare for an objective on a share: what was observed, from 0 to 1, if anything was
 * @param isLowerBound whether the observed value is only a lower bound of the true one
 * @param reason what was seen, in a few words: "was 1.04 s"
 */
public record Objective(
        Slo slo,
        Status status,
        OptionalLong valueNanos,
        OptionalDouble valueShare,
        boolean isLowerBound,
        String reason) {
    /** Whether an objective was kept. */
    public enum Status {
        /** Kept, whatever became of the requests whose end was not seen. */
        MET("met"),
        /** Not kept, whatever became of the requests whose end was not seen. */
        MISSED("missed"),
        /** The data allow neither conclusion. */
        UNDECIDED("undecided");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        /** The status in lower case, as it stands in results. */
        public String word() {
            return word;
        }
    }

    /** Checks that all parts are there. */
    public Objective {
        Objects.requireNonNull(slo, "slo");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(reason, "reason");
    }

    /** A percentile that was kept is not sure to be kept again, if the service did not stand still; a miss is a miss. */
    Objective unlessSteady(Unsteady.NotSteady change) {
        boolean ofLevel = slo instanceof Slo.Percentile || slo instanceof Slo.Mean;
        return ofLevel && status == Status.MET
                ? new Objective(
                        slo, Status.UNDECIDED, valueNanos, valueShare, isLowerBound, reason + ", " + change.why())
                : this;
    }

    static Objective ofTime(Slo slo, Status status, long nanos, Observed observed) {
        return new Objective(
                slo,
                status,
                OptionalLong.of(nanos),
                OptionalDouble.empty(),
                observed == Observed.AT_LEAST,
                observed.time(nanos));
    }

    static Objective ofShare(Slo slo, Status status, double share, boolean lowerBound, String reason) {
        return new Objective(slo, status, OptionalLong.empty(), OptionalDouble.of(share), lowerBound, reason);
    }

    static Objective unobserved(Slo slo, String reason) {
        return new Objective(slo, Status.UNDECIDED, OptionalLong.empty(), OptionalDouble.empty(), false, reason);
    }
}
