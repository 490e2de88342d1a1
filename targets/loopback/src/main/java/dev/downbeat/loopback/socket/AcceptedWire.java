package dev.downbeat.loopback.socket;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The bytes of one accepted connection, whatever carries them. One thread reads and writes; any may close. */
public interface AcceptedWire extends Closeable {
    InputStream in() throws IOException;

    OutputStream out() throws IOException;

    /**
     * Says that nothing more will be sent, then waits a short while for the client to close. Closing with bytes unread
     * would reset the connection, and the client might never see the last response.
     */
    void finish() throws IOException;

    /** Drops the connection so that the client sees a reset, where the transport knows such a thing. */
    void reset() throws IOException;

    @Override
    void close();
}
