package dev.downbeat.exchange;

/**
 * One generator's connections to the target, and the requests that wait for them.
 *
 * <p>Not thread-safe: any thread may open it, then only one generator thread uses it.
 */
public interface Lane extends AutoCloseable {
    /** The maximum number of exchanges in flight on this lane; at least 1, fixed. */
    int capacity();

    /**
     * Sends a request. Never blocks or throws: any error becomes the outcome of the exchange. The listener is notified
     * during this call or a later {@link #poll}. The generator keeps at most {@link #capacity} exchanges in flight.
     */
    void send(Exchange exchange);

    /**
     * Abandons an exchange in flight. Its slot is free at once, the listener is not notified, and a late response is
     * dropped.
     */
    void abandon(Exchange exchange);

    /**
     * Abandons an exchange as {@link #abandon} does, unless it has ended. The next {@link #poll} then notifies the
     * listener.
     *
     * @return whether it was abandoned
     */
    default boolean abandonUnlessEnded(Exchange exchange) {
        abandon(exchange);
        return true;
    }

    /** Ends the run. During this call the listener is notified of all ends so far; later ones are dropped. */
    default void end() {}

    /**
     * Handles pending events. Returns once something was handled or the clock has reached {@code untilAt}; at once if
     * that has passed.
     */
    void poll(long untilAt);

    /**
     * Total time, in nanoseconds, that {@link #poll} waited with every slot in use and nothing to handle; -1 if not
     * measured. The rest of the time with every slot in use is Downbeat's work, for which responses had to wait.
     */
    default long idleWhenFullNanos() {
        return -1;
    }

    /** Connection counts so far. */
    ConnectionCounts connections();

    /** Counts specific to this kind of target so far; read at the end of the run. Empty by default. */
    default TargetCounts counts() {
        return TargetCounts.NONE;
    }

    /** Closes all connections. Throws nothing. */
    @Override
    void close();
}
