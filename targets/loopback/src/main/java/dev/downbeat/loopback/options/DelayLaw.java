package dev.downbeat.loopback.options;

import java.math.BigDecimal;
import java.util.random.RandomGenerator;

/**
 * The distribution of the server's time for a request. Pure arithmetic; immutable and thread-safe.
 *
 * <p>Every draw is clamped to the range from 0 to 24 h.
 */
public sealed interface DelayLaw {
    /** No delay. */
    DelayLaw NONE = new Constant(0);

    /**
     * Draws the next delay in nanoseconds, 0 to 24 h.
     *
     * @param random the random generator; the same state gives the same delay
     */
    long nextNanos(RandomGenerator random);

    /** The distribution in the syntax of {@link #parse}; parsing it gives an equal object. */
    @Override
    String toString();

    /**
     * Parses a distribution: {@code 2ms}, {@code exp:2ms} (mean), {@code lognormal:2ms,0.5} (median, sigma) or {@code
     * bimodal:1ms,50ms,1%} (fast, slow, share of the slow).
     *
     * @throws IllegalArgumentException if the text has another form; the message names the accepted ones
     */
    static DelayLaw parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new Constant(Durations.parse("delay", text));
        }
        String[] values = text.substring(colon + 1).split(",", -1);
        String name = text.substring(0, colon);
        if (name.equals("exp") && values.length == 1) {
            return new Exponential(Durations.parse("mean delay", values[0]));
        }
        if (name.equals("lognormal") && values.length == 2) {
            return new LogNormal(
                    Durations.parse("median delay", values[0]),
                    number("sigma", values[1]).doubleValue());
        }
        if (name.equals("bimodal") && values.length == 3) {
            return new Bimodal(
                    Durations.parse("fast delay", values[0]),
                    Durations.parse("slow delay", values[1]),
                    share(values[2]));
        }
        throw new IllegalArgumentException(
                "delay must be like 2ms, exp:2ms, lognormal:2ms,0.5 or bimodal:1ms,50ms,1%, but was "
                        + Durations.quoted(text));
    }

    /**
     * A constant delay.
     *
     * @param nanos the delay, 0 to 24 h
     */
    record Constant(long nanos) implements DelayLaw {
        public Constant {
            Durations.check("delay", nanos, 0);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return nanos;
        }

        @Override
        public String toString() {
            return Durations.format(nanos);
        }
    }

    /**
     * Exponentially distributed delays, as of a memoryless server.
     *
     * @param meanNanos the mean, 1 ns to 24 h
     */
    record Exponential(long meanNanos) implements DelayLaw {
        public Exponential {
            Durations.check("mean delay", meanNanos, 1);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            // 1 - u is never 0, so the logarithm is finite.
            return cut(-meanNanos * Math.log(1 - random.nextDouble()));
        }

        @Override
        public String toString() {
            return "exp:" + Durations.format(meanNanos);
        }
    }

    /**
     * Log-normally distributed delays, with a long tail.
     *
     * @param medianNanos the median, 1 ns to 24 h
     * @param sigma the standard deviation of the natural logarithm, 0 to 10
     */
    record LogNormal(long medianNanos, double sigma) implements DelayLaw {
        public LogNormal {
            Durations.check("median delay", medianNanos, 1);
            if (!(sigma >= 0 && sigma <= 10)) {
                throw new IllegalArgumentException("sigma must be from 0 to 10, but was " + sigma);
            }
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return cut(medianNanos * Math.exp(sigma * random.nextGaussian()));
        }

        @Override
        public String toString() {
            return "lognormal:" + Durations.format(medianNanos) + "," + sigma;
        }
    }

    /**
     * Two constant delays: most requests are fast, a fraction is slow.
     *
     * @param fastNanos the fast delay, 0 to 24 h
     * @param slowNanos the slow delay, {@code fastNanos} to 24 h
     * @param slowShare the probability that a request is slow, 0 to 1
     */
    record Bimodal(long fastNanos, long slowNanos, double slowShare) implements DelayLaw {
        public Bimodal {
            Durations.check("fast delay", fastNanos, 0);
            Durations.check("slow delay", slowNanos, fastNanos);
            if (!(slowShare >= 0 && slowShare <= 1)) {
                throw new IllegalArgumentException("slow share must be from 0% to 100%, but was " + percent(slowShare));
            }
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return random.nextDouble() < slowShare ? slowNanos : fastNanos;
        }

        @Override
        public String toString() {
            return "bimodal:" + Durations.format(fastNanos) + "," + Durations.format(slowNanos) + ","
                    + percent(slowShare);
        }
    }

    private static long cut(double nanos) {
        return Math.min(Durations.LONGEST_NANOS, Math.round(nanos));
    }

    private static BigDecimal number(String thing, String text) {
        if (!text.matches("[0-9]+(\\.[0-9]+)?(E-?[0-9]{1,3})?")) {
            throw new IllegalArgumentException(
                    thing + " must be a number such as 0.5, but was " + Durations.quoted(text));
        }
        return new BigDecimal(text);
    }

    private static double share(String text) {
        if (!text.endsWith("%")) {
            throw new IllegalArgumentException(
                    "slow share must be a percentage such as 1%, but was " + Durations.quoted(text));
        }
        // Rounded only once, or the share would differ from its description.
        return number("slow share", text.substring(0, text.length() - 1))
                .movePointLeft(2)
                .doubleValue();
    }

    private static String percent(double share) {
        return Double.isFinite(share)
                ? new BigDecimal(Double.toString(share))
                                .movePointRight(2)
                                .stripTrailingZeros()
                                .toPlainString()
                        + "%"
                : Double.toString(share);
    }
}
