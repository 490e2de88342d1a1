package dev.downbeat.watch.sample;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges concurrent events: two hundred threads that wait for one lock are one event. Its detail is unchanged, because
 * events with the same detail are judged together.
 */
public final class Overlaps {
    private record EventKey(EventKind kind, String detail) {}

    private Overlaps() {}

    /** Merges overlapping events of the same kind and detail; they cover the same time as before. */
    public static List<Event> merged(List<Event> events) {
        Map<EventKey, OpenEvent> open = new LinkedHashMap<>();
        List<Event> merged = new ArrayList<>();
        events.stream().sorted(Comparator.comparingLong(Event::startNanos)).forEach(event -> {
            EventKey key = new EventKey(event.kind(), event.detail());
            OpenEvent before = open.get(key);
            if (before != null && event.startNanos() <= before.endNanos) {
                before.add(event);
                return;
            }
            if (before != null) {
                merged.add(before.event());
            }
            open.put(key, new OpenEvent(event));
        });
        open.values().forEach(last -> merged.add(last.event()));
        return merged;
    }

    /** The events with less than half of their time inside one of the others: a collection is also a safepoint. */
    public static List<Event> notCovered(List<Event> events, List<Event> others) {
        List<Event> sorted = others.stream()
                .sorted(Comparator.comparingLong(Event::startNanos))
                .toList();
        List<Event> left = new ArrayList<>();
        int from = 0;
        for (Event event : events.stream()
                .sorted(Comparator.comparingLong(Event::startNanos))
                .toList()) {
            while (from < sorted.size() && sorted.get(from).endNanos() < event.startNanos()) {
                from++;
            }
            boolean covered = false;
            for (int i = from; i < sorted.size() && sorted.get(i).startNanos() <= event.endNanos(); i++) {
                long common = Math.min(event.endNanos(), sorted.get(i).endNanos())
                        - Math.max(event.startNanos(), sorted.get(i).startNanos());
                covered |= 2 * common >= event.lengthNanos();
            }
            if (!covered) {
                left.add(event);
            }
        }
        return left;
    }

    private static final class OpenEvent {
        private final Event first;
        private long endNanos;

        OpenEvent(Event first) {
            this.first = first;
            this.endNanos = first.endNanos();
        }

        void add(Event event) {
            endNanos = Math.max(endNanos, event.endNanos());
        }

        Event event() {
            return new Event(first.kind(), first.startNanos(), endNanos - first.startNanos(), first.detail());
        }
    }
}
