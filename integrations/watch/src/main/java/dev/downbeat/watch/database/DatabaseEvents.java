package dev.downbeat.watch.database;

import dev.downbeat.watch.database.DatabaseEvents.Look.DatabaseSession;
import dev.downbeat.watch.database.DatabaseEvents.Look.DatabaseSession.Role;
import dev.downbeat.watch.database.DatabaseEvents.Look.DatabaseSession.State;
import dev.downbeat.watch.database.DatabaseEvents.Look.LockWait;
import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.HighSpells;
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
import java.util.stream.Collectors;

/** What follows from looks at a database, one after the other. Used by one thread. */
final class DatabaseEvents {
    /** Fewer sessions that do, or wait for, the same are nothing that is worth a lane. */
    private static final double CROWD = 4;

    private static final int MOST_NAMES = 20;

    /** What this load calls itself: its own connections are a consequence, not a cause. */
    private static final String OURS = "downbeat";

    /** Something that goes on: since when, and the last moment at which it was seen to. */
    private record Spell(EventKind kind, String detail, long fromAt, long seenAt) {}

    private final EventLog log = new EventLog();
    private final Map<String, Spell> spells = new LinkedHashMap<>();
    private final Map<String, HighSpells> busy = new TreeMap<>();
    private final Map<String, HighSpells> waiting = new TreeMap<>();
    private final Map<String, Map<State, Long>> counts = new TreeMap<>();
    private final Storms storms = new Storms();
    private Map<String, DatabaseSession> known = Map.of();
    private long looks;
    private long lastAt;

    /** Whether something goes on whose end is to be seen in time. */
    boolean isBusy() {
        return !spells.isEmpty();
    }

    void add(Look look) {
        Map<String, DatabaseSession> byId = new HashMap<>();
        look.sessions().forEach(session -> byId.put(session.id(), session));
        Set<String> seen = new HashSet<>();
        for (LockWait wait : look.waits()) {
            lock(wait, byId, seen, look.at());
        }
        for (DatabaseSession session : look.sessions()) {
            if (session.role() == Role.CHECKPOINTER && session.state() == State.ACTIVE) {
                goesOn("checkpoint", EventKind.CHECKPOINT, "", between(look.at()), seen, look.at());
            } else if (session.role() == Role.AUTOVACUUM) {
                goesOn("vacuum " + session.id(), EventKind.AUTOVACUUM, "", session.begunAt(), seen, look.at());
            }
        }
        spells.entrySet().removeIf(one -> {
            boolean isOver = !seen.contains(one.getKey());
            if (isOver) {
                close(one.getKey(), one.getValue(), byId, look.at());
            }
            return isOver;
        });
        if (looks > 0) {
            count(look);
        }
        byId.values()
                .removeIf(session ->
                        session.role() != Role.CLIENT || session.application().equals(OURS));
        storms.add(look.at(), byId, known);
        known = byId;
        lastAt = look.at();
        looks++;
    }

    /** What was not seen the last time began or ended in between. */
    private long between(long at) {
        return looks == 0 ? at : lastAt + (at - lastAt) / 2;
    }

    private void lock(LockWait wait, Map<String, DatabaseSession> byId, Set<String> seen, long at) {
        Optional<DatabaseSession> holder = root(wait, byId);
        String by = holder.map(one ->
                        ", held by " + one.application() + ", " + one.state().words())
                .orElse("");
        goesOn("lock " + wait.id(), EventKind.DATABASE_LOCK, wait.what() + by, wait.sinceAt(), seen, at);
        holder.filter(one -> one.state() == State.IDLE_IN_TRANSACTION)
                .ifPresent(one -> goesOn(
                        "idle " + one.id(),
                        EventKind.IDLE_IN_TRANSACTION,
                        one.application() + ", holds a lock on " + wait.what(),
                        Math.max(one.stateAt(), wait.sinceAt()),
                        seen,
                        at));
    }

    /** Who waits for nobody and is waited for, along the queue. */
    private static Optional<DatabaseSession> root(LockWait wait, Map<String, DatabaseSession> byId) {
        return wait.blockers().stream()
                .map(byId::get)
                .filter(one -> one != null && !isForLock(one))
                .findFirst();
    }

    private static boolean isForLock(DatabaseSession session) {
        return session.waitsFor().startsWith("Lock");
    }

    private void goesOn(String key, EventKind kind, String detail, long fromAt, Set<String> seen, long at) {
        seen.add(key);
        Spell before = spells.get(key);
        spells.put(
                key,
                before == null
                        ? new Spell(kind, detail, fromAt, at)
                        : new Spell(kind, before.detail, Math.min(before.fromAt, fromAt), at));
    }

