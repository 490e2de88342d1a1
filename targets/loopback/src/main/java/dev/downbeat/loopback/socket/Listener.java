package dev.downbeat.loopback.socket;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

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

    /** The transport of one accepted connection. One thread reads and writes; any may close. */
    interface AcceptedWire extends Closeable {
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
}
