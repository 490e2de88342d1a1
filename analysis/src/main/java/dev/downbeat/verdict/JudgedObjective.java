package dev.downbeat.verdict;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The judgement of one objective.
 *
 * @param slo the objective
 * @param status whether it was met
 * @param valueNanos observed time in nanoseconds, for objectives on times with enough requests
 * @param valueShare observed share from 0 to 1, for objectives on shares with any requests
 * @param isLowerBound whether the observed value is a lower bound
 * @param reason the observation in a few words: "measured 1.04 s"
 * @param isUnsure whether the point estimate decided, so that another run of the same service might differ
 */
public record JudgedObjective(
        ServiceLevelObjective slo,
        Status status,
        OptionalLong valueNanos,
        OptionalDouble valueShare,
        boolean isLowerBound,
        String reason,
        boolean isUnsure) {
    /** Whether an objective was met. */
    public enum Status {
        /** Met for any fate of the requests whose end was not seen, even with all of Downbeat's delays. */
        MET,
        /** Missed for any fate of the requests whose end was not seen, even without Downbeat's delays. */
        MISSED,
        /** The data are not conclusive. */
        UNDECIDED;

        /** Missed takes precedence; undecided if neither is certain. */
        static Status of(boolean met, boolean missed) {
            return missed ? MISSED : met ? MET : UNDECIDED;
        }

        /** The status in lower case, as it stands in results. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public JudgedObjective {
        Objects.requireNonNull(slo, "slo");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(reason, "reason");
    }

    /** A judgement without the mark "uncertain". */
    public JudgedObjective(
            ServiceLevelObjective slo,
            Status status,
            OptionalLong valueNanos,
            OptionalDouble valueShare,
            boolean isLowerBound,
            String reason) {
        this(slo, status, valueNanos, valueShare, isLowerBound, reason, false);
    }

    /** The answer as displayed: {@code met}, {@code MISSED} or {@code undecided}, possibly followed by {@code , uncertain}. */
    public String word() {
        String word = status == Status.MISSED ? "MISSED" : status.word();
        return isUnsure ? word + ", uncertain" : word;
    }

    /** The value as a multiple of its limit; for a rate, the missing part of both. Empty if unknown. */
    public OptionalDouble timesItsLimit() {
        ServiceLevelObjective plain = slo instanceof ServiceLevelObjective.Named named ? named.slo() : slo;
        if (plain instanceof ServiceLevelObjective.OfTime time && valueNanos.isPresent()) {
            return OptionalDouble.of((double) valueNanos.getAsLong() / time.limitNanos());
        }
        if (valueShare.isEmpty()) {
            return OptionalDouble.empty();
        }
        double percent = 100 * valueShare.getAsDouble();
        if (plain instanceof ServiceLevelObjective.Errors errors) {
            return ratio(percent, errors.limitPercent().doubleValue());
        }
        return plain instanceof ServiceLevelObjective.AchievedRate rate
                ? ratio(100 - percent, 100 - rate.limitPercent().doubleValue())
                : OptionalDouble.empty();
    }

    private static OptionalDouble ratio(double value, double limit) {
        return OptionalDouble.of(value <= 0 ? 0 : value / limit);
    }

    public boolean isDecided() {
        return status != Status.UNDECIDED;
    }

    /**
     * Whether it is undecided and prevents the run from passing. An undecided default does so only if its value exceeds
     * the limit and a doubt about the measurement keeps it undecided.
     */
    public boolean isOpen() {
        return status == Status.UNDECIDED && (slo.isAsked() || timesItsLimit().orElse(0) >= 1);
    }

    /** The same judgement for an objective with a name. */
    JudgedObjective withObjective(ServiceLevelObjective other) {
        return new JudgedObjective(other, status, valueNanos, valueShare, isLowerBound, reason, isUnsure);
    }

    JudgedObjective undecided(String why) {
        return new JudgedObjective(slo, Status.UNDECIDED, valueNanos, valueShare, isLowerBound, reason + why);
    }

    /** Decided by the point estimate, marked as uncertain. */
    JudgedObjective uncertain(String why) {
        return new JudgedObjective(
                slo, status, valueNanos, valueShare, isLowerBound, reason + ", uncertain (" + why + ")", true);
    }

    static JudgedObjective ofTime(
            ServiceLevelObjective slo, Status status, long nanos, boolean isLowerBound, String reason) {
        return new JudgedObjective(slo, status, OptionalLong.of(nanos), OptionalDouble.empty(), isLowerBound, reason);
    }

    static JudgedObjective ofShare(
            ServiceLevelObjective slo, Status status, double share, boolean lowerBound, String reason) {
        return new JudgedObjective(slo, status, OptionalLong.empty(), OptionalDouble.of(share), lowerBound, reason);
    }

    public static Set<Double> decided(List<JudgedObjective> objectives) {
        return ServiceLevelObjective.Percentile.among(
                        objectives.stream().filter(JudgedObjective::isDecided).map(JudgedObjective::slo))
                .stream()
                .map(ServiceLevelObjective.Percentile::percentile)
                .collect(Collectors.toSet());
    }

    static JudgedObjective unobserved(ServiceLevelObjective slo, String reason) {
        return new JudgedObjective(slo, Status.UNDECIDED, OptionalLong.empty(), OptionalDouble.empty(), false, reason);
    }

    /** An objective for a name without requests. If it counted as met, a misspelt name would never fail. */
    static JudgedObjective ofUnusedName(ServiceLevelObjective.Named slo, String reason) {
        return new JudgedObjective(slo, Status.MISSED, OptionalLong.empty(), OptionalDouble.empty(), false, reason);
    }
}