    private void close(String key, Spell spell, Map<String, DatabaseSession> byId, long at) {
        DatabaseSession session = byId.get(key.substring(key.indexOf(' ') + 1));
        long endAt = spell.seenAt + (at - spell.seenAt) / 2;
        if (session != null && session.stateAt() - spell.seenAt > 0) {
            endAt = Math.min(endAt, session.stateAt()); // it knows when it went on to something else
        }
        log.add(spell.kind, spell.fromAt, endAt - spell.fromAt, spell.detail);
    }

    private void count(Look look) {
        Map<String, Map<State, Long>> now = new HashMap<>();
        Map<String, Integer> waits = new HashMap<>();
        for (DatabaseSession session : look.sessions()) {
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
            if (counts.size() < MOST_NAMES || counts.containsKey(application)) {
                Map<State, Long> sums = counts.computeIfAbsent(application, first -> new EnumMap<>(State.class));
                states.forEach((state, count) -> sums.merge(state, count, Long::sum));
                series(busy, EventKind.BUSY_SESSIONS, application);
            }
        });
        busy.forEach((application, spell) -> spell.add(
                lastAt, look.at(), now.getOrDefault(application, Map.of()).getOrDefault(State.ACTIVE, 0L)));
        waits.keySet().stream().limit(MOST_NAMES).forEach(wait -> series(waiting, EventKind.WAITING_SESSIONS, wait));
        waiting.forEach((wait, spell) -> spell.add(lastAt, look.at(), waits.getOrDefault(wait, 0)));
    }

    private void series(Map<String, HighSpells> all, EventKind kind, String name) {
        if (all.size() < MOST_NAMES) {
            all.computeIfAbsent(name, first -> {
                HighSpells spell = new HighSpells(kind, CROWD, value -> first); // alike, so that they are one suspect
                for (long before = 1; before < looks; before++) { // nobody until now
                    spell.add(before - 1, before, 0);
                }
                return spell;
            });
        }
    }

    /** All of it so far; what still goes on ends with the last look. */
    List<Event> events() {
        List<Event> all = new ArrayList<>(log.events());
        spells.values()
                .forEach(one ->
                        all.add(new Event(one.kind, one.fromAt, Math.max(0, one.seenAt - one.fromAt), one.detail)));
        all.addAll(storms.events());
        busy.values().forEach(each -> all.addAll(each.events()));
        waiting.values().forEach(each -> all.addAll(each.events()));
        return all;
    }

    /** The sessions of each application by state, on average; empty if nobody had one. */
    Optional<String> sessions() {
        return counts.isEmpty()
                ? Optional.empty()
                : Optional.of(counts.entrySet().stream()
                        .map(one -> one.getKey() + " " + states(one.getValue()))
                        .collect(Collectors.joining("; ", "sessions on average: ", "")));
    }

    private String states(Map<State, Long> sums) {
        List<String> words = new ArrayList<>();
        for (State state : State.values()) {
            double mean = (double) sums.getOrDefault(state, 0L) / Math.max(1, looks - 1);
            if (mean >= 0.05) {
                words.add(String.format(Locale.ROOT, "%.1f %s", mean, state.words()));
            }
        }
        return words.isEmpty() ? "hardly any" : String.join(", ", words);
    }

    /**
     * When many sessions were opened at once: from their opening until they have done their first work or are closed. What goes on for
     * most of the time is how a service works, and no storm. Used by one thread.
     */
    private static final class Storms {
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

    /**
     * What a database server said of its sessions at one moment.
     *
     * @param at that moment, a reading of {@link System#nanoTime}
     * @param sessions all but the watcher's own
     * @param waits which of them wait for a lock
     */
    record Look(long at, List<DatabaseSession> sessions, List<LockWait> waits) {
        /**
         * A session that waits for a lock.
         *
         * @param id of the session
         * @param sinceAt since when, on the clock of the look
         * @param what is locked: a table, or what the server calls it
         * @param blockers the sessions that it waits for
         */
        record LockWait(String id, long sinceAt, String what, List<String> blockers) {}

        /**
         * One session of a database server at one moment.
         *
         * @param id as the server names it
         * @param application whose it is, in its own words; else the user
         * @param role what the session does for the server
         * @param state what it is doing
         * @param waitsFor what it waits for, in the server's words; empty if it waits for nothing
         * @param begunAt when it was opened, a reading of {@link System#nanoTime}
         * @param stateAt since when it is in its state, on the same clock
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
