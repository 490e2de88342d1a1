package dev.downbeat.watch.sample;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A log of events, on its source's clock; beyond a limit the longest are kept. Thread-safe. */
public final class EventLog {
    /** The maximum number of events kept: more than anyone reads, and a few megabytes. */
    public static final int MOST = 50_000;

    private static final Comparator<Event> LONGEST_FIRST =
            Comparator.comparingLong(Event::lengthNanos).reversed();

    private final int most;
    private final List<Event> events = new ArrayList<>();
    private long seen;

    public EventLog() {
        this(MOST);
    }

    EventLog(int most) {
        this.most = most;
    }

    public void add(EventKind kind, long startNanos, long lengthNanos, String detail) {
        add(new Event(kind, startNanos, Math.max(0, lengthNanos), detail));
    }

    public synchronized void add(Event event) {
        seen++;
        events.add(event);
        if (events.size() >= 2 * most) {
            shrink();
        }
    }

    private void shrink() {
        events.sort(LONGEST_FIRST);
        events.subList(most, events.size()).clear();
    }

    /** Unordered. */
    public synchronized List<Event> events() {
        if (events.size() > most) {
            shrink();
        }
        return List.copyOf(events);
    }

    public synchronized Optional<String> note() {
        return seen <= most
                ? Optional.empty()
                : Optional.of("only the longest " + most + " of " + seen + " events are kept");
    }
}
