package dev.downbeat.watch.database;

import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession.Role;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession.State;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.LockWait;
import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.HighValueDetector;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Derives events from consecutive samples of a database's sessions. Used by one thread. */
final class DatabaseEvents {
    /** The minimum number of sessions with the same activity or wait that is an event. */
    private static final double CROWD = 4;

    private static final int MOST_NAMES = 20;
    private static final int MOST_COUNTS = 2_000;

    /** The application name of this load, whose connections are a consequence, not a cause. */
    private static final String DOWNBEAT = "downbeat";

    /** An event in progress: its start, and when it was last seen. */
    private record OngoingEvent(EventKind kind, String detail, long fromAt, long seenAt) {}

    /** The sessions of consecutive samples, by application and state: of one, or in a long run of several. */
    private record SessionCounts(long fromAt, long toAt, long samples, Map<String, Map<State, Long>> sums) {
        SessionCounts plus(SessionCounts later) {
            Map<String, Map<State, Long>> both = new TreeMap<>();
            Stream.of(sums, later.sums)
                    .forEach(each -> each.forEach((application, states) -> {
                        Map<State, Long> byState =
                                both.computeIfAbsent(application, first -> new EnumMap<>(State.class));
                        states.forEach((state, count) -> byState.merge(state, count, Long::sum));
                    }));
            return new SessionCounts(fromAt, later.toAt, samples + later.samples, both);
        }
    }

    private final EventLog log = new EventLog();
    private final Map<String, OngoingEvent> ongoing = new LinkedHashMap<>();
    private final Map<String, HighValueDetector> busy = new TreeMap<>();
    private final Map<String, HighValueDetector> waiting = new TreeMap<>();
    private final Set<String> counted = new HashSet<>();
    private final List<SessionCounts> counts = new ArrayList<>();
    private final Storms storms = new Storms();
    private Map<String, DatabaseSession> known = Map.of();
    private long samples;
    private long lastAt;

    boolean isBusy() {
        return !ongoing.isEmpty();
    }

    void add(SessionSample sample) {
        Map<String, DatabaseSession> byId = new HashMap<>();
        sample.sessions().forEach(session -> byId.put(session.id(), session));
        Set<String> seen = new HashSet<>();
        for (LockWait wait : sample.waits()) {
            lock(wait, byId, seen, sample.at());
        }
        for (DatabaseSession session : sample.sessions()) {
            if (session.role() == Role.CHECKPOINTER && session.state() == State.ACTIVE) {
                observe("checkpoint", EventKind.CHECKPOINT, "", midpoint(sample.at()), seen, sample.at());
            } else if (session.role() == Role.AUTOVACUUM) {
                observe("vacuum " + session.id(), EventKind.AUTOVACUUM, "", session.begunAt(), seen, sample.at());
            }
        }
        ongoing.entrySet().removeIf(one -> {
            boolean isOver = !seen.contains(one.getKey());
            if (isOver) {
                close(one.getKey(), one.getValue(), byId, sample.at());
            }
            return isOver;
        });
        if (samples > 0) {
            count(sample);
        }
        byId.values()
                .removeIf(session ->
                        session.role() != Role.CLIENT || session.application().equals(DOWNBEAT));
        storms.add(sample.at(), byId, known);
        known = byId;
        lastAt = sample.at();
        samples++;
    }

    /** A change since the last sample happened in between. */
    private long midpoint(long at) {
        return samples == 0 ? at : lastAt + (at - lastAt) / 2;
    }

    private void lock(LockWait wait, Map<String, DatabaseSession> byId, Set<String> seen, long at) {
        Optional<DatabaseSession> holder = holder(wait, byId);
        String by = holder.map(one ->
                        ", held by " + one.application() + ", " + one.state().words())
                .orElse("");
        observe("lock " + wait.id(), EventKind.DATABASE_LOCK, wait.what() + by, wait.sinceAt(), seen, at);
        holder.filter(one -> one.state() == State.IDLE_IN_TRANSACTION)
                .ifPresent(one -> observe(
                        "idle " + one.id(),
                        EventKind.IDLE_IN_TRANSACTION,
                        one.application() + ", holds a lock on " + wait.what(),
                        Math.max(one.stateAt(), wait.sinceAt()),
                        seen,
                        at));
    }

