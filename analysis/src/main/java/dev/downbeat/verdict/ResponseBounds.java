package dev.downbeat.verdict;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * Between which values each percentile of the response time lies, without any assumption about the requests whose end was
 * not seen. The population is the answered requests and the censored ones; failed requests are not part of it.
 *
 * <p>The lower bound takes every censored request to have ended when it was last seen, the upper bound takes it to have
 * lasted for ever. Immutable.
 */
public final class ResponseBounds {
    /** So many requests at least must lie beyond a percentile for the data to carry it. */
    public static final int LEAST_BEYOND = 5;

    private final Distribution atLeast;
    private final Distribution atMost;
    private final long foreverNanos;
    private final boolean censored;

    private ResponseBounds(Recording recording) {
        Distribution forever = forever(recording.censored().count());
        censored = !forever.isEmpty();
        foreverNanos = forever.maxNanos();
        atLeast = recording.responseAtLeast();
        atMost = atMost(recording);
    }

    /** Every censored request lasts for ever. */
    static Distribution atMost(Recording recording) {
        return recording.response().plus(forever(recording.censored().count()));
    }

    /** The bounds of one recording. */
    public static ResponseBounds of(Recording recording) {
        return new ResponseBounds(recording);
    }

    private static Distribution forever(long count) {
        if (count == 0) {
            return Distribution.empty();
        }
        Histogram histogram = Distribution.newHistogram();
        histogram.recordValueWithCount(Distribution.MAX_NANOS, count);
        return Distribution.of(histogram);
    }

    /** How many requests the percentiles are taken over. */
    public long count() {
        return atLeast.count();
    }

    /** Whether nothing is censored, so that all bounds are the values themselves. */
    public boolean isExact() {
        return !censored;
    }

    /** The lower bounds as a distribution. */
    public Distribution atLeast() {
        return atLeast;
    }

    /**
     * The least that the response time at this percentile can be, in nanoseconds; 0 if there are no requests.
     *
     * @param percentile from 0 to 100, which is the maximum
     */
    public long atLeastNanos(double percentile) {
        return atLeast.valueAtPercentile(percentile);
    }

    /**
     * The most that the response time at this percentile can be, in nanoseconds; empty if there is no limit to it.
     *
     * @param percentile from 0 to 100, which is the maximum
     */
    public OptionalLong atMostNanos(double percentile) {
        long nanos = atMost.valueAtPercentile(percentile);
        return atMost.isEmpty() || (censored && nanos == foreverNanos) ? OptionalLong.empty() : OptionalLong.of(nanos);
    }

    /** Whether both bounds at this percentile are the same, so that the value is known. */
    public boolean isKnownAt(double percentile) {
        OptionalLong most = atMostNanos(percentile);
        return most.isPresent() && most.getAsLong() == atLeastNanos(percentile);
    }

    /** Whether there are enough requests to speak of this percentile. */
    public boolean carries(double percentile) {
        return carries(percentile, count());
    }

    /**
     * Whether a percentile can be told from so many values: at least {@link #LEAST_BEYOND} of them must be expected beyond
     * it. One value is enough for the maximum, which is itself a value.
     *
     * @param percentile from 0 to 100
     * @param count how many values there are
     */
    public static boolean carries(double percentile, long count) {
        return count >= neededFor(percentile);
    }

    /**
     * How many values are needed before a percentile can be told.
     *
     * @param percentile from 0 to 100
     */
    public static long neededFor(double percentile) {
        // decimal, since 100 - 99.9 is not 0.1 in binary
        BigDecimal beyond = BigDecimal.valueOf(100).subtract(BigDecimal.valueOf(percentile));
        return beyond.signum() == 0
                ? 1
                : BigDecimal.valueOf(100L * LEAST_BEYOND)
                        .divide(beyond, 0, RoundingMode.CEILING)
                        .longValueExact();
    }

    /**
     * Says how many values are missing.
     *
     * @param percentile one that {@code count} values do not carry
     * @param count how many values there are
     * @return {@code p99.9 needs 5,000 requests, there were 400}
     */
    public static String shortage(double percentile, long count) {
        return String.format(
                Locale.ROOT,
                "%s needs %,d requests, there were %,d",
                PercentileName.of(percentile),
                neededFor(percentile),
                count);
    }
}
