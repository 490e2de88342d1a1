package dev.downbeat.load;

import dev.downbeat.record.Distribution;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ResponseBounds;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * How long many requests took, counted to three digits: 1.234 ms is told from 1.235 ms. Two of them can be added, never
 * averaged. Immutable, thread-safe.
 */
public final class Times {
    private final Distribution counts;

    Times(Distribution counts) {
        this.counts = counts;
    }

    /** How many there are. */
    public long count() {
        return counts.count();
    }

    /** Whether there are none; all that follows is refused then. */
    public boolean isEmpty() {
        return counts.isEmpty();
    }

    /**
     * The shortest time that at least so many per cent do not exceed: the nearest rank, so it is one that occurred.
     *
     * @param percentile from 0 to 100
     * @return empty if there are too few times to speak of it: five must be expected beyond, so p99 needs 500
     * @throws IllegalArgumentException if {@code percentile} is out of range
     */
    public Optional<Duration> p(double percentile) {
        if (!(percentile >= 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile must be from 0 to 100, but was " + percentile);
        }
        return ResponseBounds.carries(percentile, count())
                ? Optional.of(Duration.ofNanos(counts.valueAtPercentile(percentile)))
                : Optional.empty();
    }

    /**
     * The longest.
     *
     * @throws LoadException if there are none
     */
    public Duration max() {
        return Duration.ofNanos(some().maxNanos());
    }

    /**
     * The shortest.
     *
     * @throws LoadException if there are none
     */
    public Duration min() {
        return Duration.ofNanos(some().minNanos());
    }

    /**
     * The arithmetic mean. One that waited a second outweighs a thousand that took a millisecond; prefer {@link #p}.
     *
     * @throws LoadException if there are none
     */
    public Duration mean() {
        return Duration.ofNanos(some().meanNanos());
    }

    /**
     * Every time that occurred, to three digits and in ascending order, with how often it did: to feed a histogram elsewhere.
     *
     * @param reader told once for each
     */
    public void forEach(BiConsumer<Duration, Long> reader) {
        counts.forEach((nanos, count) -> reader.accept(Duration.ofNanos(nanos), count));
    }

    private Distribution some() {
        if (counts.isEmpty()) {
            throw new LoadException("no request was measured, so there is no time of one");
        }
        return counts;
    }

    /** Both together, as if they had been measured at once. */
    public Times plus(Times other) {
        return new Times(counts.plus(other.counts));
    }

    /** In a few words: count, median, p99 and longest. */
    @Override
    public String toString() {
        return isEmpty()
                ? "no requests"
                : count() + " requests, p50 " + rounded(50) + ", p99 " + rounded(99) + ", max " + rounded(100);
    }

    private String rounded(double percentile) {
        return DurationText.rounded(counts.valueAtPercentile(percentile));
    }
}
