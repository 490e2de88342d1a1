package dev.downbeat.load;

import dev.downbeat.exchange.Exchange;

/**
 * Identifies one request. Timing is done outside, so there is nothing to start or stop. Immutable, thread-safe.
 */
public final class Beat {
    private final long index;
    private final int client;

    private Beat(long index, int client) {
        this.index = index;
        this.client = client;
    }

    /**
     * Creates a beat, for calling measured code directly.
     *
     * @param index index of the request, at least 0
     * @param client virtual user of a closed loop, at least 0
     * @throws IllegalArgumentException if an argument is negative
     */
    public static Beat of(long index, int client) {
        if (index < 0 || client < 0) {
            throw new IllegalArgumentException(
                    "index and client must be at least 0, but were " + index + " and " + client);
        }
        return new Beat(index, client);
    }

    /**
     * The index of the request, from 0 in a run. It is unique among the runs of a load test, since a service may know the
     * requests of an earlier one: a warm-up, and each later measurement, begin at another multiple of 2^40.
     */
    public long index() {
        return index;
    }

    /** Whether the request belongs to a warm-up, so that it is not measured. */
    public boolean isWarmUp() {
        return Exchange.isOfWarmUp(index);
    }

    /** The virtual user of a closed loop, from 0; 0 for an open load. */
    public int client() {
        return client;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Beat that && index == that.index && client == that.client;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(index) + client;
    }

    @Override
    public String toString() {
        return "beat " + index + " of client " + client;
    }
}
