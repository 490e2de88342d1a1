package dev.downbeat.loopback;

import java.io.Closeable;
import java.io.IOException;

/** Where connections come in. One thread accepts; any may close. */
interface Listener extends Closeable {
    /** Waits for the next connection. */
    Wire accept() throws IOException;

    /** The TCP port, or -1 if there is none. */
    int port();

    /** Where a client finds the server. */
    String uri();

    @Override
    void close();
}
