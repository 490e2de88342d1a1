package dev.downbeat.why;

import dev.downbeat.record.KeptRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Requests whose slowness is to be explained, by the time at which they were taken up. The slow part of a request is what it
 * took longer than a typical one; from its intended time until it was taken up it waited for us, and no event of a service
 * explains that.
 *
 * @param from when each was taken up
 * @param to when it ended
 * @param slowNanos what it took longer than a typical request, lateness included
 * @param typicalNanos what a typical one takes from when it is taken up
 */
record SlowRequests(long[] from, long[] to, long[] slowNanos, long typicalNanos) {
    static SlowRequests of(List<KeptRequest> requests, long typicalNanos) {
        List<KeptRequest> inOrder = requests.stream()
                .sorted(Comparator.comparingLong(KeptRequest::dispatchedNanos))
                .toList();
        return new SlowRequests(
                inOrder.stream().mapToLong(KeptRequest::dispatchedNanos).toArray(),
                inOrder.stream().mapToLong(KeptRequest::completedNanos).toArray(),
                inOrder.stream()
                        .mapToLong(one -> Math.max(0, one.responseNanos() - typicalNanos))
                        .toArray(),
                typicalNanos);
    }

    int count() {
        return from.length;
    }

    /** The slow part of all, in nanoseconds. */
    double totalNanos() {
        return Arrays.stream(slowNanos).mapToDouble(nanos -> nanos).sum();
    }

    /** The part of it that events of the service can explain. */
    long explicableNanos(int request) {
        return Math.max(0, to[request] - from[request] - typicalNanos);
    }

    /** When at least one of them was out. */
    Spans out() {
        List<long[]> pairs = new ArrayList<>();
        for (int i = 0; i < from.length; i++) {
            pairs.add(new long[] {from[i], to[i]});
        }
        return Spans.of(pairs);
    }

    /** The slow part of each, spread evenly over its time. */
    Circle spread(long start, long end) {
        Circle circle = new Circle(start, end);
        for (int i = 0; i < from.length; i++) {
            circle.add(from[i], to[i], (double) explicableNanos(i) / Math.max(1, to[i] - from[i]));
        }
        return circle;
    }
}
