package dev.downbeat.watch;

import dev.downbeat.why.Event;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The time of a run on the wall clock, to align a service's files with it.
 *
 * @param started earliest possible intended start
 * @param durationNanos length of the run
 */
public record RunTime(Instant started, long durationNanos) {
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    long startNanos() {
        return FlightEvents.nanos(started);
    }

    long endNanos() {
        return startNanos() + durationNanos;
    }

    /** The events that overlap the run, from wall-clock time to time since its start. */
    List<Event> ofRun(List<Event> events) {
        List<Event> relative = new ArrayList<>();
        for (Event event : events) {
            if (event.endNanos() >= startNanos() && event.startNanos() <= endNanos()) {
                relative.add(new Event(
                        event.kind(), event.startNanos() - startNanos(), event.lengthNanos(), event.detail()));
            }
        }
        return relative;
    }

    /** A note if a file covers a different time. */
    Optional<String> missedBy(long fromNanos, long toNanos) {
        return toNanos >= startNanos() && fromNanos <= endNanos()
                ? Optional.empty()
                : Optional.of("the file covers " + text(fromNanos) + " to " + text(toNanos)
                        + " UTC; the run started at " + TIMESTAMP.format(started) + " UTC");
    }

    private static String text(long nanos) {
        return TIMESTAMP.format(Instant.ofEpochSecond(nanos / 1_000_000_000L, nanos % 1_000_000_000L));
    }
}
