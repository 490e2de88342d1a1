package dev.downbeat.why;

import dev.downbeat.exchange.Plain;

/**
 * Something that happened in a service, or to it, on the time axis of the run.
 *
 * @param kind what it was
 * @param startNanos when it began, from the start of the run; negative if before
 * @param lengthNanos how long it lasted; at least 0
 * @param detail what else is known of it, in a few words, such as "G1 Full, System.gc()"; may be empty; at most 200 characters
 *     of one line are kept
 */
public record Event(EventKind kind, long startNanos, long lengthNanos, String detail) {
    private static final int LONGEST = 200;

    /** Checks the length, and makes the detail a line. */
    public Event {
        detail = Plain.line(detail.length() > LONGEST ? detail.substring(0, LONGEST) : detail);
        if (lengthNanos < 0) {
            throw new IllegalArgumentException("an event must last at least 0 ns, but lasted " + lengthNanos);
        }
    }

    /** When it was over, from the start of the run. */
    public long endNanos() {
        return startNanos + lengthNanos;
    }
}
