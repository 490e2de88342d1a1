package dev.downbeat.why;

/**
 * Watches a service while it is measured. A watcher never ends a run: what it cannot watch it says in {@link Watched#notes}.
 *
 * <p>Used by one thread: {@link #begin} before the first request, {@link #end} after the last, {@link #close} always.
 */
public interface Watcher extends ServiceWatch {
    /** What is watched, in the words of the user: "jvm:4711". */
    String source();

    /** Begins to watch; returns when it does, or cannot. */
    void begin();

    /**
     * Ends, and tells what was seen.
     *
     * @param startAt when the run started, a reading of {@link System#nanoTime}: events are told from there
     * @param durationNanos how long the run was
     */
    Watched end(long startAt, long durationNanos);
}
