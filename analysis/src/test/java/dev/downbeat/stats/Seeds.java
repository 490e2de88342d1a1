package dev.downbeat.stats;

import java.util.stream.LongStream;

/** Seeds of tests with random data. */
final class Seeds {
    private Seeds() {}

    static LongStream fifty() {
        return LongStream.rangeClosed(1, 50);
    }
}
