package dev.downbeat.why;

import dev.downbeat.record.KeptRequests.KeptRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Slow requests to explain, and others slower than usual, whose start shows when the delay began. Ordered by dispatch.
 * A request's slow part is its excess over a typical request. Events of the service explain only the time since its
 * dispatch.
 */
final class SlowRequests {
    /** Requests count as slower than usual from one part in this number of the way from typical to slow. */
    private static final int PART = 5;

    private final long[] from;
    private final long[] to;

    /** 0 for requests that are not to be explained. */
    private final long[] slowNanos;

    private final long typicalNanos;

    private SlowRequests(List<KeptRequest> inOrder, Set<Long> inQuestion, long typicalNanos) {
        this.from = inOrder.stream().mapToLong(KeptRequest::dispatchedNanos).toArray();
        this.to = inOrder.stream().mapToLong(KeptRequest::completedNanos).toArray();
        this.slowNanos = inOrder.stream()
                .mapToLong(
                        one -> inQuestion.contains(one.index()) ? Math.max(0, one.responseNanos() - typicalNanos) : 0)
                .toArray();
        this.typicalNanos = typicalNanos;
    }

    /**
     * Selects from the kept requests of a run.
     *
     * @param inQuestion the requests to explain
     * @param kept all requests that may be slower than usual
     * @param fromNanos response time from which requests are to be explained
     */
    static SlowRequests of(List<KeptRequest> inQuestion, List<KeptRequest> kept, long fromNanos, long typicalNanos) {
        long leastNanos = typicalNanos + (fromNanos - typicalNanos) / PART;
        Set<Long> slow = inQuestion.stream().map(KeptRequest::index).collect(Collectors.toSet());
        Set<Long> known = new HashSet<>(slow);
        List<KeptRequest> inOrder = new ArrayList<>(inQuestion);
        for (KeptRequest one : kept) {
            if (one.responseNanos() > leastNanos && known.add(one.index())) {
                inOrder.add(one);
            }
        }
        inOrder.sort(Comparator.comparingLong(KeptRequest::dispatchedNanos));
        return new SlowRequests(inOrder, slow, typicalNanos);
    }

    int count() {
        return from.length;
    }

    /** When a request was dispatched. */
    long from(int request) {
        return from[request];
    }

    /** The ends of all requests, ascending. */
    long[] ends() {
        long[] ends = to.clone();
        Arrays.sort(ends);
        return ends;
    }

    long to(int request) {
        return to[request];
    }

    /** The excess of a request over a typical one, lateness included; 0 if it is not to be explained. */
    long slowNanos(int request) {
        return slowNanos[request];
    }

    /** The total excess of the requests to explain, in nanoseconds. */
    double totalNanos() {
        return Arrays.stream(slowNanos).asDoubleStream().sum();
    }

    boolean isSlow(int request) {
        return slowNanos[request] > 0;
    }

    /** The excess of a request that events of the service can explain. */
    long explicableNanos(int request) {
        return Math.max(0, to[request] - from[request] - typicalNanos);
    }

    /** When at least one of the requests was in flight. */
    Spans inFlight() {
        return inFlight(request -> true);
    }

    /** When at least one request to explain was in flight. */
    Spans slowInFlight() {
        return inFlight(this::isSlow);
    }

    private Spans inFlight(IntPredicate isIncluded) {
        return Spans.of(IntStream.range(0, from.length)
                .filter(isIncluded)
                .mapToObj(request -> new long[] {from[request], to[request]})
                .toList());
    }

    /** Adds the excess of each request to explain, spread evenly over its time. */
    CircularSignal spread(CircularSignal signal) {
        for (int i = 0; i < from.length; i++) {
            if (isSlow(i)) {
                signal.add(from[i], to[i], (double) explicableNanos(i) / Math.max(1, to[i] - from[i]));
            }
        }
        return signal;
    }
}
