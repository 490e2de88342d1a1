package dev.downbeat.why;

/**
 * Watches a service during one run: created by {@code Watchers} of downbeat-watch for {@code Load.watch}. Its methods
 * are internal, so only Downbeat's own modules implement it.
 */
public interface ServiceWatch extends AutoCloseable {
    /** Releases its resources, even if it never began. */
    @Override
    void close();
}
