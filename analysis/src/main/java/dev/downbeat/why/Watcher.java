package dev.downbeat.why;

/**
 * Watches a service during a run. A watcher never ends a run; it reports problems in {@link WatchResult#notes}.
 *
 * <p>Used by one thread: {@link #begin} before the first request, {@link #end} after the last, {@link #close} in any
 * case.
 */
public interface Watcher extends ServiceWatch {
    /** What is watched, as the user named it: "jvm:4711". */
    String source();

    /** Starts watching; returns when it has started or failed to. */
    void begin();

    /**
     * Ends the watch and returns what was seen.
     *
     * @param startAt start of the run, from {@link System#nanoTime}; event times are relative to it
     * @param durationNanos length of the run
     */
    WatchResult end(long startAt, long durationNanos);
}
