package dev.downbeat.report.data;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Interval;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The state of connections at the ends of a run's intervals. Totals do not show whether a pool was ever full, or
 * whether all connections were replaced at once.
 */
public record ConnectionStates(List<Interval> intervals) {
    /** "median 4 of 16, most 16 at 3.0 s; most opened 64 in the interval up to 2.0 s"; empty if there is nothing to compare. */
    public Optional<String> inWords() {
        long open = intervals.isEmpty()
                ? 0
                : largest(ConnectionCounts::openAtEnd).connections().openAtEnd();
        if (intervals.size() < 2 || open == 0) {
            return Optional.empty();
        }
        long[] inUse = intervals.stream()
                .mapToLong(interval -> interval.connections().inUseAtEnd())
                .sorted()
                .toArray();
        Interval busiest = largest(ConnectionCounts::inUseAtEnd);
        return Optional.of("median " + Numbers.count(inUse[inUse.length / 2]) + " of " + Numbers.count(open) + ", most "
                + Numbers.count(busiest.connections().inUseAtEnd()) + " at " + Numbers.seconds(busiest.endNanos())
                + changes());
    }

    /** Empty, unless connections opened or closed after the first interval, in which they are opened in advance. */
    private String changes() {
        Interval liveliest = largest(ConnectionCounts::opened);
        if (intervals.stream().skip(1).allMatch(one -> one.connections().opened() == 0)) {
            return "";
        }
        return "; most opened " + Numbers.count(liveliest.connections().opened()) + " in the interval up to "
                + Numbers.seconds(liveliest.endNanos());
    }

    private Interval largest(ToLongFunction<ConnectionCounts> count) {
        Interval largest = intervals.get(0);
        for (Interval interval : intervals) {
            if (count.applyAsLong(interval.connections()) > count.applyAsLong(largest.connections())) {
                largest = interval;
            }
        }
        return largest;
    }
}
