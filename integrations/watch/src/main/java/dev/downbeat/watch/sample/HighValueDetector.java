package dev.downbeat.watch.sample;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;

/**
 * Detects when a series was high: above a floor, and above three times its own median. High values without a gap in time form
 * one event. Memory is bounded: the median comes from a histogram with buckets 9 % wide. Only values above the floor are
 * stored, which rises when they become too many. Used by one thread.
 */
public final class HighValueDetector {
    static final double TIMES_MEDIAN = 3;

    private static final int BUCKETS_PER_DOUBLING = 8;
    private static final int BUCKETS = 128 * BUCKETS_PER_DOUBLING;
    private static final double LEAST = 1e-9;
    private static final int MOST = 200_000;

    private static final Comparator<Sample> HIGHEST_FIRST = Comparator.comparingDouble(Sample::value)
            .thenComparingLong(sample -> sample.toNanos - sample.fromNanos)
            .reversed();

    /** A value, and the time in which it did not change. */
    private record Sample(long fromNanos, long toNanos, double value) {}

    private final EventKind kind;
    private final double floor;
    private final DoubleFunction<String> description;
    private final int most;
    private final List<Sample> candidates = new ArrayList<>();
    private final long[] counts = new long[BUCKETS + 1];
    private long total;
    private double storedFloor;
    private boolean isCut;

    /**
     * Creates a detector for a series.
     *
     * @param floor minimum value that counts as high
     * @param description describes an event by its highest value
     */
    public HighValueDetector(EventKind kind, double floor, DoubleFunction<String> description) {
        this(kind, floor, description, MOST);
    }

    HighValueDetector(EventKind kind, double floor, DoubleFunction<String> description, int most) {
        this.kind = kind;
        this.floor = floor;
        this.description = description;
        this.most = most;
        this.storedFloor = floor;
    }

    /** Adds a value measured between two instants. */
    public void add(long fromNanos, long toNanos, double value) {
        if (Double.isNaN(value) || toNanos <= fromNanos) {
            return;
        }
        counts[bucket(value)]++;
        total++;
        if (value > 0 && value >= storedFloor) {
            store(new Sample(fromNanos, toNanos, value));
        }
    }

    private void store(Sample sample) {
        int last = candidates.size() - 1;
        Sample before = last < 0 ? sample : candidates.get(last);
        if (last >= 0 && before.value == sample.value && sample.fromNanos <= before.toNanos) {
            long from = Math.min(before.fromNanos, sample.fromNanos);
            candidates.set(last, new Sample(from, sample.toNanos, sample.value));
            return;
        }
        candidates.add(sample);
        if (candidates.size() >= most) {
            shrink();
        }
    }

    /** Raises the floor for the whole series, so that its end is judged like its beginning. */
    private void shrink() {
        storedFloor = Math.max(storedFloor, TIMES_MEDIAN * median());
        candidates.removeIf(sample -> sample.value < storedFloor);
        int half = most / 2;
        if (candidates.size() > half) {
            isCut = true;
            candidates.sort(HIGHEST_FIRST);
            candidates.subList(half, candidates.size()).clear();
            storedFloor = candidates.get(half - 1).value;
            candidates.sort(Comparator.comparingLong(Sample::toNanos));
        }
    }

    private static int bucket(double value) {
        if (value <= LEAST) {
            return 0;
        }
        double doublings = Math.log(value / LEAST) / Math.log(2);
        return 1 + (int) Math.min(BUCKETS - 1, doublings * BUCKETS_PER_DOUBLING);
    }

    private double median() {
        long below = 0;
        int bucket = 0;
        while (bucket < BUCKETS && 2 * (below + counts[bucket]) < total) {
            below += counts[bucket++];
        }
        return bucket == 0 ? 0 : LEAST * Math.pow(2, (bucket - 0.5) / BUCKETS_PER_DOUBLING);
    }

    public List<Event> events() {
        return events(floor);
    }

    /** The events with at least this value. */
    public List<Event> events(double least) {
        double limit = Math.max(Math.max(storedFloor, least), TIMES_MEDIAN * median());
        List<Event> events = new ArrayList<>();
        long from = 0;
        long to = Long.MIN_VALUE;
        double highest = 0;
        for (Sample sample : candidates) {
            if (sample.value < limit) {
                continue;
            }
            if (sample.fromNanos > to) {
                add(events, from, to, highest);
                from = sample.fromNanos;
                highest = 0;
            }
            from = Math.min(from, sample.fromNanos);
            to = sample.toNanos;
            highest = Math.max(highest, sample.value);
        }
        add(events, from, to, highest);
        return events;
    }

    public Optional<String> note() {
        return isCut || storedFloor > Math.max(floor, TIMES_MEDIAN * median())
                ? Optional.of("only the highest " + kind.words() + " are kept")
                : Optional.empty();
    }

    private void add(List<Event> events, long from, long to, double highest) {
        if (to > from) {
            events.add(new Event(kind, from, to - from, description.apply(highest)));
        }
    }
}
