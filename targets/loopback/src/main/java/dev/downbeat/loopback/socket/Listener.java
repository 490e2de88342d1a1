package dev.downbeat.loopback.socket;

import java.io.Closeable;
import java.io.IOException;

/** Where connections come in. One thread accepts; any may close. */
public interface Listener extends Closeable {
    /** Waits for the next connection. */
    AcceptedWire accept() throws IOException;

    /** The TCP port, or -1 if there is none. */
    int port();

    /** Where a client finds the server. */
    String uri();

    @Override
    void close();
}
