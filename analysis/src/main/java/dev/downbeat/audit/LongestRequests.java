package dev.downbeat.audit;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The longest requests of a file, at most {@value #MOST}. Not thread-safe. */
final class LongestRequests {
    static final int MOST = 20_000;

    private final PriorityQueue<Kept> kept = new PriorityQueue<>(Comparator.comparingLong(Kept::nanos));

    /** A request; {@code user} and {@code kind} are -1 if they are not known. */
    record Kept(long startNanos, long endNanos, int user, int kind) {
        long nanos() {
            return endNanos - startNanos;
        }
    }

    void add(long startNanos, long endNanos, int user, int kind) {
        if (kept.size() == MOST) {
            if (endNanos - startNanos <= shortestNanos()) {
                return;
            }
            kept.remove();
        }
        kept.add(new Kept(startNanos, endNanos, user, kind));
    }

    /** Only requests longer than this are kept. */
    long shortestNanos() {
        Kept shortest = kept.peek();
        return shortest == null || kept.size() < MOST ? 0 : shortest.nanos();
    }

    /** The requests in flight throughout this period. */
    List<Kept> during(long fromNanos, long untilNanos) {
        return kept.stream()
                .filter(one -> one.startNanos() <= fromNanos && one.endNanos() >= untilNanos)
                .toList();
    }

    /** The requests that lasted at least this long, in order of their ends. */
    List<Kept> from(long leastNanos) {
        Kept[] all = kept.stream().filter(one -> one.nanos() >= leastNanos).toArray(Kept[]::new);
        Arrays.sort(all, Comparator.comparingLong(Kept::endNanos));
        return List.of(all);
    }
}
