package dev.downbeat.report.data;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * All events of one kind during a run. Immutable.
 *
 * @param events in order of their starts; at least one
 * @param explaining the events that explain slow requests; for a cause of single incidents, those during the incidents
 * @param share share of the time beyond p99 that they cover in excess of chance, from 0 to 1; 0 if they explain nothing
 */
public record EventLane(EventKind kind, List<Event> events, List<Event> explaining, double share) {
    public EventLane {
        events = List.copyOf(events);
        explaining = List.copyOf(explaining);
        if (events.isEmpty()) {
            throw new IllegalArgumentException("a lane must have an event, but had none");
        }
    }

    /** The events that explain nothing. */
    public List<Event> besides() {
        return events.size() == explaining.size()
                ? List.of()
                : events.stream()
                        .filter(Predicate.not(new HashSet<>(explaining)::contains))
                        .toList();
    }

    /** The total time; simultaneous events count repeatedly. */
    public long totalNanos() {
        return events.stream().mapToLong(Event::lengthNanos).sum();
    }

    public Event longest() {
        return events.stream().max(Comparator.comparingLong(Event::lengthNanos)).orElseThrow();
    }

    /** Whether it is a cause of slow requests. */
    public boolean isCause() {
        return share > 0;
    }
}
