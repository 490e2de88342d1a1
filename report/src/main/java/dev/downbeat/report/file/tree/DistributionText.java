package dev.downbeat.report.file.tree;

import dev.downbeat.record.Distribution;
import java.util.Base64;

/**
 * A distribution as one word: a dot, and {@link Distribution#bytes} in base64. Lossless. Schema 1 had no dot, and steps
 * in nanoseconds instead of buckets.
 */
final class DistributionText {
    private static final char OF_BUCKETS = '.';

    private static final int MOST_BITS = 63;

    /** More than the possible number of buckets. */
    private static final int MOST_BUCKETS = 1 << 16;

    private final byte[] bytes;
    private int at;

    private DistributionText(byte[] bytes) {
        this.bytes = bytes;
    }

    static String of(Distribution times) {
        return OF_BUCKETS + Base64.getEncoder().encodeToString(times.bytes());
    }

    /** Parses a distribution; throws IllegalArgumentException if the word is invalid. */
    static Distribution read(String word) {
        return !word.isEmpty() && word.charAt(0) == OF_BUCKETS
                ? Distribution.of(Base64.getDecoder().decode(word.substring(1)))
                : ofNanos(word);
    }

    private static Distribution ofNanos(String word) {
        DistributionText text = new DistributionText(Base64.getDecoder().decode(word));
        int numbers = 0;
        for (byte one : text.bytes) {
            numbers += one >= 0 ? 1 : 0;
        }
        if (numbers > 2 * MOST_BUCKETS) {
            throw new IllegalArgumentException("a distribution has more than " + MOST_BUCKETS + " durations");
        }
        long[] nanos = new long[numbers / 2];
        long[] counts = new long[numbers / 2];
        long all = 0;
        int size = 0;
        long value = 0;
        while (text.at < text.bytes.length) {
            value = Math.addExact(value, text.number());
            long count = text.number();
            all = Math.addExact(all, count);
            if (size == nanos.length) {
                throw new IllegalArgumentException("a distribution is cut off");
            }
            nanos[size] = value;
            counts[size++] = count;
        }
        return Distribution.of(nanos, counts);
    }

    private long number() {
        long number = 0;
        for (int shift = 0; shift < MOST_BITS; shift += 7) {
            if (at == bytes.length) {
                throw new IllegalArgumentException("a distribution is cut off");
            }
            byte next = bytes[at++];
            number |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a distribution has a number that is too long");
    }
}
