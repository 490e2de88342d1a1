package dev.downbeat.jmh;

import dev.downbeat.record.Distribution;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.openjdk.jmh.util.AbstractStatistics;

/**
 * A {@link Distribution} as JMH statistics, in the unit of the benchmark. Percentiles are nearest ranks, never
 * interpolated. Sent from fork to host by Java serialization, as JMH requires: two arrays of a few kilobytes.
 *
 * <p>Immutable.
 */
final class DurationStatistics extends AbstractStatistics {
    private static final long serialVersionUID = 1;

    private final long[] nanos;
    private final long[] counts;
    private final double nanosPerUnit;

    DurationStatistics(Distribution durations, double nanosPerUnit) {
        LongStream.Builder values = LongStream.builder();
        LongStream.Builder times = LongStream.builder();
        durations.forEach((value, count) -> {
            values.add(value);
            times.add(count);
        });
        this.nanos = values.build().toArray();
        this.counts = times.build().toArray();
        this.nanosPerUnit = nanosPerUnit;
    }

    /** The original distribution, bucket by bucket. */
    Distribution distribution() {
        return Distribution.of(nanos, counts);
    }

    @Override
    public double getMax() {
        return distribution().maxNanos() / nanosPerUnit;
    }

    @Override
    public double getMin() {
        return distribution().minNanos() / nanosPerUnit;
    }

    @Override
    public double getMean() {
        return distribution().meanNanos() / nanosPerUnit;
    }

    @Override
    public long getN() {
        return Arrays.stream(counts).sum();
    }

    @Override
    public double getSum() {
        return getMean() * getN();
    }

    @Override
    public double getPercentile(double percentile) {
        return distribution().valueAtPercentile(percentile) / nanosPerUnit;
    }

    @Override
    public double getVariance() {
        double mean = getMean();
        double squares = IntStream.range(0, nanos.length)
                .mapToDouble(i -> counts[i] * Math.pow(nanos[i] / nanosPerUnit - mean, 2))
                .sum();
        return getN() < 2 ? Double.NaN : squares / (getN() - 1);
    }

    @Override
    public int[] getHistogram(double[] levels) {
        int[] histogram = new int[levels.length - 1];
        for (int i = 0; i < nanos.length; i++) {
            int found = Arrays.binarySearch(levels, nanos[i] / nanosPerUnit);
            int level = found >= 0 ? found : -found - 2;
            if (level >= 0 && level < histogram.length) {
                histogram[level] += (int) counts[i];
            }
        }
        return histogram;
    }

    @Override
    public Iterator<Map.Entry<Double, Long>> getRawData() {
        return IntStream.range(0, nanos.length)
                .mapToObj(i -> (Map.Entry<Double, Long>) new SimpleImmutableEntry<>(nanos[i] / nanosPerUnit, counts[i]))
                .iterator();
    }
}
