package dev.downbeat.verdict.bound;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals.MeanInterval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Bounds of each percentile of the response time, without assumptions about requests whose end was not seen. They cover
 * answered and censored requests; failed requests are excluded.
 *
 * <p>The lower bound takes every censored request to have ended when it was last seen; the upper bound takes it to last
 * forever. Both include all delays of Downbeat. {@link #withoutOwnDelayNanos} subtracts them, so what still exceeds a limit
 * is the service's. Immutable.
 */
public final class ResponseBounds {
    /** The least expected number of requests beyond a percentile for it to be reported. */
    public static final int LEAST_BEYOND = 5;

    /** Smaller delays are never attributed to Downbeat: reading a clock and waking a thread take this long. */
    static final long TOLERATED_NANOS = 20_000;

    /** At most one part in this number of a displayed time may be Downbeat's delay. */
    private static final int TOLERATED_SHARE = 10;

    private final Distribution atLeast;
    private final Distribution atMost;
    private final Distribution withoutOwnDelay;
    private final long foreverNanos;
    private final boolean censored;

    private ResponseBounds(
            Distribution atLeast, Distribution atMost, Distribution withoutOwnDelay, long censoredCount) {
        Distribution forever = forever(censoredCount);
        this.censored = !forever.isEmpty();
        this.foreverNanos = forever.maxNanos();
        this.atLeast = atLeast;
        this.atMost = atMost;
        this.withoutOwnDelay = withoutOwnDelay;
    }

    /** The distribution if every censored request, and {@code waiting} more, last forever. */
    public static Distribution atMost(Recording recording, long waiting) {
        return recording.response().plus(forever(recording.censored().count() + waiting));
    }

    public static ResponseBounds of(Recording recording) {
        return new ResponseBounds(
                recording.responseAtLeast(),
                atMost(recording, 0),
                recording.responseWithoutOwnDelay(),
                recording.censored().count());
    }

    /** The bounds of the service times. A request that was sent and not seen to end took at least its age. */
    public static ResponseBounds ofService(Recording recording) {
        Distribution atLeast = serviceAtLeast(recording);
        return new ResponseBounds(atLeast, serviceAtMost(recording, 0), atLeast, unseen(recording));
    }

    /** The distribution if every request that was sent and not seen to end ended when it was last seen. */
    public static Distribution serviceAtLeast(Recording recording) {
        long unseen = unseen(recording);
        Distribution ages = recording.times().unseenService();
        boolean areAgesKnown = ages.count() == unseen; // older files do not contain them
        return recording.service().plus(areAgesKnown ? ages : Distribution.of(new long[] {0}, new long[] {unseen}));
    }

    /** The distribution if each of them, and {@code inFlight} more, last forever. */
    public static Distribution serviceAtMost(Recording recording, long inFlight) {
        return recording.service().plus(forever(unseen(recording) + inFlight));
    }

    private static long unseen(Recording recording) {
        Ledger ledger = recording.ledger();
        return ledger.timedOut() - ledger.timedOutUnsent() + ledger.inFlight();
    }

    private static Distribution forever(long count) {
        if (count == 0) {
            return Distribution.empty();
        }
        return Distribution.of(new long[] {Distribution.MAX_NANOS}, new long[] {count});
    }

    /** The number of requests that the percentiles cover. */
    public long count() {
        return atLeast.count();
    }

    /** Whether nothing is censored, so that the bounds coincide. */
    public boolean isExact() {
        return !censored;
    }

    /** The lower bounds as a distribution. */
    public Distribution atLeast() {
        return atLeast;
    }

    /**
     * The lower bound of the response time at this percentile, in nanoseconds; 0 without requests.
     *
     * @param percentile from 0 to 100, which is the maximum
     */
    public long atLeastNanos(double percentile) {
        return atLeast.valueAtPercentile(percentile);
    }

    /**
     * The upper bound of the response time at this percentile, in nanoseconds; empty if unbounded.
     *
     * @param percentile from 0 to 100, which is the maximum
     */
    public OptionalLong atMostNanos(double percentile) {
        long nanos = atMost.valueAtPercentile(percentile);
        return atMost.isEmpty() || (censored && nanos == foreverNanos) ? OptionalLong.empty() : OptionalLong.of(nanos);
    }

    /**
     * The lower bound of the response time at this percentile without any part that may be Downbeat's delay, in
     * nanoseconds.
     *
     * @param percentile from 0 to 100, which is the maximum
     */
    public long withoutOwnDelayNanos(double percentile) {
        return Math.min(atLeastNanos(percentile), withoutOwnDelay.valueAtPercentile(percentile));
    }

    /**
     * The interval of a percentile if requests were independent, which is the narrowest possible. Available for any
     * number of requests.
     *
     * @param percentile above 0, below 100
     */
    public QuantileInterval atBest(double percentile) {
        QuantileInterval least = QuantileInterval.ofIndependent(atLeast, percentile);
        OptionalLong high = QuantileInterval.ofIndependent(atMost, percentile).highNanos();
        boolean isOpen = censored && high.stream().anyMatch(nanos -> nanos == foreverNanos);
        return new QuantileInterval(
                percentile, least.valueNanos(), least.lowNanos(), isOpen ? OptionalLong.empty() : high, count());
    }

    /** The same for the mean; needs at least two requests. */
    public MeanInterval meanAtBest() {
        return MeanInterval.ofIndependent(atLeast);
    }

    /** The percentile at which the lower bound reaches this value, from 0 to 100. */
    public double percentileOf(long nanos) {
        return count() == 0 ? 0 : 100.0 * (count() - atLeast.countAbove(nanos)) / count();
    }

    /** The mean of the lower bounds without any part that may be Downbeat's delay, in nanoseconds. */
    public long meanWithoutOwnDelayNanos() {
        return Math.min(atLeast.meanNanos(), withoutOwnDelay.meanNanos());
    }

    /**
     * The most of the response time at this percentile that may be Downbeat's delay, in nanoseconds.
     *
     * @param percentile from 0 to 100, which is the maximum
     */
    public long ownDelayNanos(double percentile) {
        return atLeastNanos(percentile) - withoutOwnDelayNanos(percentile);
    }

    /** {@link #ownDelayNanos(double)} of a recording, in the order of the percentiles. */
    public static List<Long> ownDelayNanos(Recording recording, List<Double> percentiles) {
        ResponseBounds bounds = of(recording);
        return percentiles.stream()
                .map(percentile -> bounds.ownDelayNanos(percentile))
                .toList();
    }

    /** Whether more than 10 % of the response time at this percentile, and more than 20 us, may be Downbeat's delay. */
    public boolean hasNotableOwnDelay(double percentile) {
        return hasNotableOwnDelay(ownDelayNanos(percentile), atLeastNanos(percentile));
    }

    public static boolean hasNotableOwnDelay(long ownDelayNanos, long nanos) {
        return ownDelayNanos > TOLERATED_NANOS && ownDelayNanos > nanos / TOLERATED_SHARE;
    }

    /** Whether both bounds at this percentile coincide. */
    public boolean isKnownAt(double percentile) {
        OptionalLong most = atMostNanos(percentile);
        return most.isPresent() && most.getAsLong() == atLeastNanos(percentile);
    }

    /** Whether there are enough requests for this percentile. */
    public boolean hasEnoughFor(double percentile) {
        return hasEnoughFor(percentile, count());
    }

    /**
     * Whether this many values are enough for a percentile: at least {@link #LEAST_BEYOND} must be expected beyond it.
     * One value is enough for the maximum.
     *
     * @param percentile from 0 to 100
     * @param count number of values
     */
    public static boolean hasEnoughFor(double percentile, long count) {
        return count >= neededFor(percentile);
    }

    /**
     * The number of values that a percentile needs.
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
     * States how many values are missing.
     *
     * @param percentile a percentile for which {@code count} values are too few
     * @param count number of values
     * @return {@code p99.9 needs 5,000 requests, got 400}
     */
    public static String shortage(double percentile, long count) {
        return Percentiles.name(percentile) + " " + need(percentile, count);
    }

    public static String need(double percentile, long count) {
        return String.format(Locale.ROOT, "needs %,d requests, got %,d", neededFor(percentile), count);
    }
}
