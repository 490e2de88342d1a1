package dev.downbeat.time;

import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The distribution of service times. Immutable. Draws are nanoseconds from 0 to 24 h; longer ones are truncated. */
public sealed interface ServiceLaw {
    ServiceLaw NONE = new Constant(0);

    /** The longest draw: 24 h. */
    long LONGEST_NANOS = TimeUnit.HOURS.toNanos(24);

    /** Draws the next service time, in nanoseconds; the same state of the generator gives the same time. */
    long nextNanos(RandomGenerator random);

    /** The mean in nanoseconds before truncation; infinite for a Pareto distribution with an exponent of at most 1. */
    double meanNanos();

    /** The distribution in the syntax of {@link #parse}. */
    String describe();

    /**
     * Parses a distribution: {@code 2ms}, {@code exp:2ms} (mean), {@code hyperexp:100us,10ms,0.1%} (two means, share of
     * the second), {@code bimodal:1ms,50ms,1%} (two times, share of the second), {@code lognormal:2ms,0.5} (median,
     * sigma) or {@code pareto:1ms,1.5} (minimum, exponent).
     *
     * @throws IllegalArgumentException with one line that states what is accepted
     */
    static ServiceLaw parse(String text) {
        int colon = text.indexOf(':');
        String name = text.substring(0, Math.max(0, colon));
        List<String> values = List.of(text.substring(colon + 1).split(",", -1));
        try {
            return switch (name + "/" + values.size()) {
                case "/1" -> new Constant(DurationText.parseNanos(text));
                case "exp/1" -> new Exponential(nanos(values, 0));
                case "hyperexp/3" -> new HyperExponential(nanos(values, 0), nanos(values, 1), share(values.get(2)));
                case "bimodal/3" -> new Bimodal(nanos(values, 0), nanos(values, 1), share(values.get(2)));
                case "lognormal/2" -> new LogNormal(nanos(values, 0), Double.parseDouble(values.get(1)));
                case "pareto/2" -> new Pareto(nanos(values, 0), Double.parseDouble(values.get(1)));
                default -> throw new NumberFormatException("neither a law nor a time");
            };
        } catch (NumberFormatException malformed) {
            throw refused(text, "");
        } catch (IllegalArgumentException outOfRange) {
            throw refused(text, ": " + outOfRange.getMessage());
        }
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException("a law of service times is like 2ms, exp:2ms, hyperexp:100us,10ms,0.1%,"
                + " bimodal:1ms,50ms,1%, lognormal:2ms,0.5 or pareto:1ms,1.5, but was '" + text + "'" + why);
    }

    private static long nanos(List<String> values, int place) {
        return DurationText.parseNanos(values.get(place));
    }

    private static double share(String text) {
        if (!text.endsWith("%")) {
            throw new IllegalArgumentException("a share ends in %");
        }
        BigDecimal percent = new BigDecimal(text.substring(0, text.length() - 1));
        if (percent.signum() < 0 || percent.compareTo(BigDecimal.valueOf(100)) > 0) {
            throw new IllegalArgumentException("a share must be from 0% to 100%, but was " + text);
        }
        return percent.movePointLeft(2).doubleValue();
    }

    private static String percent(double share) {
        BigDecimal percent = new BigDecimal(Double.toString(share)).movePointRight(2);
        return percent.stripTrailingZeros().toPlainString() + "%";
    }

    private static String text(long nanos) {
        return DurationText.word(nanos);
    }

    private static long cut(double nanos) {
        return nanos >= LONGEST_NANOS ? LONGEST_NANOS : Math.round(nanos);
    }

    private static double exponential(long meanNanos, RandomGenerator random) {
        return -meanNanos * Math.log(1 - random.nextDouble()); // 1 - u is never 0: the logarithm is finite
    }

    private static void requireNanos(String name, long nanos, long least) {
        if (nanos < least || nanos > LONGEST_NANOS) {
            throw new IllegalArgumentException(name + " must be from " + least + " ns to 24 h, but was " + text(nanos));
        }
    }

