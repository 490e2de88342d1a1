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
}
