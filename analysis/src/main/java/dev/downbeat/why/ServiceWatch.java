package dev.downbeat.why;

/**
 * Watches a service while it is measured: made by {@code Watchers} of downbeat-watch, for {@code Load.watch}. It is for one run.
 * How it watches is not promised, so only Downbeat's own modules make one.
 */
public interface ServiceWatch extends AutoCloseable {
    /** Gives back what it holds, also if it never began. */
    @Override
    void close();
}
