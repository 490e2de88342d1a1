package dev.downbeat.why;

import dev.downbeat.exchange.SafeText;

/**
 * An event in or around a service, on the run's time axis.
 *
 * @param kind kind of event
 * @param startNanos start, from the start of the run; may be negative
 * @param lengthNanos length; at least 0
 * @param detail further details in a few words, such as "G1 Full, System.gc()"; may be empty; limited to one line of
 *     200 characters
 */
public record Event(EventKind kind, long startNanos, long lengthNanos, String detail) {
    private static final int LONGEST = 200;

    /** Checks the length, and makes the detail a single line. */
    public Event {
        detail = SafeText.line(detail.length() > LONGEST ? detail.substring(0, LONGEST) : detail);
        if (lengthNanos < 0) {
            throw new IllegalArgumentException("an event must last at least 0 ns, but lasted " + lengthNanos);
        }
    }

    public long endNanos() {
        return startNanos + lengthNanos;
    }
}
