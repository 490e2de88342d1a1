package dev.downbeat.watch.sample;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Events as they come, on the clock of whoever tells them; beyond a limit the longest are kept. Thread-safe. */
public final class EventLog {
    /** Most events that are kept: more than anybody looks at, and a few megabytes. */
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

    /** In no order. */
    public synchronized List<Event> events() {
        if (events.size() > most) {
            shrink();
        }
        return List.copyOf(events);
    }

    /** That not all were kept, if so. */
    public synchronized Optional<String> note() {
        return seen <= most
                ? Optional.empty()
                : Optional.of("only the longest " + most + " of " + seen + " events are kept");
    }
}
