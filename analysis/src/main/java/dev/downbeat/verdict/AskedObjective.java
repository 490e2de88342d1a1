package dev.downbeat.verdict;

import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/**
 * A service level objective, which a run meets, misses or leaves undecided. Immutable. Created by {@link #parse} or the
 * records' constructors.
 */
public sealed interface AskedObjective {
    /** The objective as {@link #parse} reads it, without spaces: {@code p99<50ms}. */
    default String text() {
        return subject() + limit().replace(" ", "");
    }

    /** The quantity that is limited, named as in a report's rows: {@code p99}, {@code max}, {@code errors}. */
    String subject();

    /** The limit for readers: {@code < 50 ms}. */
    String limit();

    /** Whether response times decide it, so that Downbeat's own delays may matter. */
    default boolean isOfTimes() {
        return false;
    }

    /** Whether failed and timed-out requests decide it. */
    default boolean isOfErrors() {
        return false;
    }

    /** Whether the user set it. The default limit of errors applies to every run. */
    default boolean isAsked() {
        return true;
    }

    /**
     * The same objective with a part of its limit.
     *
     * @param part above 0, at most 1
     */
    AskedObjective stricter(double part);

    /** Judges the requests of a run as observed. */
    JudgedObjective judge(Observations seen);

    /** Judges what a run proves about the service. */
    JudgedObjective judge(Evidence evidence);

    /**
     * Parses an objective. Spaces are ignored.
     *
     * @param text {@code p99<50ms}, {@code p99.9<=1s}, {@code p(99)<50ms}, {@code max<2s}, {@code mean<10ms},
     *     {@code errors<0.1%} or {@code rate>=99%}; after a prefix such as {@code place order: } for the requests of
     *     one name
     * @throws IllegalArgumentException with one line that states what is accepted
     */
    static AskedObjective parse(String text) {
        return SloParser.parse(text);
    }

    /** The default objectives: {@code errors<1%}, so that a run of refusals is never green. */
    static List<AskedObjective> defaults() {
        return List.of(new Errors(new Ceiling(false), BigDecimal.ONE, false));
    }

    /** The user's objectives, with the {@link #defaults} unless they limit errors or the rate. */
    static List<AskedObjective> withDefaults(List<AskedObjective> asked) {
        boolean limitsFailure = asked.stream().anyMatch(slo -> slo instanceof Errors || slo instanceof AchievedRate);
        return limitsFailure
                ? List.copyOf(asked)
                : Stream.concat(asked.stream(), defaults().stream()).toList();
    }

    /**
     * Whether the limit itself is allowed.
     *
     * @param inclusive whether a value equal to the limit meets it
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
     * A percentile of the response time must stay below a limit. Values are recorded to 0.1 %; the upper edge, which is
     * displayed, is compared with the limit.
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
     * The mean response time must stay below a limit.
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
     * The share of planned requests that failed or timed out must stay below a limit.
     *
     * @param ceiling whether the limit itself is allowed
     * @param limitPercent from 0 to 100
     * @param isAsked whether the user set it
     */
    record Errors(Ceiling ceiling, BigDecimal limitPercent, boolean isAsked) implements AskedObjective {
        public Errors {
            requirePercent(limitPercent);
        }

        /** A limit set by the user. */
        public Errors(Ceiling ceiling, BigDecimal limitPercent) {
            this(ceiling, limitPercent, true);
        }

        /** The same limit as a default. */
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
     * The share of planned requests that were answered must reach a limit.
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
     * @param name name of the requests; not empty
     * @param slo their objective; without a name of its own
     */
    record Named(String name, AskedObjective slo) implements AskedObjective {
        /** Refuses a second name. */
        public Named {
            if (name.isBlank() || slo instanceof Named) {
                throw new IllegalArgumentException("an objective must have one name, but was '" + name + "'");
            }
        }

        /**
         * Refuses objectives for unknown names, which no request could miss.
         *
         * @param names names of the run's requests
         * @throws IllegalArgumentException with a message of one line
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
