package dev.downbeat.exchange;

/**
 * One generator's own way to the target: its connections and whatever waits for them.
 *
 * <p>Not thread-safe: opened by any thread, then used by one generator thread only.
 */
public interface Lane extends AutoCloseable {
    /** How many exchanges may be in flight on this lane at the same time; at least 1, fixed. */
    int capacity();

    /**
     * Sends a request. Never waits and never throws: whatever goes wrong becomes the outcome of the exchange, told to
     * the listener from within this call or from a later {@link #poll}. The generator keeps at most {@link #capacity}
     * exchanges outstanding.
     */
    void send(Exchange exchange);

    /**
     * Gives up an exchange that is in flight: its slot is free at once, the listener will not be told about it, and an
     * answer that still arrives is dropped.
     */
    void abandon(Exchange exchange);

    /**
     * Gives up an exchange as {@link #abandon} does, unless its end has come by now: then the listener hears of that at the
     * next {@link #poll}.
     *
     * @return whether it was given up
     */
    default boolean abandonUnlessEnded(Exchange exchange) {
        abandon(exchange);
        return true;
    }

    /** The run is over: the listener is told of the ends that have come by now, from within this call, and of no other. */
    default void end() {}

    /**
     * Handles what has arrived. Returns as soon as something was handled or the clock has reached {@code untilAt};
     * at once, if that has passed.
     */
    void poll(long untilAt);

    /**
     * For how long, in all, {@link #poll} has waited with every slot in use and nothing to handle, in nanoseconds; -1 if
     * this lane does not tell. What is left of such a time is our own work, for which answers had to wait.
     */
    default long idleWhenFullNanos() {
        return -1;
    }

    /** What happened to this lane's connections up to now. */
    ConnectionCounts connections();

    /** What only this kind of target counts, up to now; read at the end of the run. Nothing, unless told. */
    default TargetCounts counts() {
        return TargetCounts.NONE;
    }

    /** Closes all connections; throws nothing. */
    @Override
    void close();
}
