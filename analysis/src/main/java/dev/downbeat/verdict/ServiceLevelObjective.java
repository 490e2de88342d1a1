package dev.downbeat.verdict;

import dev.downbeat.record.BucketCounts.Bucket;
import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A service level objective, which a run meets, misses or leaves undecided. Immutable. Created by {@link #parse} or the
 * records' constructors.
 */
public sealed interface ServiceLevelObjective {
    /** The objective as {@link #parse} reads it, without spaces: {@code p99<50ms}. */
    default String text() {
        return subject() + limit().replace(" ", "");
    }

    /** The quantity that is limited, named as in a report's rows: {@code p99}, {@code max}, {@code errors}. */
    String subject();

    /** The limit for readers: {@code < 50 ms}. */
    String limit();

    /** Whether response times decide it, so that Downbeat's own delays may matter; otherwise failures decide it. */
    default boolean isOfTimes() {
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
    ServiceLevelObjective stricter(double part);

    /** Calls the judge's method for this type of objective. */
    <T> T judge(ObjectiveJudge<T> judge);

    /** Judges objectives by the observed requests, or by what they prove about the service. */
    interface ObjectiveJudge<T> {
        T percentile(Percentile slo);

        T mean(Mean slo);

        T errors(Errors slo);

        T answers(AchievedRate slo);

        T named(Named slo);
    }

    /**
     * Parses an objective that a user asks for. Spaces are ignored.
     *
     * @param text {@code p99<50ms}, {@code p99.9<=1s}, {@code p(99)<50ms}, {@code max<2s}, {@code mean<10ms},
     *     {@code errors<0.1%} or {@code rate>=99%}; after a prefix such as {@code place order: } for the requests of
     *     one name
     * @throws IllegalArgumentException with one line that states what is accepted
     */
    static ServiceLevelObjective parse(String text) {
        return saved(text).requireSensible();
    }

    /** Parses an objective of a saved run, which may be one that {@link #parse} refuses today. */
    static ServiceLevelObjective saved(String text) {
        return SloParser.parse(text);
    }

    /**
     * This objective.
     *
     * @throws IllegalArgumentException with one line if no run could meet it, or if its percentile is below 1: a
     *     fraction, or a limit of the fastest requests only
     */
    default ServiceLevelObjective requireSensible() {
        if (!equals(meetable())) {
            throw new IllegalArgumentException("objective \"" + text() + "\" can never be met: write "
                    + meetable().text());
        }
        ServiceLevelObjective meant = ofPercent();
        if (!equals(meant)) {
            throw new IllegalArgumentException("objective \"" + text() + "\": a percentile must be from 1 to 100"
                    + (meant.equals(meant.ofPercent()) ? ": write " + meant.text() : ""));
        }
        return this;
    }

    /** The same objective, with its limit allowed if no run could meet it otherwise: no share of errors is below 0 %. */
    default ServiceLevelObjective meetable() {
        return this;
    }

    /** The same objective, with a percentile below 1 read as a fraction: {@code p0.99} becomes {@code p99}. */
    default ServiceLevelObjective ofPercent() {
        return this;
    }

    /** The default objectives: {@code errors<1%}, so that a run of refusals is never green. */
    static List<ServiceLevelObjective> defaults() {
        return List.of(new Errors(new Ceiling(false), BigDecimal.ONE, false));
    }

    /** The user's objectives, each once, with the {@link #defaults} unless they limit errors or the rate. */
    static List<ServiceLevelObjective> withDefaults(List<ServiceLevelObjective> given) {
        boolean limitsFailure = given.stream().anyMatch(slo -> slo instanceof Errors || slo instanceof AchievedRate);
        Stream<ServiceLevelObjective> each = given.stream().distinct();
        return limitsFailure
                ? each.toList()
                : Stream.concat(each, defaults().stream()).toList();
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

    sealed interface OfTime extends ServiceLevelObjective {
        /** Whether the limit itself is allowed. */
        Ceiling ceiling();

        /** The limit in nanoseconds, above 0. */
        long limitNanos();

        /** Whether a time is within the limit. */
        default boolean keeps(long nanos) {
            return ceiling().keeps(notBeyondPrecision(nanos, limitNanos()), limitNanos());
        }

        /**
         * The limit, if a time above it may be recorded although no request took longer than the limit: times are recorded
         * to 0.1 % and rounded up. Any other time is returned as it is.
         */
        static long notBeyondPrecision(long nanos, long limitNanos) {
            boolean isSame =
                    nanos > limitNanos && nanos <= Distribution.MAX_NANOS && Bucket.of(nanos) == Bucket.of(limitNanos);
            return isSame ? limitNanos : nanos;
        }

        @Override
        default boolean isOfTimes() {
            return true;
        }

        @Override
        default String limit() {
            return ceiling().sign() + " " + DurationText.format(limitNanos());
        }
    }

    /**
     * A percentile of the response time must stay below a limit. Values are recorded to 0.1 %. One that was recorded as the
     * limit would be is equal to it: {@code <=} allows it, {@code <} does not.
     *
     * @param percentile above 0, up to 100, which is the maximum
     * @param ceiling whether the limit itself is allowed
     * @param limitNanos above 0
     */
    record Percentile(double percentile, Ceiling ceiling, long limitNanos) implements OfTime {
        public Percentile {
            if (!(percentile > 0 && percentile <= 100)) {
                throw new IllegalArgumentException("percentile must be above 0 and up to 100, but was " + percentile);
            }
            requirePositive(limitNanos);
        }

        /** Those of a percentile among objectives, in their order. */
        public static List<Percentile> among(Stream<ServiceLevelObjective> all) {
            return all.filter(Percentile.class::isInstance)
                    .map(Percentile.class::cast)
                    .toList();
        }

        @Override
        public ServiceLevelObjective ofPercent() {
            return percentile < 1 ? new Percentile(Percentiles.ofQuantile(percentile), ceiling, limitNanos) : this;
        }

        @Override
        public String subject() {
            return Percentiles.name(percentile);
        }

        @Override
        public ServiceLevelObjective stricter(double part) {
            return new Percentile(percentile, ceiling, Math.max(1, (long) (limitNanos * part)));
        }

        @Override
        public <T> T judge(ObjectiveJudge<T> judge) {
            return judge.percentile(this);
        }
    }

    /**
     * The mean response time must stay below a limit.
     *
     * @param ceiling whether the limit itself is allowed
     * @param limitNanos above 0
     */
    record Mean(Ceiling ceiling, long limitNanos) implements OfTime {
        public Mean {
            requirePositive(limitNanos);
        }

        @Override
        public String subject() {
            return "mean";
        }

        @Override
        public ServiceLevelObjective stricter(double part) {
            return new Mean(ceiling, Math.max(1, (long) (limitNanos * part)));
        }

        @Override
        public <T> T judge(ObjectiveJudge<T> judge) {
            return judge.mean(this);
        }
    }

    /**
     * The share of planned requests that failed or timed out must stay below a limit.
     *
     * @param ceiling whether the limit itself is allowed
     * @param limitPercent from 0 to 100
     * @param isAsked whether the user set it
     */
    record Errors(Ceiling ceiling, BigDecimal limitPercent, boolean isAsked) implements ServiceLevelObjective {
        public Errors {
            requirePercent(limitPercent);
        }

        /** A limit set by the user. */
        public Errors(Ceiling ceiling, BigDecimal limitPercent) {
            this(ceiling, limitPercent, true);
        }

        /** The same limit as a default. */
        public Errors asDefault() {
            return new Errors(ceiling, limitPercent, false);
        }

        @Override
        public ServiceLevelObjective meetable() {
            return limitPercent.signum() > 0 ? this : new Errors(new Ceiling(true), limitPercent, isAsked);
        }

        @Override
        public String subject() {
            return "errors";
        }

        @Override
        public String limit() {
            return ceiling.sign() + " " + limitPercent.toPlainString() + " %";
        }

        @Override
        public ServiceLevelObjective stricter(double part) {
            return new Errors(ceiling, limitPercent.multiply(BigDecimal.valueOf(part)));
        }

        @Override
        public <T> T judge(ObjectiveJudge<T> judge) {
            return judge.errors(this);
        }
    }

    /**
     * The share of planned requests that were answered must reach a limit.
     *
     * @param inclusive whether the limit itself is enough
     * @param limitPercent from 0 to 100
     */
    record AchievedRate(boolean inclusive, BigDecimal limitPercent) implements ServiceLevelObjective {
        public AchievedRate {
            requirePercent(limitPercent);
        }

        @Override
        public ServiceLevelObjective meetable() {
            boolean isAll = limitPercent.compareTo(BigDecimal.valueOf(100)) == 0;
            return isAll ? new AchievedRate(true, limitPercent) : this;
        }

        @Override
        public String subject() {
            return "rate";
        }

        @Override
        public String limit() {
            return sign() + " " + limitPercent.toPlainString() + " %";
        }

        private String sign() {
            return inclusive ? ">=" : ">";
        }

        @Override
        public ServiceLevelObjective stricter(double part) {
            BigDecimal missing = BigDecimal.valueOf(100).subtract(limitPercent);
            return new AchievedRate(
                    inclusive, BigDecimal.valueOf(100).subtract(missing.multiply(BigDecimal.valueOf(part))));
        }

        @Override
        public <T> T judge(ObjectiveJudge<T> judge) {
            return judge.answers(this);
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
    record Named(String name, ServiceLevelObjective slo) implements ServiceLevelObjective {
        public Named {
            if (name.isBlank()) {
                throw new IllegalArgumentException("the name of an objective must not be blank");
            }
            if (slo instanceof Named other) {
                throw new IllegalArgumentException(
                        "an objective has one name, but was '" + other.name + "' and then '" + name + "'");
            }
        }

        /**
         * Refuses objectives for unknown names, which no request could miss.
         *
         * @param names names of the run's requests
         * @throws IllegalArgumentException with a message of one line
         */
        public static void refuseUnknown(List<ServiceLevelObjective> given, List<String> names) {
            for (ServiceLevelObjective one : given) {
                if (one instanceof Named named && !names.contains(named.name)) {
                    throw new IllegalArgumentException("objective '" + one.text() + "': " + unknown(named.name, names));
                }
            }
        }

        /** The message that no request has this name, with the existing names. */
        public static String unknown(String name, Collection<String> names) {
            return "no request is called '" + name + "'"
                    + (names.isEmpty() ? ": all are alike" : " (there are: " + String.join(", ", names) + ")");
        }

        @Override
        public ServiceLevelObjective meetable() {
            return new Named(name, slo.meetable());
        }

        @Override
        public ServiceLevelObjective ofPercent() {
            return new Named(name, slo.ofPercent());
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
        public ServiceLevelObjective stricter(double part) {
            return new Named(name, slo.stricter(part));
        }

        @Override
        public <T> T judge(ObjectiveJudge<T> judge) {
            return judge.named(this);
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

    /** Parses objectives; its errors state what to write instead. */
    final class SloParser {
        private static final String ACCEPTED = "p99<50ms, p99.9<=1s, max<2s, mean<10ms, errors<0.1% or rate>=99%";
        private static final Pattern SHAPE =
                Pattern.compile("(p[0-9.]+|p\\([0-9.]+\\)|max|mean|errors|rate)(<=|>=|<|>)(.*)");
        private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");

        /** More than any double has as a decimal; a file may contain a number that takes minutes to parse. */
        private static final int LONGEST_NUMBER = 400;

        private final String text;
        private final String name;
        private final String subject;
        private final String sign;
        private final String limit;
        private final Ceiling ceiling;

        /** The text before the last colon is a name. Objectives contain no colon, but names may. */
        private SloParser(String text) {
            this.text = text;
            int colon = text.lastIndexOf(':');
            name = text.substring(0, Math.max(0, colon)).strip();
            if (colon >= 0 && name.isEmpty()) {
                throw refusal(" has no name before its colon");
            }
            Matcher shape = SHAPE.matcher(text.substring(colon + 1).replaceAll("\\s", ""));
            if (!shape.matches()) {
                throw malformed();
            }
            subject = shape.group(1);
            sign = shape.group(2);
            limit = shape.group(3);
            ceiling = new Ceiling(sign.endsWith("="));
        }

        static ServiceLevelObjective parse(String text) {
            SloParser parser = new SloParser(text);
            ServiceLevelObjective slo = parser.slo();
            return parser.asWritten(parser.name.isEmpty() ? slo : new Named(parser.name, slo));
        }

        /** The intended objective, even if its sign limits the wrong side. */
        private ServiceLevelObjective slo() {
            return switch (subject) {
                case "rate" -> new AchievedRate(ceiling.inclusive(), percent());
                case "errors" -> new Errors(ceiling, percent());
                case "mean" -> new Mean(ceiling, nanos());
                case "max" -> new Percentile(100, ceiling, nanos());
                default -> new Percentile(percentile(), ceiling, nanos());
            };
        }

        /** Refuses a text with the wrong side or without a percent sign, and states what to write. */
        private ServiceLevelObjective asWritten(ServiceLevelObjective meant) {
            boolean isBare = !meant.isOfTimes() && !limit.endsWith("%");
            boolean isTurned = sign.charAt(0) != (subject.equals("rate") ? '>' : '<');
            if (isBare || isTurned) {
                throw refusal((isBare ? " needs a %" : " limits the wrong side") + ": write "
                        + meant.meetable().text());
            }
            return meant;
        }

        private double percentile() {
            String digits = number(subject.replaceAll("[p()]", ""));
            double percentile = Double.parseDouble(digits);
            if (percentile <= 0 || percentile > 100) {
                throw refusal(": a percentile must be from 1 to 100, but was " + digits
                        + (digits.matches("9{3,6}") ? "; p" + digits + " is written p99." + digits.substring(2) : ""));
            }
            return percentile;
        }

        private long nanos() {
            boolean isBare = NUMBER.matcher(limit).matches();
            long nanos;
            try {
                nanos = DurationText.parseNanos(isBare ? limit + "ms" : limit);
            } catch (IllegalArgumentException notADuration) {
                throw new IllegalArgumentException(
                        refusal(": " + notADuration.getMessage()).getMessage(), notADuration);
            }
            if (nanos == 0) {
                throw refusal(": the limit must be above zero");
            }
            if (isBare) {
                String begin = (name.isEmpty() ? "" : name + ": ") + subject + ceiling.sign() + limit;
                throw refusal(" needs a unit: write " + begin + "ms or " + begin + "s");
            }
            return nanos;
        }

        private BigDecimal percent() {
            String digits = number(limit.endsWith("%") ? limit.substring(0, limit.length() - 1) : limit);
            BigDecimal percent = new BigDecimal(digits).stripTrailingZeros();
            if (percent.compareTo(BigDecimal.valueOf(100)) > 0) {
                throw refusal(": a share must be from 0% to 100%, but was " + limit);
            }
            return percent;
        }

        private String number(String digits) {
            if (!NUMBER.matcher(digits).matches() || digits.length() > LONGEST_NUMBER) {
                throw malformed();
            }
            return digits;
        }

        private IllegalArgumentException refusal(String why) {
            return new IllegalArgumentException("objective \"" + text + "\"" + why);
        }

        private IllegalArgumentException malformed() {
            return new IllegalArgumentException("objective must look like " + ACCEPTED + ", but was \"" + text + "\"");
        }
    }
}
