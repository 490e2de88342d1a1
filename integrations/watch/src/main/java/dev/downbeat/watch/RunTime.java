package dev.downbeat.watch;

import dev.downbeat.why.Event;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When a run was, by the clock of the wall: what files of a service are held against.
 *
 * @param started its first possible intended time
 * @param durationNanos how long it was
 */
public record RunTime(Instant started, long durationNanos) {
    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    long startNanos() {
        return FlightEvents.nanos(started);
    }

    long endNanos() {
        return startNanos() + durationNanos;
    }

    /** Those of events by the clock of the wall that touch the run, from its start. */
    List<Event> ofRun(List<Event> events) {
        List<Event> mine = new ArrayList<>();
        for (Event event : events) {
            if (event.endNanos() >= startNanos() && event.startNanos() <= endNanos()) {
                mine.add(new Event(
                        event.kind(), event.startNanos() - startNanos(), event.lengthNanos(), event.detail()));
            }
        }
        return mine;
    }

    /** That a file is of another time, if it is. */
    Optional<String> missedBy(long fromNanos, long toNanos) {
        return toNanos >= startNanos() && fromNanos <= endNanos()
                ? Optional.empty()
                : Optional.of("it is of " + text(fromNanos) + " to " + text(toNanos) + " UTC, the run was at "
                        + MINUTES.format(started));
    }

    private static String text(long nanos) {
        return MINUTES.format(Instant.ofEpochSecond(nanos / 1_000_000_000L, nanos % 1_000_000_000L));
    }
}
