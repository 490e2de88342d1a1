package dev.downbeat.watch.database;

import java.util.List;

/**
 * What a database server said of its sessions at one moment.
 *
 * @param at that moment, a reading of {@link System#nanoTime}
 * @param sessions all but the watcher's own
 * @param waits which of them wait for a lock
 */
record DatabaseLook(long at, List<DatabaseSession> sessions, List<LockWait> waits) {
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
