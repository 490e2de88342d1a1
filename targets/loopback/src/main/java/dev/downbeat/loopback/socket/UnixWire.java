package dev.downbeat.loopback.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** A connection over a Unix socket. */
record UnixWire(SocketChannel channel) implements AcceptedWire {
    @Override
    public InputStream in() {
        return Channels.newInputStream(channel);
    }

    @Override
    public OutputStream out() {
        return Channels.newOutputStream(channel);
    }

    @Override
    public void finish() throws IOException {
        // Unlike TCP, a Unix socket delivers sent data even if it is closed with unread data.
        channel.shutdownOutput();
    }

    @Override
    public void reset() {
        close();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The client was faster.
        }
    }
}
