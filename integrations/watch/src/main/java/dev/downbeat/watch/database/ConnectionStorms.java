package dev.downbeat.watch.database;

import dev.downbeat.watch.database.DatabaseLook.DatabaseSession;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * When many sessions were opened at once: from their opening until they have done their first work or are closed. What goes on for
 * most of the time is how a service works, and no storm. Used by one thread.
 */
final class ConnectionStorms {
    private static final double PER_SECOND = 50;

    /** Of a few milliseconds, the number of new ones is chance. */
    private static final long WINDOW_NANOS = 200_000_000;

    /** They may take a breath between their opening and their work. */
    private static final long QUIET_NANOS = 1_000_000_000;

    /** Fewer that still work are no storm any more. */
    private static final int LEAST_ACTIVE = 4;

    private final List<Event> events = new ArrayList<>();
    private final Map<String, String> opened = new HashMap<>();
    private final Map<String, String> fresh = new HashMap<>();
    private boolean isOn;
    private long fromAt;
    private long beganAt;
    private long windowAt;
    /** Of this window: when the first new session began, and when something of a storm was last seen. */
    private long firstAt;

    private long seenAt;
    private long lastAt;
    private long gone;
    private boolean isFirst = true;

    /**
     * Adds a look.
     *
     * @param now those sessions that may make a storm, by their id
     * @param before those of the look before
     */
    void add(long at, Map<String, DatabaseSession> now, Map<String, DatabaseSession> before) {
        if (isFirst) {
            isFirst = false;
            beganAt = at;
            windowAt = at;
            return;
        }
        long changes = gone + fresh.size();
        now.forEach((id, session) -> {
            if (!before.containsKey(id)) {
                firstAt = fresh.isEmpty() ? session.begunAt() : Math.min(firstAt, session.begunAt());
                fresh.put(id, session.application());
            }
        });
        gone += before.keySet().stream().filter(id -> !now.containsKey(id)).count();
        if (gone + fresh.size() > changes || active(now.values()) >= LEAST_ACTIVE) {
            seenAt = at;
        }
        if (at - windowAt >= WINDOW_NANOS) {
            window(at, now.values());
        }
    }

    private void window(long at, Collection<DatabaseSession> now) {
        double least = PER_SECOND * (at - windowAt) / 1e9;
        if (fresh.size() >= least) {
            if (!isOn) {
                isOn = true;
                fromAt = Math.max(windowAt, firstAt);
            }
            opened.putAll(fresh);
        }
        if (fresh.size() + gone >= least || active(now) >= LEAST_ACTIVE) {
            lastAt = seenAt;
        } else if (isOn && at - lastAt >= QUIET_NANOS) {
            events.add(event());
            opened.clear();
            isOn = false;
        }
        fresh.clear();
        gone = 0;
        windowAt = at;
    }

    private long active(Collection<DatabaseSession> now) {
        return now.stream()
                .filter(session -> session.state() == DatabaseSession.State.ACTIVE
                        && (opened.containsKey(session.id()) || fresh.containsKey(session.id())))
                .count();
    }

    private Event event() {
        Map<String, Long> byApplication =
                opened.values().stream().collect(Collectors.groupingBy(one -> one, Collectors.counting()));
        String most = byApplication.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
        return new Event(
                EventKind.CONNECTION_STORM, fromAt, lastAt - fromAt, opened.size() + " sessions, most of " + most);
    }

    /** Those so far; none if they are the rule. */
    List<Event> events() {
        List<Event> all = new ArrayList<>(events);
        if (isOn) {
            all.add(event());
        }
        long nanos = all.stream().mapToLong(Event::lengthNanos).sum();
        return nanos > (windowAt - beganAt) / 2 ? List.of() : all;
    }
}