    private static void require(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + ", but was " + value);
        }
    }

    /**
     * Always the same time.
     *
     * @param nanos from 0 to 24 h
     */
    record Constant(long nanos) implements ServiceLaw {
        public Constant {
            requireNanos("nanos", nanos, 0);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return nanos;
        }

        @Override
        public double meanNanos() {
            return (double) nanos;
        }

        @Override
        public String describe() {
            return text(nanos);
        }
    }

    /**
     * Exponential, as of a memoryless service.
     *
     * @param mean in nanoseconds, from 1 to 24 h
     */
    record Exponential(long mean) implements ServiceLaw {
        public Exponential {
            requireNanos("mean", mean, 1);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return cut(exponential(mean, random));
        }

        @Override
        public double meanNanos() {
            return (double) mean;
        }

        @Override
        public String describe() {
            return "exp:" + text(mean);
        }
    }

    /**
     * A mixture of two exponential distributions, such as a cache with occasional misses. Brooker calls it bimodal.
     *
     * @param fastNanos mean of the fast requests, from 1 to 24 h
     * @param slowNanos mean of the slow requests, from 1 to 24 h
     * @param slowShare probability that a request is slow, from 0 to 1
     */
    record HyperExponential(long fastNanos, long slowNanos, double slowShare) implements ServiceLaw {
        public HyperExponential {
            requireNanos("fastNanos", fastNanos, 1);
            requireNanos("slowNanos", slowNanos, 1);
            require("slowShare", slowShare, 0, 1);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return cut(exponential(random.nextDouble() < slowShare ? slowNanos : fastNanos, random));
        }

        @Override
        public double meanNanos() {
            return fastNanos * (1 - slowShare) + slowNanos * slowShare;
        }

        @Override
        public String describe() {
            return "hyperexp:" + text(fastNanos) + "," + text(slowNanos) + "," + percent(slowShare);
        }
    }

    /**
     * A mixture of two fixed times.
     *
     * @param fastNanos from 0 to 24 h
     * @param slowNanos from 0 to 24 h
     * @param slowShare probability that a request is slow, from 0 to 1
     */
    record Bimodal(long fastNanos, long slowNanos, double slowShare) implements ServiceLaw {
        public Bimodal {
            requireNanos("fastNanos", fastNanos, 0);
            requireNanos("slowNanos", slowNanos, 0);
            require("slowShare", slowShare, 0, 1);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return random.nextDouble() < slowShare ? slowNanos : fastNanos;
        }

        @Override
        public double meanNanos() {
            return fastNanos * (1 - slowShare) + slowNanos * slowShare;
        }

        @Override
        public String describe() {
            return "bimodal:" + text(fastNanos) + "," + text(slowNanos) + "," + percent(slowShare);
        }
    }

    /**
     * Log-normal: the logarithm is normally distributed, so the tail is long.
     *
     * @param medianNanos from 1 to 24 h
     * @param sigma standard deviation of the natural logarithm, from 0 to 10
     */
    record LogNormal(long medianNanos, double sigma) implements ServiceLaw {
        public LogNormal {
            requireNanos("medianNanos", medianNanos, 1);
            require("sigma", sigma, 0, 10);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return cut(medianNanos * Math.exp(sigma * random.nextGaussian()));
        }

        @Override
        public double meanNanos() {
            return medianNanos * Math.exp(sigma * sigma / 2);
        }

        @Override
        public String describe() {
            return "lognormal:" + text(medianNanos) + "," + sigma;
        }
    }

    /**
     * Pareto: the tail falls as a power law, so one request may outweigh all others.
     *
     * @param leastNanos minimum, from 1 to 24 h
     * @param exponent the share of times above x is proportional to x to the power of minus this; from 0.1 to 100
     */
    record Pareto(long leastNanos, double exponent) implements ServiceLaw {
        public Pareto {
            requireNanos("leastNanos", leastNanos, 1);
            require("exponent", exponent, 0.1, 100);
        }

        @Override
        public long nextNanos(RandomGenerator random) {
            return cut(leastNanos * Math.pow(1 - random.nextDouble(), -1 / exponent));
        }

        @Override
        public double meanNanos() {
            return exponent > 1 ? leastNanos * exponent / (exponent - 1) : Double.POSITIVE_INFINITY;
        }

        @Override
        public String describe() {
            return "pareto:" + text(leastNanos) + "," + exponent;
        }
    }
}
