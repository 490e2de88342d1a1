package dev.downbeat.verdict;

import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/**
 * A service level objective: a limit that a run keeps, breaks, or leaves undecided. Immutable; made by {@link #parse} or by
 * the records' constructors.
 */
public sealed interface AskedObjective {
    /** The objective as {@link #parse} reads it, without spaces: {@code p99<50ms}. */
    default String text() {
        return subject() + limit().replace(" ", "");
    }

    /** What is limited, as a row of a report is called: {@code p99}, {@code max}, {@code errors}. */
    String subject();

    /** The limit as a reader wants it: {@code < 50 ms}. */
    String limit();

    /** Whether response times decide it, so that our own delays may. */
    default boolean isOfTimes() {
        return false;
    }

    /** Whether requests decide it that failed or timed out. */
    default boolean isOfErrors() {
        return false;
    }

    /** Whether somebody asked for it: the default limit of errors holds for every run. */
    default boolean isAsked() {
        return true;
    }

    /**
     * The same with a part of what it allows.
     *
     * @param part above 0, at most 1
     */
    AskedObjective stricter(double part);

    /** Holds the run against the objective. */
    JudgedObjective judge(Observations seen);

    /** Holds against the objective what the run proves about the service. */
    JudgedObjective judge(Evidence evidence);

    /**
     * Reads an objective. Spaces do not matter.
     *
     * @param text {@code p99<50ms}, {@code p99.9<=1s}, {@code p(99)<50ms}, {@code max<2s}, {@code mean<10ms},
     *     {@code errors<0.1%} or {@code rate>=99%}; before it, if it is for the requests of one name, {@code place order: }
     * @throws IllegalArgumentException with one line that says what is accepted
     */
    static AskedObjective parse(String text) {
        return SloParser.parse(text);
    }

    /** What is asked of a service if nobody says anything: {@code errors<1%}, so that no run of refusals is green. */
    static List<AskedObjective> defaults() {
        return List.of(new Errors(new Ceiling(false), BigDecimal.ONE, false));
    }

    /** What was asked, and the {@link #defaults} unless a limit of errors or of the rate is among it. */
    static List<AskedObjective> withDefaults(List<AskedObjective> asked) {
        boolean limitsFailure = asked.stream().anyMatch(slo -> slo instanceof Errors || slo instanceof AchievedRate);
        return limitsFailure
                ? List.copyOf(asked)
                : Stream.concat(asked.stream(), defaults().stream()).toList();
    }

    /**
     * Which side of a limit the limit itself belongs to.
     *
     * @param inclusive whether a value equal to the limit keeps it
     */
    record Ceiling(boolean inclusive) {
        String sign() {
            return inclusive ? "<=" : "<";
        }

        <T extends Comparable<T>> boolean keeps(T value, T limit) {
            int order = value.compareTo(limit);
            return inclusive ? order <= 0 : order < 0;
        }
    }

    /**
     * A percentile of the response time stays below a limit. Values are kept to 0.1 %; the upper edge, which is the one
     * shown, is held against the limit.
     *
     * @param percentile above 0, up to 100, which is the maximum
     * @param ceiling whether the limit itself is allowed
     * @param limitNanos above 0
     */
    record Percentile(double percentile, Ceiling ceiling, long limitNanos) implements AskedObjective {
        public Percentile {
            if (!(percentile > 0 && percentile <= 100)) {
                throw new IllegalArgumentException("percentile must be above 0 and up to 100, but was " + percentile);
            }
            requirePositive(limitNanos);
        }

        @Override
        public boolean isOfTimes() {
            return true;
        }

        @Override
        public String subject() {
            return Percentiles.name(percentile);
        }

        @Override
        public String limit() {
            return ceiling.sign() + " " + DurationText.format(limitNanos);
        }

        @Override
        public AskedObjective stricter(double part) {
            return new Percentile(percentile, ceiling, Math.max(1, (long) (limitNanos * part)));
        }

        @Override
        public JudgedObjective judge(Evidence evidence) {
            return evidence.percentile(this);
        }

        @Override
        public JudgedObjective judge(Observations seen) {
            return new ObservedJudgement(seen).percentile(this);
        }
    }

    /**
     * The mean response time stays below a limit.
     *
     * @param ceiling whether the limit itself is allowed
     * @param limitNanos above 0
     */
    record Mean(Ceiling ceiling, long limitNanos) implements AskedObjective {
        public Mean {
            requirePositive(limitNanos);
        }

        @Override
        public boolean isOfTimes() {
            return true;
        }

        @Override
        public String subject() {
            return "mean";
        }

        @Override
        public String limit() {
            return ceiling.sign() + " " + DurationText.format(limitNanos);
        }

        @Override
        public AskedObjective stricter(double part) {
            return new Mean(ceiling, Math.max(1, (long) (limitNanos * part)));
        }

        @Override
        public JudgedObjective judge(Evidence evidence) {
            return evidence.mean(this);
        }

        @Override
        public JudgedObjective judge(Observations seen) {
            return new ObservedJudgement(seen).mean(this);
        }
    }