    /** The session at the head of the queue, which does not wait for a lock itself. */
    private static Optional<DatabaseSession> holder(LockWait wait, Map<String, DatabaseSession> byId) {
        return wait.blockers().stream()
                .map(byId::get)
                .filter(one -> one != null && !isForLock(one))
                .findFirst();
    }

    private static boolean isForLock(DatabaseSession session) {
        return session.waitsFor().startsWith("Lock");
    }

    private void observe(String key, EventKind kind, String detail, long fromAt, Set<String> seen, long at) {
        seen.add(key);
        OngoingEvent before = ongoing.get(key);
        ongoing.put(
                key,
                before == null
                        ? new OngoingEvent(kind, detail, fromAt, at)
                        : new OngoingEvent(kind, before.detail, Math.min(before.fromAt, fromAt), at));
    }

    private void close(String key, OngoingEvent event, Map<String, DatabaseSession> byId, long at) {
        DatabaseSession session = byId.get(key.substring(key.indexOf(' ') + 1));
        long endAt = event.seenAt + (at - event.seenAt) / 2;
        if (session != null && session.stateAt() - event.seenAt > 0) {
            endAt = Math.min(endAt, session.stateAt()); // the session's next state began then
        }
        log.add(event.kind, event.fromAt, endAt - event.fromAt, event.detail);
    }

    private void count(SessionSample sample) {
        Map<String, Map<State, Long>> now = new HashMap<>();
        Map<String, Integer> waits = new HashMap<>();
        for (DatabaseSession session : sample.sessions()) {
            if (session.role() != Role.CLIENT) {
                continue;
            }
            now.computeIfAbsent(session.application(), first -> new EnumMap<>(State.class))
                    .merge(session.state(), 1L, Long::sum);
            if (session.state() == State.ACTIVE && !session.waitsFor().isEmpty() && !isForLock(session)) {
                waits.merge(session.waitsFor(), 1, Integer::sum);
            }
        }
        now.forEach((application, states) -> {
            if (counted.size() < MOST_NAMES || counted.contains(application)) {
                counted.add(application);
                series(busy, EventKind.BUSY_SESSIONS, application);
            }
        });
        now.keySet().retainAll(counted);
        counts.add(new SessionCounts(sample.at(), sample.at(), 1, now));
        if (counts.size() > MOST_COUNTS) {
            for (int i = 0; i + 1 < counts.size(); i++) {
                counts.set(i, counts.get(i).plus(counts.remove(i + 1)));
            }
        }
        busy.forEach((application, detector) -> detector.add(
                lastAt, sample.at(), now.getOrDefault(application, Map.of()).getOrDefault(State.ACTIVE, 0L)));
        waits.keySet().stream().limit(MOST_NAMES).forEach(wait -> series(waiting, EventKind.WAITING_SESSIONS, wait));
        waiting.forEach((wait, detector) -> detector.add(lastAt, sample.at(), waits.getOrDefault(wait, 0)));
    }

    private void series(Map<String, HighValueDetector> all, EventKind kind, String name) {
        if (all.size() < MOST_NAMES) {
            all.computeIfAbsent(name, first -> {
                HighValueDetector detector = new HighValueDetector(
                        kind, CROWD, value -> first); // the same detail, so that they are judged together
                for (long before = 1; before < samples; before++) { // none until now
                    detector.add(before - 1, before, 0);
                }
                return detector;
            });
        }
    }

    /** All events so far; those in progress end with the last sample. */
    List<Event> events() {
        List<Event> all = new ArrayList<>(log.events());
        ongoing.values()
                .forEach(one ->
                        all.add(new Event(one.kind, one.fromAt, Math.max(0, one.seenAt - one.fromAt), one.detail)));
        all.addAll(storms.events());
        busy.values().forEach(each -> all.addAll(each.events()));
        waiting.values().forEach(each -> all.addAll(each.events()));
        return all;
    }

    List<String> notes() {
        return Stream.of(log.note().stream(), notes(busy), notes(waiting))
                .flatMap(Function.identity())
                .distinct()
                .toList();
    }

