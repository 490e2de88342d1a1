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
 * @param isUnsure whether it was met or missed by the estimate, and another run of the same service might say otherwise
 */
public record JudgedObjective(
        AskedObjective slo,
        Status status,
        OptionalLong valueNanos,
        OptionalDouble valueShare,
        boolean isLowerBound,
        String reason,
        boolean isUnsure) {
    /** Whether an objective was kept. */
    public enum Status {
        /** Kept, whatever became of the requests whose end was not seen, and with all of our own delays. */
        MET("met"),
        /** Not kept, whatever became of the requests whose end was not seen, and without our own delays. */
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
    public JudgedObjective {
        Objects.requireNonNull(slo, "slo");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(reason, "reason");
    }

    /** One that is as sure as it says. */
    public JudgedObjective(
            AskedObjective slo,
            Status status,
            OptionalLong valueNanos,
            OptionalDouble valueShare,
            boolean isLowerBound,
            String reason) {
        this(slo, status, valueNanos, valueShare, isLowerBound, reason, false);
    }

    /** The answer as it is read: {@code met}, {@code MISSED}, {@code undecided}; {@code , not sure} may follow. */
    public String word() {
        String word = status == Status.MISSED ? "MISSED" : status.word();
        return isUnsure ? word + ", not sure" : word;
    }

    /** The value as a multiple of its limit; 0 where none is known. */
    public double timesItsLimit() {
        AskedObjective asked = slo instanceof AskedObjective.Named named ? named.slo() : slo;
        if (asked instanceof AskedObjective.Percentile percentile && valueNanos.isPresent()) {
            return (double) valueNanos.getAsLong() / percentile.limitNanos();
        }
        if (asked instanceof AskedObjective.Mean mean && valueNanos.isPresent()) {
            return (double) valueNanos.getAsLong() / mean.limitNanos();
        }
        if (asked instanceof AskedObjective.Errors errors
                && valueShare.isPresent()
                && errors.limitPercent().signum() > 0) {
            return 100 * valueShare.getAsDouble() / errors.limitPercent().doubleValue();
        }
        return 0;
    }

    public boolean isDecided() {
        return status != Status.UNDECIDED;
    }

    /** The same of an objective that says more. */
    JudgedObjective of(AskedObjective other) {
        return new JudgedObjective(other, status, valueNanos, valueShare, isLowerBound, reason, isUnsure);
    }

    /** Nobody can say, for a reason. */
    JudgedObjective undecided(String why) {
        return new JudgedObjective(slo, Status.UNDECIDED, valueNanos, valueShare, isLowerBound, reason + why);
    }

    /** The estimate stands, for what it is worth. */
    JudgedObjective notSure(String why) {
        return new JudgedObjective(
                slo, status, valueNanos, valueShare, isLowerBound, reason + ", not sure (" + why + ")", true);
    }

    static JudgedObjective ofTime(AskedObjective slo, Status status, long nanos, Observed observed, String more) {
        return new JudgedObjective(
                slo,
                status,
                OptionalLong.of(nanos),
                OptionalDouble.empty(),
                observed == Observed.AT_LEAST,
                observed.time(nanos) + more);
    }

    static JudgedObjective ofShare(AskedObjective slo, Status status, double share, boolean lowerBound, String reason) {
        return new JudgedObjective(slo, status, OptionalLong.empty(), OptionalDouble.of(share), lowerBound, reason);
    }

    static JudgedObjective unobserved(AskedObjective slo, String reason) {
        return new JudgedObjective(slo, Status.UNDECIDED, OptionalLong.empty(), OptionalDouble.empty(), false, reason);
    }

    /** Asked of requests that the run did not have: met by none of them, a misspelt name would never fail. */
    static JudgedObjective ofNobody(AskedObjective.Named slo, String reason) {
        return new JudgedObjective(slo, Status.MISSED, OptionalLong.empty(), OptionalDouble.empty(), false, reason);
    }
}
