package dev.downbeat.loopback;

import java.util.stream.LongStream;

/** The seeds of randomised tests. */
final class Seeds {
    private Seeds() {}

    static LongStream fifty() {
        return LongStream.rangeClosed(1, 50);
    }
}
