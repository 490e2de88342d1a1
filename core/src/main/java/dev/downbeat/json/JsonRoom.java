package dev.downbeat.json;

import java.io.IOException;

/** What trees may take of the memory: a bracket is a byte in a file, and a hundred in memory. Not thread-safe. */
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
     * Takes a part of it.
     *
     * @throws IOException if there is no more
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

    /** Gives back what was taken since there was so much left. */
    void free(long left) {
        bytes = left;
    }
}
