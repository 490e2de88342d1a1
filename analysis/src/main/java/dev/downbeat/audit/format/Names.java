package dev.downbeat.audit.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Assigns indices to names in order of appearance without storing them. Names with equal hashes share an index. Not
 * thread-safe.
 */
final class Names {
    /** The index of all names beyond the limit. */
    static final int UNKNOWN = -1;

    private static final int MOST = 100_000;

    private long[] hashes = new long[1024];
    private int[] numbers = new int[1024];
    private int count;

    int of(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length);
    }

    int of(byte[] bytes, int from, int to) {
        long hash = 0xcbf29ce484222325L;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x100000001b3L;
        }
        hash = hash == 0 ? 1 : hash;
        int at = place(hash);
        if (hashes[at] == hash) {
            return numbers[at];
        }
        if (count >= MOST) {
            return UNKNOWN;
        }
        if (2 * count >= hashes.length) {
            grow();
            at = place(hash);
        }
        hashes[at] = hash;
        numbers[at] = count;
        return count++;
    }

    private int place(long hash) {
        int at = (int) (hash ^ hash >>> 32) & (hashes.length - 1);
        while (hashes[at] != 0 && hashes[at] != hash) {
            at = (at + 1) & (hashes.length - 1);
        }
        return at;
    }

    private void grow() {
        long[] old = hashes;
        int[] oldNumbers = numbers;
        hashes = new long[2 * old.length];
        numbers = Arrays.copyOf(new int[0], hashes.length);
        for (int i = 0; i < old.length; i++) {
            if (old[i] != 0) {
                int at = place(old[i]);
                hashes[at] = old[i];
                numbers[at] = oldNumbers[i];
            }
        }
    }
}
