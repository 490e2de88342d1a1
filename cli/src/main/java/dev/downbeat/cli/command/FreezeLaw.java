package dev.downbeat.cli.command;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.view.ProofView.ProofReport;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The theoretical response times of a fast service with a single freeze. Pure arithmetic; instants count from the first
 * intended time.
 *
 * <p>A request due at {@code t} within the freeze cannot be answered before its end. The backlog is then served in
 * order of arrival at a constant pace, which takes {@code drainNanos} while more requests arrive. The request is
 * therefore answered at {@code until + drain * (t - from) / (until + drain - from)}.
 *
 * @param fromNanos start of the freeze
 * @param untilNanos end of the freeze; not before {@code fromNanos}
 * @param drainNanos time until the backlog was served, at least 0
 * @param baseNanos response time outside the freeze, at least 0
 */
record FreezeLaw(long fromNanos, long untilNanos, long drainNanos, long baseNanos) {
    public FreezeLaw {
        if (untilNanos < fromNanos) {
            throw new IllegalArgumentException("untilNanos must be at least " + fromNanos + ", but was " + untilNanos);
        }
        if (drainNanos < 0 || baseNanos < 0) {
            throw new IllegalArgumentException(
                    "drainNanos and baseNanos must be at least 0, but were " + drainNanos + " and " + baseNanos);
        }
    }

    /** The response time of a request that is due at {@code intendedNanos}. */
    long responseNanos(long intendedNanos) {
        boolean answeredBefore = intendedNanos < fromNanos && intendedNanos + baseNanos <= fromNanos;
        long clearNanos = untilNanos + drainNanos;
        if (answeredBefore || intendedNanos >= clearNanos) {
            return baseNanos;
        }
        double share = (double) Math.max(0, intendedNanos - fromNanos) / (clearNanos - fromNanos);
        long answeredNanos = untilNanos + Math.round(drainNanos * share);
        return Math.max(baseNanos, answeredNanos - intendedNanos);
    }

    /** The response times of requests at a constant rate; every slot is computed, none is estimated. */
    public Distribution open(Rate rate, long count) {
        Histogram histogram = Distribution.newHistogram();
        IntendedTimes times = new Constant(rate).times();
        for (long i = 0; i < count; i++) {
            histogram.recordValue(responseNanos(times.nextNanos()));
        }
        return Distribution.of(histogram);
    }

    /** The times a closed-loop tool would record: one request in the freeze, and the fast ones around it. */
    public Distribution waiting(Rate rate, long count) {
        long slots = 0;
        IntendedTimes times = new Constant(rate).times();
        for (long i = 0; i < count; i++) {
            long due = times.nextNanos();
            slots += due <= fromNanos || due > untilNanos ? 1 : 0;
        }
        Histogram histogram = Distribution.newHistogram();
        histogram.recordValueWithCount(baseNanos, Math.max(0, slots - 1));
        histogram.recordValue(untilNanos - fromNanos + baseNanos);
        return Distribution.of(histogram);
    }

    /** Compares each quantity of a run with its theoretical value. Pure functions. */
    public static final class Check {
        private static final double TOLERANCE = 0.03;
        private static final long TOLERANCE_NANOS = 5_000_000;

        private final List<ProofReport.Row> rows = new ArrayList<>();

        /** A quantity, the least number of requests it needs, and how it is read from a distribution. */
        private record Quantity(String name, long least, ToLongFunction<Distribution> of) {
            static Quantity at(double percentile) {
                return new Quantity(
                        Percentiles.name(percentile),
                        ResponseBounds.neededFor(percentile),
                        distribution -> distribution.valueAtPercentile(percentile));
            }
        }

        private static final List<Quantity> TIMES = Stream.concat(
                        Stream.of(new Quantity("mean", 1, Distribution::meanNanos)),
                        Percentiles.of(Percentiles.Place.PROOF).stream().map(Quantity::at))
                .toList();

        /**
         * Compares the distributions. Percentiles with too few requests are omitted.
         *
         * @param measured response times of the run
         * @param expected theoretical response times
         * @param waiting response times that a closed-loop tool would report
         */
        public Check(Distribution measured, Distribution expected, Distribution waiting) {
            boolean exact = measured.count() == expected.count();
            rows.add(new ProofReport.Row("count", false, measured.count(), expected.count(), waiting.count(), exact));
            for (Quantity quantity : TIMES) {
                if (expected.count() < quantity.least()) {
                    continue;
                }
                long actual = quantity.of().applyAsLong(measured);
                long theoretical = quantity.of().applyAsLong(expected);
                boolean isWithin = Math.abs(actual - theoretical) <= TOLERANCE * theoretical + TOLERANCE_NANOS;
                long closedLoop = quantity.of().applyAsLong(waiting);
                rows.add(new ProofReport.Row(quantity.name(), true, actual, theoretical, closedLoop, isWithin));
            }
        }

        private static String text(ProofReport.Row row, long value) {
            return row.isTime() ? DurationText.rounded(value) : Numbers.count(value);
        }

        /** Quantities outside their tolerance; empty if there are none. */
        public List<ProofReport.Failure> failures() {
            return rows.stream()
                    .filter(row -> !row.held())
                    .map(row -> new ProofReport.Failure(
                            row.name(),
                            row.name() + " was " + text(row, row.shown()) + " instead of " + text(row, row.must())))
                    .toList();
        }

        public List<ProofReport.Row> rows() {
            return List.copyOf(rows);
        }
    }
}
