package dev.downbeat.loopback.socket;

import dev.downbeat.loopback.socket.Listener.AcceptedWire;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Listens on a Unix socket, whose file it deletes on close. */
public final class UnixListener implements Listener {
    private final Path path;
    private final ServerSocketChannel channel;

    public UnixListener(Path path, int acceptQueue) throws IOException {
        this.path = path.toAbsolutePath();
        if (Files.exists(path)) {
            throw new IOException(
                    "cannot listen on Unix socket " + path + ": the file exists, delete it or name another");
        }
        channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(path), acceptQueue);
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot listen on Unix socket " + path + ": " + e.getMessage(), e);
        }
    }

    @Override
    public AcceptedWire accept() throws IOException {
        return new UnixWire(channel.accept());
    }

    @Override
    public int port() {
        return -1;
    }

    @Override
    public String uri() {
        return "unix:" + path + ":/";
    }

    @Override
    public void close() {
        try {
            channel.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection over a Unix socket. */
    private record UnixWire(SocketChannel channel) implements AcceptedWire {
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
}
