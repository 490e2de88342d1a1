package dev.downbeat.exchange;

/**
 * A client that completes calls on threads of its own: an asynchronous client of some service, or a blocking one behind a
 * pool of threads. A {@link CallLane} makes a lane of it; for a client without state, {@link #start} is all there is to
 * write.
 */
@FunctionalInterface
public interface CallClient extends AutoCloseable {
    /**
     * Starts one call and returns without waiting for its end. Called by one thread at a time, the generator's or one of the
     * client's in {@link Call#turn}; what is done here delays the requests that come next.
     *
     * @param call to be ended once, by any thread, be it from within this method; an exception thrown from here ends it
     *     as a failure
     */
    void start(Call call);

    /** What happened to the client's connections up to now; none, if it does not tell. Called by any thread. */
    default ConnectionCounts connections() {
        return ConnectionCounts.NONE;
    }

    /** What else the client has counted up to now; nothing, if it counts nothing. Called by any thread. */
    default TargetCounts counts() {
        return TargetCounts.NONE;
    }

    /** Frees what the client holds. Calls that are out may still end afterwards; nobody hears of them. Throws nothing. */
    @Override
    default void close() {}
}
