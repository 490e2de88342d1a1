package dev.downbeat.why;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Disjoint time spans in order, in which at least one event of a kind was going on. Immutable. */
final class Spans {
    private final long[] from;
    private final long[] to;
    private final long totalNanos;

    private Spans(long[] from, long[] to) {
        this.from = from;
        this.to = to;
        long sum = 0;
        for (int i = 0; i < from.length; i++) {
            sum += to[i] - from[i];
        }
        this.totalNanos = sum;
    }

    /** Creates spans from pairs of start and end in any order; overlapping ones are merged, empty ones dropped. */
    static Spans of(List<long[]> pairs) {
        long[][] sorted = pairs.stream()
                .filter(pair -> pair[1] > pair[0])
                .sorted((one, other) -> Long.compare(one[0], other[0]))
                .toArray(long[][]::new);
        long[] from = new long[sorted.length];
        long[] to = new long[sorted.length];
        int count = 0;
        for (long[] pair : sorted) {
            if (count > 0 && pair[0] <= to[count - 1]) {
                to[count - 1] = Math.max(to[count - 1], pair[1]);
            } else {
                from[count] = pair[0];
                to[count++] = pair[1];
            }
        }
        return new Spans(Arrays.copyOf(from, count), Arrays.copyOf(to, count));
    }

    int count() {
        return from.length;
    }

    long from(int place) {
        return from[place];
    }

    long to(int place) {
        return to[place];
    }

    long totalNanos() {
        return totalNanos;
    }

    /** The first span that ends after the instant; {@link #count} if there is none. */
    int firstAfter(long nanos) {
        int low = 0;
        int high = to.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (to[middle] > nanos) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The time that they cover of a period. */
    long coveredNanos(long start, long end) {
        long sum = 0;
        for (int i = firstAfter(start); i < from.length && from[i] < end; i++) {
            sum += Math.min(to[i], end) - Math.max(from[i], start);
        }
        return sum;
    }

    /** The parts outside the other spans. */
    Spans without(Spans others) {
        List<long[]> pairs = new ArrayList<>();
        for (int i = 0; i < from.length; i++) {
            long at = from[i];
            for (int k = others.firstAfter(at); k < others.count() && others.from[k] < to[i]; k++) {
                pairs.add(new long[] {at, others.from[k]});
                at = others.to[k];
            }
            pairs.add(new long[] {at, to[i]});
        }
        return of(pairs);
    }

    /** The union of both. */
    Spans with(Spans others) {
        return of(Stream.concat(pairs(), others.pairs()).toList());
    }

    private Stream<long[]> pairs() {
        return IntStream.range(0, from.length).mapToObj(i -> new long[] {from[i], to[i]});
    }
}