    /**
     * The share of planned requests that failed or timed out stays below a limit.
     *
     * @param ceiling whether the limit itself is allowed
     * @param limitPercent from 0 to 100
     * @param isAsked whether somebody asked for it
     */
    record Errors(Ceiling ceiling, BigDecimal limitPercent, boolean isAsked) implements AskedObjective {
        public Errors {
            requirePercent(limitPercent);
        }

        /** One that somebody asked for. */
        public Errors(Ceiling ceiling, BigDecimal limitPercent) {
            this(ceiling, limitPercent, true);
        }

        /** The same limit, which nobody asked for. */
        public Errors unasked() {
            return new Errors(ceiling, limitPercent, false);
        }

        @Override
        public String subject() {
            return "errors";
        }

        @Override
        public boolean isOfErrors() {
            return true;
        }

        @Override
        public String limit() {
            return ceiling.sign() + " " + limitPercent.toPlainString() + " %";
        }

        @Override
        public AskedObjective stricter(double part) {
            return new Errors(ceiling, limitPercent.multiply(BigDecimal.valueOf(part)));
        }

        @Override
        public JudgedObjective judge(Evidence evidence) {
            return evidence.errors(this);
        }

        @Override
        public JudgedObjective judge(Observations seen) {
            return new ObservedJudgement(seen).errors(this);
        }
    }

    /**
     * The share of planned requests that were answered reaches a limit.
     *
     * @param inclusive whether the limit itself is enough
     * @param limitPercent from 0 to 100
     */
    record AchievedRate(boolean inclusive, BigDecimal limitPercent) implements AskedObjective {
        public AchievedRate {
            requirePercent(limitPercent);
        }

        @Override
        public String subject() {
            return "rate";
        }

        @Override
        public boolean isOfErrors() {
            return true;
        }

        @Override
        public String limit() {
            return sign() + " " + limitPercent.toPlainString() + " %";
        }

        private String sign() {
            return inclusive ? ">=" : ">";
        }

        @Override
        public AskedObjective stricter(double part) {
            BigDecimal lacking = BigDecimal.valueOf(100).subtract(limitPercent);
            return new AchievedRate(
                    inclusive, BigDecimal.valueOf(100).subtract(lacking.multiply(BigDecimal.valueOf(part))));
        }

        @Override
        public JudgedObjective judge(Evidence evidence) {
            return evidence.answers(this);
        }

        @Override
        public JudgedObjective judge(Observations seen) {
            return new ObservedJudgement(seen).answers(this);
        }

        boolean reaches(BigDecimal value, BigDecimal limit) {
            int order = value.compareTo(limit);
            return inclusive ? order >= 0 : order > 0;
        }
    }

    /**
     * An objective for the requests of one name.
     *
     * @param name of requests; not empty
     * @param slo what is asked of them; without a name of its own
     */
    record Named(String name, AskedObjective slo) implements AskedObjective {
        /** Checks that there is one name. */
        public Named {
            if (name.isBlank() || slo instanceof Named) {
                throw new IllegalArgumentException("an objective must have one name, but was '" + name + "'");
            }
        }

        /**
         * Refuses an objective for requests that there are not, which would be met by none.
         *
         * @param names of the requests that there are
         * @throws IllegalArgumentException in one line
         */
        public static void refuseUnknown(List<AskedObjective> asked, List<String> names) {
            for (AskedObjective one : asked) {
                if (one instanceof Named named && !names.contains(named.name)) {
                    throw new IllegalArgumentException("objective '" + one.text() + "': no request is called '"
                            + named.name + "'"
                            + (names.isEmpty() ? ": all are alike" : " (there are: " + String.join(", ", names) + ")"));
                }
            }
        }

        @Override
        public boolean isOfTimes() {
            return slo.isOfTimes();
        }

        @Override
        public boolean isAsked() {
            return slo.isAsked();
        }

        @Override
        public boolean isOfErrors() {
            return slo.isOfErrors();
        }

        @Override
        public String text() {
            return name + ": " + slo.text();
        }

        @Override
        public String subject() {
            return name + ": " + slo.subject();
        }

        @Override
        public String limit() {
            return slo.limit();
        }

        @Override
        public AskedObjective stricter(double part) {
            return new Named(name, slo.stricter(part));
        }

        @Override
        public JudgedObjective judge(Observations seen) {
            return slo.judge(seen.named(name)).of(this);
        }

        @Override
        public JudgedObjective judge(Evidence evidence) {
            return slo.judge(evidence.named(name)).of(this);
        }
    }

    private static void requirePositive(long limitNanos) {
        if (limitNanos < 1) {
            throw new IllegalArgumentException("limitNanos must be at least 1, but was " + limitNanos);
        }
    }

    private static void requirePercent(BigDecimal percent) {
        if (percent.signum() < 0 || percent.compareTo(BigDecimal.valueOf(100)) > 0) {
            throw new IllegalArgumentException("limitPercent must be from 0 to 100, but was " + percent);
        }
    }
}
