package dev.downbeat.arrival;

import java.util.concurrent.TimeUnit;

/** Formats durations in command-line syntax: {@code 1m30s}, {@code 100 ms}. */
final class PeriodText {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private PeriodText() {}

    static String of(long nanos) {
        if (nanos == 0 || nanos % SECOND != 0) {
            return belowSeconds(nanos);
        }
        long seconds = nanos / SECOND;
        StringBuilder text = new StringBuilder();
        append(text, seconds / 3600, "h");
        append(text, seconds / 60 % 60, "m");
        append(text, seconds % 60, "s");
        return text.toString();
    }

    private static String belowSeconds(long nanos) {
        if (nanos % 1_000_000 == 0) {
            return nanos / 1_000_000 + " ms";
        }
        return nanos % 1_000 == 0 ? nanos / 1_000 + " us" : nanos + " ns";
    }

    private static void append(StringBuilder text, long value, String unit) {
        if (value != 0) {
            text.append(value).append(unit);
        }
    }
}
