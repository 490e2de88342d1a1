package dev.downbeat.watch.database;

import dev.downbeat.watch.database.DatabaseLook.DatabaseSession;
import dev.downbeat.watch.database.DatabaseLook.DatabaseSession.Role;
import dev.downbeat.watch.database.DatabaseLook.DatabaseSession.State;
import dev.downbeat.watch.database.DatabaseLook.LockWait;
import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.HighSpells;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.ArrayList;
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
    private final ConnectionStorms storms = new ConnectionStorms();
    private Map<String, DatabaseSession> known = Map.of();
    private long looks;
    private long lastAt;

    /** Whether something goes on whose end is to be seen in time. */
    boolean isBusy() {
        return !spells.isEmpty();
    }

    void add(DatabaseLook look) {
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

    private void count(DatabaseLook look) {
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
}
