package dev.downbeat.load;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * A distribution of times with three significant digits. Two distributions can be added, never averaged. Immutable,
 * thread-safe.
 */
public final class Times {
    private final Distribution counts;

    Times(Distribution counts) {
        this.counts = counts;
    }

    /** The number of times. */
    public long count() {
        return counts.count();
    }

    /** Whether there are no times; then {@link #p} is empty, and {@link #max}, {@link #min} and {@link #mean} throw. */
    public boolean isEmpty() {
        return counts.isEmpty();
    }

    /**
     * A nearest-rank percentile: an observed time, to three significant digits, never an interpolated one.
     *
     * @param percentile from 0 to 100, such as 99, not 0.99
     * @return empty if there are too few times for it: five must be expected beyond it, so p99 needs 500
     * @throws IllegalArgumentException if {@code percentile} is out of range
     */
    public Optional<Duration> p(double percentile) {
        if (!(percentile >= 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile must be from 0 to 100, but was " + percentile);
        }
        return ResponseBounds.hasEnoughFor(percentile, count())
                ? Optional.of(Duration.ofNanos(counts.valueAtPercentile(percentile)))
                : Optional.empty();
    }

    /**
     * The maximum.
     *
     * @throws LoadException if there are none
     */
    public Duration max() {
        return Duration.ofNanos(requireTimes().maxNanos());
    }

    /**
     * The minimum.
     *
     * @throws LoadException if there are none
     */
    public Duration min() {
        return Duration.ofNanos(requireTimes().minNanos());
    }

    /**
     * The arithmetic mean. One request of a second outweighs a thousand of a millisecond: prefer {@link #p}.
     *
     * @throws LoadException if there are none
     */
    public Duration mean() {
        return Duration.ofNanos(requireTimes().meanNanos());
    }

    /**
     * Passes every distinct time with its count, in ascending order, for example to fill another histogram.
     *
     * @param reader called once per distinct time
     */
    public void forEach(BiConsumer<Duration, Long> reader) {
        counts.forEach((nanos, count) -> reader.accept(Duration.ofNanos(nanos), count));
    }

    private Distribution requireTimes() {
        if (counts.isEmpty()) {
            throw new LoadException("no request was measured, so there is no time of one");
        }
        return counts;
    }

    /** The sum of both distributions. */
    public Times plus(Times other) {
        return new Times(counts.plus(other.counts));
    }

    /** Count, median, p99 and maximum as text. */
    @Override
    public String toString() {
        return isEmpty()
                ? "no requests"
                : Numbers.count(count(), "request")
                        + Percentiles.of(Percentiles.Place.BRIEF).stream()
                                .map(percentile -> ", " + Percentiles.name(percentile) + " "
                                        + DurationText.rounded(counts.valueAtPercentile(percentile)))
                                .collect(Collectors.joining());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Times that && counts.equals(that.counts);
    }

    @Override
    public int hashCode() {
        return counts.hashCode();
    }
}
