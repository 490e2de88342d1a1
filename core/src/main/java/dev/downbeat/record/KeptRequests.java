package dev.downbeat.record;

import dev.downbeat.arrival.SplitMix64;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Complete requests of a run: the slowest, and a uniform random sample as controls.
 *
 * @param slowest the slowest first; at most {@link #MOST}
 * @param controls in order of intended start; at most {@link #MOST}
 */
public record KeptRequests(List<KeptRequest> slowest, List<KeptRequest> controls) {
    public static final int MOST = 10_000;

    public static final KeptRequests NONE = new KeptRequests(List.of(), List.of());

    /** Each of many shards keeps fewer, so that merging stays fast; at least this many. */
    private static final int LEAST_OF_SHARD = 500;

    private static final Comparator<KeptRequest> SLOWEST_FIRST =
            Comparator.comparingLong(KeptRequest::responseNanos).reversed().thenComparingLong(KeptRequest::index);

    /** By intended start. */
    public static final Comparator<KeptRequest> IN_ORDER =
            Comparator.comparingLong(KeptRequest::intendedNanos).thenComparingLong(KeptRequest::index);

    public KeptRequests {
        slowest = List.copyOf(slowest);
        controls = List.copyOf(controls);
    }

    /** Sorts requests given in any order. */
    public static KeptRequests of(List<KeptRequest> slow, List<KeptRequest> sample) {
        return new KeptRequests(
                slow.stream().sorted(SLOWEST_FIRST).toList(),
                sample.stream().sorted(IN_ORDER).toList());
    }

    /** The maximum that each of this many shards keeps of each kind. */
    public static int mostOf(int shards) {
        return Math.min(MOST, Math.max(LEAST_OF_SHARD, 2 * MOST / shards));
    }

    public boolean isEmpty() {
        return slowest.isEmpty() && controls.isEmpty();
    }

    /** A copy for a run that started this much later. */
    public KeptRequests later(long nanos) {
        return new KeptRequests(
                slowest.stream().map(request -> request.later(nanos)).toList(),
                controls.stream().map(request -> request.later(nanos)).toList());
    }

    /**
     * Combines two parts of a run. A part that did not keep all of its requests may be missing some below its fastest
     * kept request, so such requests of the other part are left out. Controls are drawn in proportion to the number of
     * requests.
     *
     * @param requests number of requests in this part
     * @param otherRequests number of requests in the other part
     */
    public KeptRequests plus(KeptRequests other, long requests, long otherRequests) {
        if (requests == 0 || otherRequests == 0) {
            return requests == 0 ? other : this;
        }
        long floorNanos = Math.max(floorNanos(requests), other.floorNanos(otherRequests));
        List<KeptRequest> slow = Stream.concat(slowest.stream(), other.slowest.stream())
                .filter(request -> request.responseNanos() >= floorNanos)
                .sorted(SLOWEST_FIRST)
                .limit(MOST)
                .toList();
        double share = Math.min(
                (double) MOST / (requests + otherRequests),
                Math.min((double) controls.size() / requests, (double) other.controls.size() / otherRequests));
        List<KeptRequest> sample = new ArrayList<>(draw(controls, Math.round(share * requests)));
        sample.addAll(draw(other.controls, Math.round(share * otherRequests)));
        sample.sort(IN_ORDER);
        return new KeptRequests(slow, sample);
    }

    private long floorNanos(long requests) {
        return slowest.isEmpty() || slowest.size() >= requests
                ? Long.MIN_VALUE
                : slowest.get(slowest.size() - 1).responseNanos();
    }

    /** A random but reproducible draw: request indexes are shuffled by a bijection. */
    private static List<KeptRequest> draw(List<KeptRequest> all, long count) {
        return count >= all.size()
                ? all
                : all.stream()
                        .sorted(Comparator.comparingLong(
                                (KeptRequest request) -> SplitMix64.mix((request.index() + 1) * SplitMix64.STEP)))
                        .limit(count)
                        .toList();
    }

    /**
     * One stored request with all of its instants, each relative to the start of the run and none before the previous one.
     * If a poll had nothing to answer for a time, its intended start is shifted later by that time.
     *
     * @param index index of the request in the run
     * @param name index of its name among the names of the run; 0 if requests have none
     * @param intendedNanos intended start
     * @param dispatchedNanos when the generator noticed that it was due
     * @param startedNanos when it was sent
     * @param firstByteNanos first byte of the response
     * @param completedNanos when it ended, its deadline passed, or the run ended
     * @param opening time after {@code startedNanos} spent on a new connection
     * @param position position on the connection, from 1; 0 if there is none
     * @param isAnswered whether a response arrived; otherwise it failed or timed out
     */
    public record KeptRequest(
            long index,
            int name,
            long intendedNanos,
            long dispatchedNanos,
            long startedNanos,
            long firstByteNanos,
            long completedNanos,
            Opening opening,
            int position,
            boolean isAnswered) {
        private static final long PRECISION = 1_000;
        private static final long COARSEST_NANOS = 1_000;

        /** A request for which the parts of its new connection are unknown. */
        public KeptRequest(
                long index,
                int name,
                long intendedNanos,
                long dispatchedNanos,
                long startedNanos,
                long firstByteNanos,
                long completedNanos,
                long newConnectionNanos,
                int position,
                boolean isAnswered) {
            this(
                    index,
                    name,
                    intendedNanos,
                    dispatchedNanos,
                    startedNanos,
                    firstByteNanos,
                    completedNanos,
                    Opening.unknown(newConnectionNanos),
                    position,
                    isAnswered);
        }

        /** Two fields suffice: a record's default hash over all ten takes a tenth of a report's time. */
        @Override
        public int hashCode() {
            return Long.hashCode(31 * intendedNanos + index);
        }

        /** Time after {@code startedNanos} spent on a new connection. */
        public long newConnectionNanos() {
            return opening.nanos();
        }

        /** Time from intended start to completion. */
        public long responseNanos() {
            return completedNanos - intendedNanos;
        }

        /**
         * A copy with instants rounded down to a thousandth of the response time or finer, at most to a microsecond, which
         * is as exact as a {@link Distribution}. Saved files are then half as large.
         */
        public KeptRequest rounded() {
            long unit = 1;
            while (unit < COARSEST_NANOS && responseNanos() >= unit * PRECISION * 10) {
                unit *= 10;
            }
            return new KeptRequest(
                    index,
                    name,
                    intendedNanos / unit * unit,
                    dispatchedNanos / unit * unit,
                    startedNanos / unit * unit,
                    firstByteNanos / unit * unit,
                    completedNanos / unit * unit,
                    opening.rounded(unit),
                    position,
                    isAnswered);
        }

        KeptRequest later(long nanos) {
            return new KeptRequest(
                    index,
                    name,
                    intendedNanos + nanos,
                    dispatchedNanos + nanos,
                    startedNanos + nanos,
                    firstByteNanos + nanos,
                    completedNanos + nanos,
                    opening,
                    position,
                    isAnswered);
        }
    }

    /**
     * The time that a request spent on a new connection, in nanoseconds.
     *
     * @param nanos all of it
     * @param lookupNanos part of it: the name lookup
     * @param connectNanos part of it: the connect
     * @param handshakeNanos part of it: the TLS handshake; all parts are 0 if they are unknown, as in older files and if
     *     the connection did not open
     */
    public record Opening(long nanos, long lookupNanos, long connectNanos, long handshakeNanos) {
        public static final Opening NONE = unknown(0);

        /** An opening that took this long, with unknown parts. */
        public static Opening unknown(long nanos) {
            return new Opening(nanos, 0, 0, 0);
        }

        /** An opening with these parts. */
        public static Opening of(long lookupNanos, long connectNanos, long handshakeNanos) {
            return new Opening(lookupNanos + connectNanos + handshakeNanos, lookupNanos, connectNanos, handshakeNanos);
        }

        Opening rounded(long unit) {
            return new Opening(
                    nanos / unit * unit,
                    lookupNanos / unit * unit,
                    connectNanos / unit * unit,
                    handshakeNanos / unit * unit);
        }
    }
}
