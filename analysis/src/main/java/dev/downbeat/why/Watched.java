package dev.downbeat.why;

import java.util.Comparator;
import java.util.List;

/**
 * What a watcher saw of a service during a run.
 *
 * @param source what was watched, in the words of the user: "jvm:4711"
 * @param events in the order of their beginnings
 * @param fromNanos from when on it would have seen events, from the start of the run
 * @param toNanos until when
 * @param uncertaintyNanos by how much the instants of the events may be wrong either way; 0 on the clock of the run
 * @param notes what the reader has to know, one line each: what could not be watched, and why
 */
public record Watched(
        String source, List<Event> events, long fromNanos, long toNanos, long uncertaintyNanos, List<String> notes) {
    /** Sorts the events and checks the ranges. */
    public Watched {
        if (toNanos < fromNanos || uncertaintyNanos < 0) {
            throw new IllegalArgumentException(
                    "what was watched must have a length and an uncertainty of at least 0, but had "
                            + (toNanos - fromNanos) + " and " + uncertaintyNanos);
        }
        events = events.stream()
                .sorted(Comparator.comparingLong(Event::startNanos))
                .toList();
        notes = List.copyOf(notes);
    }

    /** Nothing was seen, for a reason. */
    public static Watched nothing(String source, String why) {
        return new Watched(source, List.of(), 0, 0, 0, List.of(why));
    }
}
