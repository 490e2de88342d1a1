package dev.downbeat.stats.session;

import dev.downbeat.record.Distribution;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

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
    private final BitSet unseen = new BitSet();
    private int size;
    private Distribution whole = Distribution.empty();

    public RecordedTimeline() {}

    /**
     * Adds the requests that ended in a stretch.
     *
     * @param startNanos start of the stretch, from the start of the run
     * @param endNanos end of the stretch
     * @param times response times
     */
    public void add(long startNanos, long endNanos, Distribution times) {
        add(startNanos, endNanos, times, false);
    }

    /**
     * Adds requests whose end was not seen.
     *
     * @param startNanos start of the stretch in which they were last seen, from the start of the run
     * @param endNanos end of the stretch
     * @param ages their ages then
     */
    public void addUnseen(long startNanos, long endNanos, Distribution ages) {
        add(startNanos, endNanos, ages, true);
    }

    private void add(long startNanos, long endNanos, Distribution times, boolean isUnseen) {
        if (size + times.count() > MOST) {
            throw new IllegalArgumentException("there must be at most " + MOST + " requests, but there were more");
        }
        grow((int) (size + times.count()));
        whole = whole.plus(times);
        times.forEach((nanos, alike) -> {
            for (long i = 0; i < alike; i++) {
                long endedAt = startNanos + (long) (random.nextDouble() * (endNanos - startNanos));
                intendedNanos[size] = Math.max(0, endedAt - nanos);
                unseen.set(size, isUnseen);
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

    /** All response times, and ages of requests whose end was not seen. */
    public Distribution whole() {
        return whole;
    }

    /** The requests in order of intended times, if all ended when last seen; at least one must have been added. */
    public SessionReplay replay() {
        return replay(false);
    }

    /** The same if requests whose end was not seen last forever. */
    public SessionReplay replayAtMost() {
        return replay(true);
    }

    private SessionReplay replay(boolean isForever) {
        Integer[] order = new Integer[size];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Long.compare(intendedNanos[a], intendedNanos[b]));
        long[] intended = new long[size];
        long[] response = new long[size];
        for (int i = 0; i < size; i++) {
            intended[i] = intendedNanos[order[i]];
            response[i] = isForever && unseen.get(order[i]) ? Distribution.MAX_NANOS : responseNanos[order[i]];
        }
        return new SessionReplay(intended, response);
    }

    /**
     * The sessions that users would have had, one starting at each moment of a recorded run. A session pauses between its
     * requests. Each request gets the response time of the last recorded request intended by then. The next recorded one
     * would be too fast, since a queue shrinks between arrivals. Unlike {@link Sessions}, a replay accounts for clusters of
     * slow requests. Immutable.
     */
    public static final class SessionReplay {
        private final long[] intendedNanos;
        private final long[] responseNanos;

        /**
         * Creates a replay.
         *
         * @param intendedNanos intended time of each request, ascending
         * @param responseNanos response times; the age for requests whose end was not seen
         */
        public SessionReplay(long[] intendedNanos, long[] responseNanos) {
            if (intendedNanos.length != responseNanos.length || intendedNanos.length == 0) {
                throw new IllegalArgumentException(
                        "there must be as many response times as intended times, and at least 1," + " but there were "
                                + responseNanos.length + " and " + intendedNanos.length);
            }
            this.intendedNanos = intendedNanos.clone();
            this.responseNanos = responseNanos.clone();
        }

        /**
         * The slowest request of each session; one session starts at each recorded request that leaves time for it.
         *
         * @param requests requests per session, at least 1
         * @param pauseNanos from one intended time to the next, at least 0
         * @return empty if a session takes longer than the run
         */
        public Distribution slowest(int requests, long pauseNanos) {
            if (requests < 1 || pauseNanos < 0) {
                throw new IllegalArgumentException("requests must be at least 1 and pauseNanos at least 0, but were "
                        + requests + " and " + pauseNanos);
            }
            Histogram histogram = Distribution.newHistogram();
            int[] latest = new int[requests];
            long lastNanos = intendedNanos[intendedNanos.length - 1];
            long spanNanos = Math.multiplyExact(requests - 1L, pauseNanos);
            for (int first = 0;
                    first < intendedNanos.length && intendedNanos[first] + spanNanos <= lastNanos;
                    first++) {
                long slowest = 0;
                for (int i = 0; i < requests; i++) {
                    long at = intendedNanos[first] + i * pauseNanos;
                    while (latest[i] + 1 < intendedNanos.length && intendedNanos[latest[i] + 1] <= at) {
                        latest[i]++;
                    }
                    slowest = Math.max(slowest, responseNanos[latest[i]]);
                }
                histogram.recordValue(Math.min(slowest, Distribution.MAX_NANOS));
            }
            return Distribution.of(histogram);
        }
    }
}
