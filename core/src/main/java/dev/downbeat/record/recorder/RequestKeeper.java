package dev.downbeat.record.recorder;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.KeptRequests.Opening;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Keeps the slowest requests of a run, and a uniform random sample of all. Most requests cost one comparison and one
 * decrement. The slowest are a heap with a known minimum; the distance to the next sampled request is drawn in advance
 * (algorithm L).
 *
 * <p>Single writer, lock-free. Memory grows in steps of 23 kB until the first {@link KeptRequests#MOST} requests are
 * stored; 2 MB in total.
 *
 * @see <a href="https://doi.org/10.1145/198429.198435">Li: Reservoir-sampling algorithms of time complexity
 *     O(n(1+log(N/n))), ACM TOMS 20, 1994</a>
 */
public final class RequestKeeper {
    private final int most;
    private final Rows slowest;
    private final Rows controls;
    private final SplittableRandom random;

    /** A min-heap of the response times of the slowest requests; {@link #heapRow} has their rows. */
    private final long[] heapNanos;

    private final int[] heapRow;
    private int slow;
    private int sampled;
    private long runStartAt;

    /** Once full, the response time to exceed. */
    private long leastNanos = Long.MIN_VALUE;

    /** The number of requests before the next sampled one. */
    private long untilNext;

    /** The total number of requests once that one has arrived. */
    private long countAtNext = 1;

    /** Algorithm L's W: the largest of the random keys in the sample so far. */
    private double largest = 1;

    /**
     * Starts empty.
     *
     * @param most maximum of each kind, from 1 to {@link KeptRequests#MOST}
     * @param seed determines the sample
     */
    public RequestKeeper(int most, long seed) {
        if (most < 1 || most > KeptRequests.MOST) {
            throw new IllegalArgumentException("most must be from 1 to " + KeptRequests.MOST + ", but was " + most);
        }
        this.most = most;
        this.slowest = new Rows(most);
        this.controls = new Rows(most);
        this.random = new SplittableRandom(seed);
        this.heapNanos = new long[most];
        this.heapRow = new int[most];
    }

    public void startsAt(long at) {
        runStartAt = at;
    }

    /**
     * Considers a finished request.
     *
     * @param endedAt when it ended, timed out, or the run ended
     * @param isAnswered whether the response arrived in time
     */
    public void ended(Exchange exchange, long endedAt, boolean isAnswered) {
        long responseNanos = endedAt - exchange.intendedAt - exchange.idleNanos;
        if (responseNanos > leastNanos) {
            keepSlow(exchange, endedAt, isAnswered, responseNanos);
        }
        if (untilNext-- == 0) {
            sample(exchange, endedAt, isAnswered);
        }
    }

    private void keepSlow(Exchange exchange, long endedAt, boolean isAnswered, long responseNanos) {
        boolean hasRoom = slow < most;
        int row = hasRoom ? slow : heapRow[0];
        slowest.put(row, exchange, endedAt, isAnswered, runStartAt);
        if (hasRoom) {
            siftUp(slow++, responseNanos, row);
        } else {
            siftDown(responseNanos, row);
        }
        if (slow == most) {
            leastNanos = heapNanos[0];
        }
    }

    private void siftUp(int from, long nanos, int row) {
        int at = from;
        while (at > 0 && heapNanos[(at - 1) >>> 1] > nanos) {
            int above = (at - 1) >>> 1;
            heapNanos[at] = heapNanos[above];
            heapRow[at] = heapRow[above];
            at = above;
        }
        heapNanos[at] = nanos;
        heapRow[at] = row;
    }

    private void siftDown(long nanos, int row) {
        int at = 0;
        for (int below = 1; below < slow; below = 2 * at + 1) {
            int least = below + 1 < slow && heapNanos[below + 1] < heapNanos[below] ? below + 1 : below;
            if (heapNanos[least] >= nanos) {
                break;
            }
            heapNanos[at] = heapNanos[least];
            heapRow[at] = heapRow[least];
            at = least;
        }
        heapNanos[at] = nanos;
        heapRow[at] = row;
    }

    private void sample(Exchange exchange, long endedAt, boolean isAnswered) {
        int row = sampled < most ? sampled++ : random.nextInt(most);
        controls.put(row, exchange, endedAt, isAnswered, runStartAt);
        untilNext = sampled < most ? 0 : drawSkip();
        countAtNext += untilNext + 1;
    }

    private long drawSkip() {
        largest *= Math.exp(Math.log(1 - random.nextDouble()) / most);
        return (long)
                Math.min((double) (Long.MAX_VALUE >> 2), Math.log(1 - random.nextDouble()) / Math.log1p(-largest));
    }

    /** The number of requests considered. */
    public long considered() {
        return countAtNext - 1 - untilNext;
    }

    public KeptRequests kept() {
        return KeptRequests.of(slowest.read(slow), controls.read(sampled));
    }

    /** Requests as numbers, in blocks allocated on first use. */
    private static final class Rows {
        private static final int BLOCK_BITS = 8;
        private static final int WIDTH = 11;

        private static final long ANSWERED = 1;
        private static final long UNCONNECTED = 2;

        private final long[][] blocks;

        Rows(int most) {
            blocks = new long[(most >> BLOCK_BITS) + 1][];
        }

        void put(int row, Exchange exchange, long endedAt, boolean isAnswered, long runStartAt) {
            long[] block = blocks[row >> BLOCK_BITS];
            if (block == null) {
                block = new long[WIDTH << BLOCK_BITS];
                blocks[row >> BLOCK_BITS] = block;
            }
            int at = (row & ((1 << BLOCK_BITS) - 1)) * WIDTH;
            long originAt = runStartAt - exchange.idleNanos;
            long endedNanos = endedAt - runStartAt;
            long startedNanos = Math.min(exchange.startedAt - originAt, endedNanos);
            block[at] = exchange.index;
            block[at + 1] = ((long) exchange.position << 32) | exchange.name;
            block[at + 2] = exchange.intendedAt - originAt;
            block[at + 3] = Math.min(exchange.dispatchedAt - originAt, startedNanos);
            block[at + 4] = startedNanos;
            block[at + 5] = Math.min(Math.max(exchange.firstByteAt - runStartAt, startedNanos), endedNanos);
            block[at + 6] = endedNanos;
            block[at + 7] = exchange.lookupNanos;
            block[at + 8] = exchange.connectNanos;
            block[at + 9] = exchange.handshakeNanos;
            block[at + 10] = isAnswered ? ANSWERED : exchange.unconnected ? UNCONNECTED : 0;
        }

        List<KeptRequest> read(int count) {
            List<KeptRequest> all = new ArrayList<>(count);
            for (int row = 0; row < count; row++) {
                int at = (row & ((1 << BLOCK_BITS) - 1)) * WIDTH;
                long[] fields = Arrays.copyOfRange(blocks[row >> BLOCK_BITS], at, at + WIDTH);
                KeptRequest exact = new KeptRequest(
                        fields[0],
                        (int) fields[1],
                        fields[2],
                        fields[3],
                        fields[4],
                        fields[5],
                        fields[6],
                        opening(fields),
                        (int) (fields[1] >>> 32),
                        fields[10] == ANSWERED);
                all.add(exact.rounded());
            }
            return all;
        }

        /** A request whose connection did not open waited for it until the end. */
        private static Opening opening(long[] fields) {
            return fields[10] == UNCONNECTED
                    ? Opening.unknown(fields[6] - fields[4])
                    : Opening.of(fields[7], fields[8], fields[9]);
        }
    }
}
