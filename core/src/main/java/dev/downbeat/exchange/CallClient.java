package dev.downbeat.exchange;

/**
 * A client that completes calls on its own threads: an asynchronous client, or a blocking one with a thread pool.
 * {@link CallLane} adapts it to a lane. A client without state only needs {@link #start}.
 */
@FunctionalInterface
public interface CallClient extends AutoCloseable {
    /**
     * Starts a call without waiting for its end. Called by one thread at a time: the generator's, or one of the client's in
     * {@link Call#turn}. Any time spent here delays later requests.
     *
     * @param call must be ended once, by any thread, even before this method returns; an exception thrown here ends it
     *     as a failure
     */
    void start(Call call);

    /** Connection counts so far; none if the client does not report them. Called by any thread. */
    default ConnectionCounts connections() {
        return ConnectionCounts.NONE;
    }

    /** Other counts of the client so far; empty by default. Called by any thread. */
    default TargetCounts counts() {
        return TargetCounts.NONE;
    }

    /** Releases the client's resources. Outstanding calls may still end, but nothing is reported. Throws nothing. */
    @Override
    default void close() {}
}
