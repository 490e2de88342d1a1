package dev.downbeat.verdict.bound;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Percentiles;
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
 * lasted for ever. Both hold all delays of this process. {@link #withoutOursNanos} takes off what may be ours, so that what
 * is above a limit even then is the service's. Immutable.
 */
public final class ResponseBounds {
    /** So many requests at least must lie beyond a percentile for the data to carry it. */
    public static final int LEAST_BEYOND = 5;

    /** So little is never called ours: what a clock is read for, and a thread is woken. */
    static final long TOLERATED_NANOS = 20_000;

    /** Of the time that is shown, this share at most may be ours. */
    private static final int TOLERATED_SHARE = 10;

    private final Distribution atLeast;
    private final Distribution atMost;
    private final Distribution withoutOurs;
    private final long foreverNanos;
    private final boolean censored;

    private ResponseBounds(Distribution atLeast, Distribution atMost, Distribution withoutOurs, long censoredCount) {
        Distribution forever = forever(censoredCount);
        this.censored = !forever.isEmpty();
        this.foreverNanos = forever.maxNanos();
        this.atLeast = atLeast;
        this.atMost = atMost;
        this.withoutOurs = withoutOurs;
    }

    /** Every censored request lasts for ever. */
    public static Distribution atMost(Recording recording) {
        return recording.response().plus(forever(recording.censored().count()));
    }

    public static ResponseBounds of(Recording recording) {
        return new ResponseBounds(
                recording.responseAtLeast(),
                atMost(recording),
                withoutOurs(recording),
                recording.censored().count());
    }

    /** The same of the service times: a request that was sent and not seen to end took its age since then at least. */
    public static ResponseBounds ofService(Recording recording) {
        Ledger ledger = recording.ledger();
        long unseen = ledger.timedOut() - ledger.timedOutUnsent() + ledger.inFlight();
        Distribution ages = recording.times().unseenService();
        boolean told = ages.count() == unseen; // files of older versions do not have them
        Distribution atLeast =
                recording.service().plus(told ? ages : Distribution.of(new long[] {0}, new long[] {unseen}));
        return new ResponseBounds(atLeast, recording.service().plus(forever(unseen)), atLeast, unseen);
    }

    /** A recording that does not keep it has nothing of ours. */
    private static Distribution withoutOurs(Recording recording) {
        boolean told = recording.times().withoutLateness().count()
                == recording.response().count();
        return told ? recording.responseWithoutOurs() : recording.responseAtLeast();
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

    /**
     * The least that the response time at this percentile can be because of the service, in nanoseconds: without what is
     * ours, or may be.
     *
     * @param percentile from 0 to 100, which is the maximum
     */
    public long withoutOursNanos(double percentile) {
        return Math.min(atLeastNanos(percentile), withoutOurs.valueAtPercentile(percentile));
    }

    /** The percentile at which the lower bound reaches this value, from 0 to 100. */
    public double percentileOf(long nanos) {
        return count() == 0 ? 0 : 100.0 * (count() - atLeast.countAbove(nanos)) / count();
    }

    /** The mean of the least that the response times can be because of the service, in nanoseconds. */
    public long meanWithoutOursNanos() {
        return Math.min(atLeast.meanNanos(), withoutOurs.meanNanos());
    }

    /**
     * How much of the response time at this percentile may be ours at most, in nanoseconds.
     *
     * @param percentile from 0 to 100, which is the maximum
     */
    public long oursNanos(double percentile) {
        return atLeastNanos(percentile) - withoutOursNanos(percentile);
    }

    /** Whether more than a tenth of the response time at this percentile, and more than 20 us, may be ours. */
    public boolean isOurs(double percentile) {
        return isOurs(oursNanos(percentile), atLeastNanos(percentile));
    }

    public static boolean isOurs(long oursNanos, long nanos) {
        return oursNanos > TOLERATED_NANOS && oursNanos > nanos / TOLERATED_SHARE;
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
        return Percentiles.name(percentile) + " " + need(percentile, count);
    }

    public static String need(double percentile, long count) {
        return String.format(Locale.ROOT, "needs %,d requests, there were %,d", neededFor(percentile), count);
    }
}
