package dev.downbeat.stats.session;

import dev.downbeat.record.Distribution;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The intended time of each request, reconstructed from the response times of each stretch. The end of a request is
 * only known to lie within its stretch, so it is drawn at random from it. An intended time is thus wrong by less than a
 * stretch. The same stretches always give the same timeline. Not thread-safe.
 */
public final class RecordedTimeline {
    /** The most requests in a timeline. */
    public static final int MOST = 5_000_000;

    private static final long SEED = 0x7f3a;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private long[] intendedNanos = new long[1_024];
    private long[] responseNanos = new long[1_024];
    private int size;
    private Distribution whole = Distribution.empty();

    /** Creates an empty timeline. */
    public RecordedTimeline() {}

    /**
     * Adds the requests that ended in a stretch.
     *
     * @param startNanos start of the stretch, from the start of the run
     * @param endNanos end of the stretch
     * @param times response times, or ages of requests whose end was not seen
     */
    public void add(long startNanos, long endNanos, Distribution times) {
        if (size + times.count() > MOST) {
            throw new IllegalArgumentException("there must be at most " + MOST + " requests, but there were more");
        }
        grow((int) (size + times.count()));
        whole = whole.plus(times);
        times.forEach((nanos, alike) -> {
            for (long i = 0; i < alike; i++) {
                long endedAt = startNanos + (long) (random.nextDouble() * (endNanos - startNanos));
                intendedNanos[size] = Math.max(0, endedAt - nanos);
                responseNanos[size++] = nanos;
            }
        });
    }

    private void grow(int needed) {
        if (needed > intendedNanos.length) {
            int length = Math.min(MOST, Math.max(needed, 2 * intendedNanos.length));
            intendedNanos = Arrays.copyOf(intendedNanos, length);
            responseNanos = Arrays.copyOf(responseNanos, length);
        }
    }

    /** All response times. */
    public Distribution whole() {
        return whole;
    }

    /** The requests in order of intended times; at least one must have been added. */
    public SessionReplay replay() {
        Integer[] order = new Integer[size];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Long.compare(intendedNanos[a], intendedNanos[b]));
        long[] intended = new long[size];
        long[] response = new long[size];
        for (int i = 0; i < size; i++) {
            intended[i] = intendedNanos[order[i]];
            response[i] = responseNanos[order[i]];
        }
        return new SessionReplay(intended, response);
    }
}
