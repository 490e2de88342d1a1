package dev.downbeat.json;

import java.io.IOException;

/** A memory limit for parsed trees: a bracket is one byte in a file but about a hundred in memory. Not thread-safe. */
public final class JsonRoom {
    static final int OF_OBJECT = 120;
    static final int OF_VALUE = 56;

    private long bytes;

    public JsonRoom() {
        this(Runtime.getRuntime().maxMemory() / 4);
    }

    JsonRoom(long bytes) {
        this.bytes = bytes;
    }

    /**
     * Reserves part of the limit.
     *
     * @throws IOException if the limit is exhausted
     */
    public void take(long more) throws IOException {
        bytes -= more;
        if (bytes < 0) {
            throw new IOException("it needs more memory than there is");
        }
    }

    long left() {
        return bytes;
    }

    /** Releases everything reserved since this much was left. */
    void free(long left) {
        bytes = left;
    }
}
