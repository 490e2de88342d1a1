package dev.downbeat.record;

import dev.downbeat.exchange.Exchange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The composition of response times by duration: the sum of each {@link Part} in narrow bands of the response time.
 * From it, the share of each part can be computed for any range of percentiles. Immutable; empty bands are not stored.
 */
public final class Attribution {
    /** In the order of the sums in files; new parts are appended. */
    private static final Part[] PARTS = {
        Part.LATENESS,
        Part.BACKLOG_WAIT,
        Part.LOOKUP,
        Part.CONNECT,
        Part.HANDSHAKE,
        Part.FIRST_BYTE,
        Part.READING,
        Part.STREAM_WAIT,
        Part.WINDOW_WAIT
    };

    /** The number of parts before streams were distinguished. */
    private static final int FIRST_PARTS = 7;

    private static final Attribution EMPTY = new Attribution(new int[0], new long[0], new double[0]);

    private final int[] bands;
    private final long[] counts;

    /** Nanoseconds by band, then by part. Doubles, since the sum over a long stall does not fit a long. */
    private final double[] sums;

    private Attribution(int[] bands, long[] counts, double[] sums) {
        this.bands = bands;
        this.counts = counts;
        this.sums = sums;
    }

    public static Attribution empty() {
        return EMPTY;
    }

    /**
     * The requests with response times in one band.
     *
     * @param band index of the band, ascending with the response time; at least 0
     * @param count number of requests; at least 1
     * @param sumsNanos the sum of each {@link Part}; the waits for a stream and for a window come last and may be
     *     absent
     */
    public record Band(int band, long count, List<Double> sumsNanos) {
        public Band {
            sumsNanos = sumsNanos.size() == FIRST_PARTS ? withoutStreams(sumsNanos) : List.copyOf(sumsNanos);
            if (band < 0 || count < 1 || sumsNanos.size() != PARTS.length) {
                throw new IllegalArgumentException("a band must have a place from 0, at least one request and "
                        + PARTS.length + " sums, but had " + band + ", " + count + " and " + sumsNanos.size());
            }
        }

        private static List<Double> withoutStreams(List<Double> sumsNanos) {
            List<Double> all = new ArrayList<>(sumsNanos);
            all.addAll(Collections.nCopies(PARTS.length - FIRST_PARTS, 0.0));
            return List.copyOf(all);
        }
    }

    /** The complete data for storage; {@link #of} restores it. */
    public List<Band> bands() {
        List<Band> all = new ArrayList<>();
        for (int i = 0; i < bands.length; i++) {
            List<Double> sumsNanos = new ArrayList<>();
            for (int part = 0; part < PARTS.length; part++) {
                sumsNanos.add(sums[i * PARTS.length + part]);
            }
            all.add(new Band(bands[i], counts[i], sumsNanos));
        }
        return all;
    }

    /** Restores the sums from bands in ascending order. */
    public static Attribution of(List<Band> ascending) {
        Attribution sum = new Attribution(
                new int[ascending.size()], new long[ascending.size()], new double[ascending.size() * PARTS.length]);
        for (int i = 0; i < ascending.size(); i++) {
            Band band = ascending.get(i);
            if (i > 0 && band.band() <= sum.bands[i - 1]) {
                throw new IllegalArgumentException(
                        "bands must ascend, but " + band.band() + " followed " + sum.bands[i - 1]);
            }
            sum.bands[i] = band.band();
            sum.counts[i] = band.count();
            for (int part = 0; part < PARTS.length; part++) {
                sum.sums[i * PARTS.length + part] = band.sumsNanos().get(part);
            }
        }
        return ascending.isEmpty() ? EMPTY : sum;
    }

    private static int band(long responseNanos) {
        return GapLengths.band(Math.max(0, responseNanos));
    }

    /** An accumulator. Single writer; no allocation per request. */
    public static final class Sums {
        private static final int BANDS = GapLengths.BANDS;

        private final long[] counts = new long[BANDS];
        private final double[] sums = new double[BANDS * PARTS.length];

        public void add(Exchange exchange) {
            int band = band(exchange.responseNanos());
            counts[band]++;
            int place = band * PARTS.length;
            // Each part by its index in PARTS: a loop takes twice as long.
            sums[place] += exchange.latenessNanos();
            sums[place + (exchange.onStream ? 7 : 1)] += exchange.backlogWaitNanos();
            long newConnectionNanos = exchange.lookupNanos + exchange.connectNanos + exchange.handshakeNanos;
            if (newConnectionNanos != 0) {
                sums[place + 2] += exchange.lookupNanos;
                sums[place + 3] += exchange.connectNanos;
                sums[place + 4] += exchange.handshakeNanos;
            }
            long windowNanos = exchange.windowNanos;
            sums[place + 5] +=
                    exchange.firstByteAt - exchange.startedAt - newConnectionNanos - windowNanos - exchange.idleNanos;
            sums[place + 6] += exchange.completedAt - exchange.firstByteAt;
            if (windowNanos != 0) {
                sums[place + 8] += windowNanos;
            }
        }

