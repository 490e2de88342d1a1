package dev.downbeat.record;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Requests of a run that were kept in full: the slowest, and as controls a sample of all, each as likely as any other.
 *
 * @param slowest the slowest first; at most {@link #MOST}
 * @param controls in the order of their intended times; at most {@link #MOST}
 */
public record KeptRequests(List<KeptRequest> slowest, List<KeptRequest> controls) {
    /** How many are kept of each at most. */
    public static final int MOST = 10_000;

    /** None were kept. */
    public static final KeptRequests NONE = new KeptRequests(List.of(), List.of());

    /** Of many shards each keeps fewer, so that to merge them takes no longer; this many at least. */
    private static final int LEAST_OF_SHARD = 500;

    private static final Comparator<KeptRequest> SLOWEST_FIRST =
            Comparator.comparingLong(KeptRequest::responseNanos).reversed().thenComparingLong(KeptRequest::index);

    private static final Comparator<KeptRequest> IN_ORDER =
            Comparator.comparingLong(KeptRequest::intendedNanos).thenComparingLong(KeptRequest::index);

    public KeptRequests {
        slowest = List.copyOf(slowest);
        controls = List.copyOf(controls);
    }

    /** The same in any order. */
    public static KeptRequests of(List<KeptRequest> slow, List<KeptRequest> sample) {
        return new KeptRequests(
                slow.stream().sorted(SLOWEST_FIRST).toList(),
                sample.stream().sorted(IN_ORDER).toList());
    }

    /** How many of each one of so many shards keeps at most. */
    public static int mostOf(int shards) {
        return Math.min(MOST, Math.max(LEAST_OF_SHARD, 2 * MOST / shards));
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return slowest.isEmpty() && controls.isEmpty();
    }

    /** The same of a run that came so much later. */
    public KeptRequests later(long nanos) {
        return new KeptRequests(
                slowest.stream().map(one -> one.later(nanos)).toList(),
                controls.stream().map(one -> one.later(nanos)).toList());
    }

    /**
     * Those of two parts of a run together. A part that did not keep all of its requests may have had more of those that are
     * quicker than the least it kept, so they are left out; of the controls each part gives in proportion to its requests.
     *
     * @param requests how many requests this part had
     * @param otherRequests how many the other had
     */
    public KeptRequests plus(KeptRequests other, long requests, long otherRequests) {
        if (requests == 0 || otherRequests == 0) {
            return requests == 0 ? other : this;
        }
        long floorNanos = Math.max(floorNanos(requests), other.floorNanos(otherRequests));
        List<KeptRequest> slow = Stream.concat(slowest.stream(), other.slowest.stream())
                .filter(one -> one.responseNanos() >= floorNanos)
                .sorted(SLOWEST_FIRST)
                .limit(MOST)
                .toList();
        double share = Math.min(
                (double) MOST / (requests + otherRequests),
                Math.min((double) controls.size() / requests, (double) other.controls.size() / otherRequests));
        List<KeptRequest> sample = new ArrayList<>(drawn(controls, Math.round(share * requests)));
        sample.addAll(drawn(other.controls, Math.round(share * otherRequests)));
        sample.sort(IN_ORDER);
        return new KeptRequests(slow, sample);
    }

    private long floorNanos(long requests) {
        return slowest.isEmpty() || slowest.size() >= requests
                ? Long.MIN_VALUE
                : slowest.get(slowest.size() - 1).responseNanos();
    }

    /** Which is chance, but the same each time: the numbers of requests are shuffled by a bijection. */
    private static List<KeptRequest> drawn(List<KeptRequest> all, long count) {
        return count >= all.size()
                ? all
                : all.stream()
                        .sorted(Comparator.comparingLong((KeptRequest one) -> shuffled(one.index())))
                        .limit(count)
                        .toList();
    }

    /** The end of SplitMix64. */
    private static long shuffled(long index) {
        long z = (index + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
