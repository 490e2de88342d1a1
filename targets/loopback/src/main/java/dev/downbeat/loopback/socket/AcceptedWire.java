package dev.downbeat.loopback.socket;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The transport of one accepted connection. One thread reads and writes; any may close. */
public interface AcceptedWire extends Closeable {
    InputStream in() throws IOException;

    OutputStream out() throws IOException;

    /**
     * Half-closes the connection, then waits briefly for the client to close. Closing with unread data would reset the
     * connection, and the client might lose the last response.
     */
    void finish() throws IOException;

    /** Drops the connection with a reset, if the transport supports it. */
    void reset() throws IOException;

    @Override
    void close();
}
