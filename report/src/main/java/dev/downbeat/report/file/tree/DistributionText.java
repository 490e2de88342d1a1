package dev.downbeat.report.file.tree;

import dev.downbeat.record.Distribution;
import java.util.Arrays;
import java.util.Base64;

/**
 * A distribution as one word of base64: for each non-empty bucket, the distance from the previous value in nanoseconds
 * and the count, as little-endian base-128 numbers. Lossless, and a tenth of the size of decimal digits.
 */
final class DistributionText {
    private static final int MOST_BITS = 63;

    /** More than the possible number of buckets. */
    private static final int MOST_BUCKETS = 1 << 16;

    /** The size of two numbers of 63 bits. */
    private static final int LONGEST_PAIR = 18;

    private byte[] bytes;
    private int at;

    private DistributionText(byte[] bytes) {
        this.bytes = bytes;
    }

    static String of(Distribution times) {
        DistributionText text = new DistributionText(new byte[256]);
        long[] last = {0};
        times.forEach((nanos, count) -> {
            text.add(nanos - last[0], count);
            last[0] = nanos;
        });
        return Base64.getEncoder().encodeToString(Arrays.copyOf(text.bytes, text.at));
    }

    private void add(long step, long count) {
        if (bytes.length - at < LONGEST_PAIR) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        add(step);
        add(count);
    }

    private void add(long number) {
        long rest = number;
        for (; rest > 0x7F; rest >>>= 7) {
            bytes[at++] = (byte) (rest | 0x80);
        }
        bytes[at++] = (byte) rest;
    }

    /** Parses a distribution; throws IllegalArgumentException if the word is invalid. */
    static Distribution read(String word) {
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
