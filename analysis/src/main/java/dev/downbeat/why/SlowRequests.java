package dev.downbeat.why;

import dev.downbeat.record.KeptRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Requests whose slowness is to be explained, and others that were slower than usual: what held up the slowest began with these.
 * In the order in which they were taken up. The slow part of a request is what it took longer than a typical one; from its
 * intended time until it was taken up it waited for us, and no event of a service explains that.
 */
final class SlowRequests {
    /** From here to what is explained, as a part of the way from a typical request: there a request is slower than usual. */
    private static final int PART = 5;

    private final long[] from;
    private final long[] to;

    /** 0 of those which nobody asked about. */
    private final long[] slowNanos;

    private final long typicalNanos;

    private SlowRequests(List<KeptRequest> inOrder, Set<Long> asked, long typicalNanos) {
        this.from = inOrder.stream().mapToLong(KeptRequest::dispatchedNanos).toArray();
        this.to = inOrder.stream().mapToLong(KeptRequest::completedNanos).toArray();
        this.slowNanos = inOrder.stream()
                .mapToLong(one -> asked.contains(one.index()) ? Math.max(0, one.responseNanos() - typicalNanos) : 0)
                .toArray();
        this.typicalNanos = typicalNanos;
    }

    /**
     * Of what was kept of a run.
     *
     * @param asked to be explained
     * @param kept all that may be slower than usual
     * @param fromNanos response time from which requests are asked about
     */
    static SlowRequests of(List<KeptRequest> asked, List<KeptRequest> kept, long fromNanos, long typicalNanos) {
        long leastNanos = typicalNanos + (fromNanos - typicalNanos) / PART;
        Set<Long> known = new HashSet<>();
        asked.forEach(one -> known.add(one.index()));
        List<KeptRequest> inOrder = new ArrayList<>(asked);
        for (KeptRequest one : kept) {
            if (one.responseNanos() > leastNanos && known.add(one.index())) {
                inOrder.add(one);
            }
        }
        inOrder.sort(Comparator.comparingLong(KeptRequest::dispatchedNanos));
        Set<Long> wanted = new HashSet<>();
        asked.forEach(one -> wanted.add(one.index()));
        return new SlowRequests(inOrder, wanted, typicalNanos);
    }

    int count() {
        return from.length;
    }

    /** When one was taken up. */
    long from(int request) {
        return from[request];
    }

    /** When each ended, the first first. */
    long[] ends() {
        long[] ends = to.clone();
        Arrays.sort(ends);
        return ends;
    }

    /** When one ended. */
    long to(int request) {
        return to[request];
    }

    /** What one took longer than a typical request, lateness included; 0 if nobody asked about it. */
    long slowNanos(int request) {
        return slowNanos[request];
    }

    /** The slow part of all that are asked about, in nanoseconds. */
    double totalNanos() {
        return Arrays.stream(slowNanos).asDoubleStream().sum();
    }

    boolean isAsked(int request) {
        return slowNanos[request] > 0;
    }

    /** The slow part of any of them that events of the service can explain. */
    long explicableNanos(int request) {
        return Math.max(0, to[request] - from[request] - typicalNanos);
    }

    /** When at least one of them was out. */
    Spans out() {
        return out(request -> true);
    }

    /** When at least one of those was out that are asked about. */
    Spans askedOut() {
        return out(this::isAsked);
    }

    private Spans out(IntPredicate which) {
        return Spans.of(IntStream.range(0, from.length)
                .filter(which)
                .mapToObj(request -> new long[] {from[request], to[request]})
                .toList());
    }

    /** Adds the slow part of each that is asked about, spread evenly over its time. */
    Circle spread(Circle circle) {
        for (int i = 0; i < from.length; i++) {
            if (isAsked(i)) {
                circle.add(from[i], to[i], (double) explicableNanos(i) / Math.max(1, to[i] - from[i]));
            }
        }
        return circle;
    }
}
