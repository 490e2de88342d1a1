package dev.downbeat.load;

/**
 * The turn of one request: which it is. Its time is kept outside, so there is nothing to start or to stop. Immutable,
 * thread-safe.
 */
public final class Beat {
    private final long index;
    private final int client;

    private Beat(long index, int client) {
        this.index = index;
        this.client = client;
    }

    /**
     * A beat to call measured code with oneself.
     *
     * @param index which request, at least 0
     * @param client which client of a closed load, at least 0
     * @throws IllegalArgumentException if an argument is negative
     */
    public static Beat of(long index, int client) {
        if (index < 0 || client < 0) {
            throw new IllegalArgumentException(
                    "index and client must be at least 0, but were " + index + " and " + client);
        }
        return new Beat(index, client);
    }

    /** Of the request within the run, from 0; the same requests have the same indices in every run of a load. */
    public long index() {
        return index;
    }

    /** Which of the clients of a closed load issues it, from 0; 0 if the load is open. */
    public int client() {
        return client;
    }

    @Override
    public String toString() {
        return "beat " + index + " of client " + client;
    }
}
