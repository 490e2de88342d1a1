package dev.downbeat.loopback.socket;

import java.io.Closeable;
import java.io.IOException;

/** Accepts connections. One thread accepts; any may close. */
public interface Listener extends Closeable {
    /** Waits for the next connection. */
    AcceptedWire accept() throws IOException;

    /** The TCP port; -1 if there is none. */
    int port();

    /** The address for clients. */
    String uri();

    @Override
    void close();
}