    private static Stream<String> notes(Map<String, HighValueDetector> all) {
        return all.values().stream().flatMap(each -> each.note().stream());
    }

    /** The average number of sessions of each application by state between two instants; empty if there were none. */
    Optional<String> sessions(long fromAt, long toAt) {
        SessionCounts all = counts.stream()
                .filter(one -> one.fromAt - fromAt >= 0 && one.toAt - toAt <= 0)
                .reduce(new SessionCounts(fromAt, toAt, 0, Map.of()), SessionCounts::plus);
        return all.sums.isEmpty()
                ? Optional.empty()
                : Optional.of(all.sums.entrySet().stream()
                        .map(one -> one.getKey() + " " + states(one.getValue(), all.samples))
                        .collect(Collectors.joining("; ", "sessions on average: ", "")));
    }

    private static String states(Map<State, Long> sums, long samples) {
        List<String> words = new ArrayList<>();
        for (State state : State.values()) {
            double mean = (double) sums.getOrDefault(state, 0L) / samples;
            if (mean >= 0.05) {
                words.add(String.format(Locale.ROOT, "%.1f %s", mean, state.words()));
            }
        }
        return words.isEmpty() ? "hardly any" : String.join(", ", words);
    }

    /**
     * Detects when many sessions were opened at once. A storm lasts until they have finished their first work or are
     * closed. What happens most of the time is normal operation and not a storm. Used by one thread.
     */
    private static final class Storms {
        private static final double PER_SECOND = 50;

        /** In a shorter window the number of new sessions is chance. */
        private static final long WINDOW_NANOS = 200_000_000;

        /** The maximum pause between opening and first work. */
        private static final long QUIET_NANOS = 1_000_000_000;

        /** A storm ends once fewer of its sessions are active. */
        private static final int LEAST_ACTIVE = 4;

        private final List<Event> events = new ArrayList<>();
        private final Map<String, String> opened = new HashMap<>();
        private final Map<String, String> fresh = new HashMap<>();
        private boolean isOn;
        private long fromAt;
        private long beganAt;
        private long windowAt;
        /** In this window: the start of the first new session, and when a sign of a storm was last seen. */
        private long firstAt;

        private long seenAt;
        private long lastAt;
        private long gone;
        private boolean isFirst = true;

        /** Adds a sample of the clients' sessions by id, and the previous one. */
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

        /** The storms so far; none if they cover most of the time. */
        List<Event> events() {
            List<Event> all = new ArrayList<>(events);
            if (isOn) {
                all.add(event());
            }
            long nanos = all.stream().mapToLong(Event::lengthNanos).sum();
            return nanos > (windowAt - beganAt) / 2 ? List.of() : all;
        }
    }

    /**
     * A sample of a database server's sessions.
     *
     * @param at its time, a reading of {@link System#nanoTime}
     * @param sessions all except the watcher's own
     */
    record SessionSample(long at, List<DatabaseSession> sessions, List<LockWait> waits) {
        /**
         * A session that waits for a lock.
         *
         * @param sinceAt start of the wait, on the same clock
         * @param what the locked table, or the server's name for what is locked
         * @param blockers ids of the sessions that block it
         */
        record LockWait(String id, long sinceAt, String what, List<String> blockers) {}

        /**
         * A session in a sample.
         *
         * @param application the application's name for itself, or the user
         * @param waitsFor the server's name for what it waits for; empty if it does not wait
         * @param begunAt when it was opened, a reading of {@link System#nanoTime}
         * @param stateAt start of its state, on the same clock
         */
        record DatabaseSession(
                String id, String application, Role role, State state, String waitsFor, long begunAt, long stateAt) {
            enum Role {
                CLIENT,
                CHECKPOINTER,
                AUTOVACUUM
            }

            enum State {
                ACTIVE("active"),
                IDLE("idle"),
                IDLE_IN_TRANSACTION("idle in transaction");

                private final String words;

                State(String words) {
                    this.words = words;
                }

                String words() {
                    return words;
                }

                static State of(String text) {
                    return switch (text) {
                        case "idle" -> IDLE;
                        case "idle in transaction", "idle in transaction (aborted)" -> IDLE_IN_TRANSACTION;
                        default -> ACTIVE;
                    };
                }
            }
        }
    }
}
