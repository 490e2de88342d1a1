package dev.downbeat.loopback.options;

import dev.downbeat.time.DurationText;
import java.util.concurrent.TimeUnit;

/** Checks durations, with the quantity's name in each message. */
public final class Durations {
    /** The maximum duration, so that sums of a few cannot overflow a {@code long}. */
    static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(24);

    private Durations() {}

    static void check(String thing, long nanos, long lowest) {
        if (nanos < lowest || nanos > LONGEST_NANOS) {
            throw new IllegalArgumentException(thing + " must be from " + DurationText.word(lowest)
                    + " to 24h, but was " + (nanos < 0 ? nanos + "ns" : DurationText.word(nanos)));
        }
    }

    public static String quoted(String text) {
        return "\"" + text + "\"";
    }
}
