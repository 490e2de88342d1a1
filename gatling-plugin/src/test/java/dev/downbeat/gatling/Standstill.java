package dev.downbeat.gatling;

import java.util.Arrays;
import java.util.List;

/**
 * A standstill of a service, and the law of the waits that follow from it. Instants are readings of
 * {@link System#nanoTime}; nothing here comes from an instrument of Gatling's or ours.
 *
 * <p>Request <i>i</i> is due at <i>d(i)</i>, in this order; the service stalls from <i>F</i> to <i>R</i>.
 *
 * <ul>
 *   <li>The <b>closed form</b> is for a service that takes no time and is through with what had gathered at once: <i>w(i) =
 *       R - d(i)</i> for <i>F &lt;= d(i) &lt; R</i>, else 0.
 *   <li><b>With the drain</b>: what had gathered is served in the order in which it was due, and takes as long as it takes.
 *       If the service, from <i>F</i> on, has answered <i>n</i> requests at <i>A(n)</i>, then the <i>n</i>th that is due from
 *       <i>F</i> on waits for <i>max(0, A(n) - d)</i>: the horizontal distance between the cumulative arrivals and departures
 *       of a queue (Newell, Applications of Queueing Theory, 1971). <i>A</i> is read off the service's own count, in its own
 *       process.
 * </ul>
 *
 * @param frozenAt F
 * @param resumedAt R
 * @param doubtNanos how well both are known together: how long the signals took to be obeyed
 * @param answeredBefore requests that the service had answered at F
 * @param counts of answers after R, in order
 */
record Standstill(long frozenAt, long resumedAt, long doubtNanos, long answeredBefore, List<Count> counts) {
    /**
     * The service's own count.
     *
     * @param seenAt when
     * @param answered requests so far
     */
    record Count(long seenAt, long answered) {}

    /** The closed form for one request. */
    long waitNanos(long dueAt) {
        return dueAt - frozenAt < 0 || dueAt - resumedAt >= 0 ? 0 : resumedAt - dueAt;
    }

    /** The closed form. */
    long[] waits(long[] dueAt) {
        return Arrays.stream(dueAt).map(this::waitNanos).toArray();
    }

    /** The law with the drain. */
    long[] waitsWithDrain(long[] dueAt) {
        long[] inOrder = dueAt.clone();
        Arrays.sort(inOrder);
        long[] waits = new long[inOrder.length];
        long n = 0;
        for (int i = 0; i < inOrder.length; i++) {
            if (inOrder[i] - frozenAt >= 0) {
                n++;
                waits[i] = Math.max(0, answeredAt(n, inOrder[i]) - inOrder[i]);
            }
        }
        return waits;
    }

    /** How long the service took to be through with what had gathered. */
    long drainNanos(long[] dueAt) {
        long gathered = Arrays.stream(dueAt).filter(due -> waitNanos(due) > 0).count();
        return answeredAt(gathered, resumedAt) - resumedAt;
    }

    /** A(n); after the last count, nobody waits any more. */
    private long answeredAt(long n, long otherwise) {
        return counts.stream()
                .filter(count -> count.answered() - answeredBefore >= n)
                .mapToLong(Count::seenAt)
                .findFirst()
                .orElse(otherwise);
    }

    /** The nearest rank: the smallest wait that so many per cent of the requests do not exceed. */
    static long percentile(long[] waits, double percent) {
        long[] inOrder = waits.clone();
        Arrays.sort(inOrder);
        int rank = (int) Math.ceil(percent / 100 * inOrder.length);
        return inOrder[Math.max(0, rank - 1)];
    }
}
