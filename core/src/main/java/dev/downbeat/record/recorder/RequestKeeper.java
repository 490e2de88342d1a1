package dev.downbeat.record.recorder;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.KeptRequest;
import dev.downbeat.record.KeptRequests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Keeps the slowest requests of a run, and a sample of all in which each is as likely as any other. For most requests it
 * takes one comparison and one decrement: the slowest are a heap whose least is known, and how many requests come before the
 * next of the sample is drawn when there is one (algorithm L).
 *
 * <p>Single writer, with no lock. Memory is taken in steps of 18 kB while fewer are kept than may be, which ends with the
 * first {@link KeptRequests#MOST} requests; 1.6 MB in all.
 *
 * @see <a href="https://doi.org/10.1145/198429.198435">Li: Reservoir-sampling algorithms of time complexity
 *     O(n(1+log(N/n))), ACM TOMS 20, 1994</a>
 */
public final class RequestKeeper {
    private final int most;
    private final Rows slowest;
    private final Rows controls;
    private final SplittableRandom random;

    /** The response times of the slowest, the least first, and beside them which row it is. */
    private final long[] heapNanos;

    private final int[] heapRow;
    private int slow;
    private int sampled;
    private long runStartAt;

    /** Response time that must be exceeded to be kept, once there are as many as are kept. */
    private long leastNanos = Long.MIN_VALUE;

    /** So many requests come before the next of the sample. */
    private long untilNext;

    /** So many have come when that one has. */
    private long seenAtNext = 1;

    /** What the largest of so many random numbers is by now, each of which would be a request of the sample. */
    private double largest = 1;

    /**
     * Keeps nothing yet.
     *
     * @param most so many of each at most, from 1 to {@link KeptRequests#MOST}
     * @param seed chooses the sample
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

    /** Tells when the run started, on the clock of the exchanges. */
    public void startsAt(long at) {
        runStartAt = at;
    }

    /**
     * Looks at a request that is over.
     *
     * @param endedAt when it ended, or timed out, or the run ended
     * @param isAnswered whether the response came in time
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
        if (slow < most) {
            slowest.put(slow, exchange, endedAt, isAnswered, runStartAt);
            rise(slow, responseNanos, slow);
            slow++;
        } else {
            int row = heapRow[0];
            slowest.put(row, exchange, endedAt, isAnswered, runStartAt);
            sink(responseNanos, row);
        }
        if (slow == most) {
            leastNanos = heapNanos[0];
        }
    }

    private void rise(int from, long nanos, int row) {
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

    private void sink(long nanos, int row) {
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
        untilNext = sampled < most ? 0 : skipped();
        seenAtNext += untilNext + 1;
    }

    private long skipped() {
        largest *= Math.exp(Math.log(1 - random.nextDouble()) / most);
        return (long)
                Math.min((double) (Long.MAX_VALUE >> 2), Math.log(1 - random.nextDouble()) / Math.log1p(-largest));
    }

    /** How many requests were looked at. */
    public long seen() {
        return seenAtNext - 1 - untilNext;
    }

    /** What is kept by now. */
    public KeptRequests kept() {
        return KeptRequests.of(slowest.read(slow), controls.read(sampled));
    }

    /** Requests as numbers, in blocks that are made when the first of their rows is written. */
    private static final class Rows {
        private static final int BLOCK_BITS = 8;
        private static final int WIDTH = 9;

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
            long idleNanos = exchange.idleNanos;
            long startedAt = Math.min(exchange.startedAt + idleNanos, endedAt);
            block[at] = exchange.index;
            block[at + 1] = ((long) exchange.position << 32) | exchange.name;
            block[at + 2] = exchange.intendedAt + idleNanos - runStartAt;
            block[at + 3] = Math.min(exchange.dispatchedAt + idleNanos, startedAt) - runStartAt;
            block[at + 4] = startedAt - runStartAt;
            block[at + 5] = Math.min(Math.max(exchange.firstByteAt, startedAt), endedAt) - runStartAt;
            block[at + 6] = endedAt - runStartAt;
            block[at + 7] = exchange.lookupNanos + exchange.connectNanos + exchange.handshakeNanos;
            block[at + 8] = isAnswered ? 1 : 0;
        }

        List<KeptRequest> read(int count) {
            List<KeptRequest> all = new ArrayList<>(count);
            for (int row = 0; row < count; row++) {
                int at = (row & ((1 << BLOCK_BITS) - 1)) * WIDTH;
                long[] one = Arrays.copyOfRange(blocks[row >> BLOCK_BITS], at, at + WIDTH);
                all.add(new KeptRequest(
                        one[0],
                        (int) one[1],
                        one[2],
                        one[3],
                        one[4],
                        one[5],
                        one[6],
                        one[7],
                        (int) (one[1] >>> 32),
                        one[8] == 1));
            }
            return all;
        }
    }
}