        public Attribution drain() {
            int size = (int) Arrays.stream(counts).filter(count -> count > 0).count();
            Attribution drained = new Attribution(new int[size], new long[size], new double[size * PARTS.length]);
            int at = 0;
            for (int band = 0; band < BANDS; band++) {
                if (counts[band] > 0) {
                    drained.bands[at] = band;
                    drained.counts[at] = counts[band];
                    int place = band * PARTS.length;
                    System.arraycopy(sums, place, drained.sums, at * PARTS.length, PARTS.length);
                    Arrays.fill(sums, place, place + PARTS.length, 0);
                    counts[band] = 0;
                    at++;
                }
            }
            return size == 0 ? EMPTY : drained;
        }
    }

    /** The number of answered requests in the bands of response times from {@code fromNanos} to {@code toNanos}. */
    public long count(long fromNanos, long toNanos) {
        long count = 0;
        for (int i = 0; i < bands.length; i++) {
            count += bands[i] >= band(fromNanos) && bands[i] <= band(toNanos) ? counts[i] : 0;
        }
        return count;
    }

    /**
     * The mean of each part, in nanoseconds, over requests in the bands of response times from {@code fromNanos} to
     * {@code toNanos}; all 0 if there are none.
     */
    public Map<Part, Long> meansNanos(long fromNanos, long toNanos) {
        long count = count(fromNanos, toNanos);
        Map<Part, Long> means = new EnumMap<>(Part.class);
        for (int part = 0; part < PARTS.length; part++) {
            double sum = 0;
            for (int i = 0; i < bands.length; i++) {
                sum += bands[i] >= band(fromNanos) && bands[i] <= band(toNanos) ? sums[i * PARTS.length + part] : 0;
            }
            means.put(PARTS[part], count == 0 ? 0 : Math.round(sum / count));
        }
        return means;
    }

    /** The requests of several, added in this order. */
    static Attribution sum(List<Attribution> parts) {
        List<Attribution> counted =
                parts.stream().filter(part -> part.bands.length > 0).toList();
        if (counted.size() < 2) {
            return counted.isEmpty() ? EMPTY : counted.get(0);
        }
        int[] union = counted.stream()
                .flatMapToInt(part -> Arrays.stream(part.bands))
                .sorted()
                .distinct()
                .toArray();
        Attribution sum = new Attribution(union, new long[union.length], new double[union.length * PARTS.length]);
        counted.forEach(sum::addAll);
        return sum;
    }

    private void addAll(Attribution other) {
        for (int from = 0, to = 0; from < other.bands.length; from++) {
            while (bands[to] < other.bands[from]) {
                to++;
            }
            counts[to] += other.counts[from];
            for (int part = 0; part < PARTS.length; part++) {
                sums[to * PARTS.length + part] += other.sums[from * PARTS.length + part];
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Attribution that
                && Arrays.equals(bands, that.bands)
                && Arrays.equals(counts, that.counts)
                && Arrays.equals(sums, that.sums);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(bands) + Arrays.hashCode(counts);
    }

    /** Time between consecutive responses, in bands of one sixteenth of an octave. Single writer; allocates once. */
    public static final class GapLengths {
        private static final int BITS = 4;
        private static final int WITHIN = 1 << BITS;

        static final int BANDS = 64 << BITS;

        private final long[] counts = new long[BANDS];
        private long all;

        /** Adds a gap in nanoseconds, at least 0. */
        public void add(long nanos) {
            counts[band(nanos)]++;
            all++;
        }

        /** The band; each is at most 6 % wide. */
        static int band(long nanos) {
            if (nanos < WITHIN) {
                return (int) nanos;
            }
            int octave = 63 - Long.numberOfLeadingZeros(nanos);
            return (octave << BITS) + ((int) (nanos >>> (octave - BITS)) & (WITHIN - 1));
        }

        /** The start of the band that contains the median; 0 if empty. */
        public long medianNanos() {
            long cumulated = 0;
            for (int band = 0; band < counts.length; band++) {
                cumulated += counts[band];
                if (2 * cumulated >= all && cumulated > 0) {
                    int octave = band >> BITS;
                    return octave == 0 ? band : (long) (WITHIN + (band & (WITHIN - 1))) << (octave - BITS);
                }
            }
            return 0;
        }
    }
}
