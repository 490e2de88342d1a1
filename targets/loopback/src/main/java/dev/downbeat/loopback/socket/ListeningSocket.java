package dev.downbeat.loopback.socket;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections on a port of 127.0.0.1, or on a Unix socket, whose file it deletes on close. One thread accepts; any
 * may close.
 */
public final class ListeningSocket implements Closeable {
    private final ServerSocketChannel channel;
    private final @Nullable Path path;
    private final @Nullable SSLSocketFactory tls;

    private ListeningSocket(ServerSocketChannel channel, @Nullable Path path, @Nullable SSLSocketFactory tls) {
        this.channel = channel;
        this.path = path;
        this.tls = tls;
    }

    /** Listens on a port; on any free one for 0. */
    public static ListeningSocket onPort(int port, int acceptQueue, @Nullable SSLSocketFactory tls) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true); // for a port with lingering old connections
        bind(channel, new InetSocketAddress(address(), port), acceptQueue, "127.0.0.1 port " + port);
        return new ListeningSocket(channel, null, tls);
    }

    /** Listens on a Unix socket, whose file must not exist. */
    public static ListeningSocket onUnixSocket(Path path, int acceptQueue) throws IOException {
        String place = "Unix socket " + path;
        if (Files.exists(path)) {
            throw new IOException("cannot listen on " + place + ": the file exists, delete it or name another");
        }
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        bind(channel, UnixDomainSocketAddress.of(path), acceptQueue, place);
        return new ListeningSocket(channel, path.toAbsolutePath(), null);
    }

    private static void bind(ServerSocketChannel channel, SocketAddress address, int acceptQueue, String place)
            throws IOException {
        try {
            channel.bind(address, acceptQueue);
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot listen on " + place + ": " + e.getMessage(), e);
        }
    }

    public static InetAddress address() throws IOException {
        return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    }

    public AcceptedWire accept() throws IOException {
        SocketChannel accepted = channel.accept();
        try {
            return new AcceptedWire(accepted, path == null ? accepted.socket() : null, tls);
        } catch (IOException e) {
            accepted.close();
            throw e;
        }
    }

    /** The TCP port; -1 if there is none. */
    public int port() {
        return path == null ? channel.socket().getLocalPort() : -1;
    }

    public String uri() {
        return path == null ? (tls == null ? "http" : "https") + "://127.0.0.1:" + port() + "/" : "unix:" + path + ":/";
    }

    @Override
    public void close() {
        try {
            channel.close();
            if (path != null) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The transport of one accepted connection. One thread reads and writes; any may close. A TLS handshake happens at the
     * first read, in the connection's thread.
     */
    public static final class AcceptedWire implements Closeable {
        private static final int FINISH_MILLIS = 200;

        private final SocketChannel channel;
        private final @Nullable Socket tcp;
        private final @Nullable Socket transport;

        private AcceptedWire(SocketChannel channel, @Nullable Socket tcp, @Nullable SSLSocketFactory tls)
                throws IOException {
            this.channel = channel;
            this.tcp = tcp;
            if (tcp != null) {
                tcp.setTcpNoDelay(true);
            }
            if (tcp == null || tls == null) {
                transport = tcp;
            } else {
                // Layered over the plain socket, which can be reset without a TLS close notice.
                SSLSocket secure =
                        (SSLSocket) tls.createSocket(tcp, tcp.getInetAddress().getHostAddress(), tcp.getPort(), true);
                secure.setUseClientMode(false);
                SSLParameters parameters = secure.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
                secure.setSSLParameters(parameters);
                transport = secure;
            }
        }

        public InputStream in() throws IOException {
            return transport == null ? Channels.newInputStream(channel) : transport.getInputStream();
        }

        public OutputStream out() throws IOException {
            return transport == null ? Channels.newOutputStream(channel) : transport.getOutputStream();
        }

        /**
         * Half-closes the connection, then waits briefly for the client to close. Closing with unread data would reset the
         * connection, and the client might lose the last response; a Unix socket delivers it all the same.
         */
        public void finish() throws IOException {
            if (tcp == null || transport == null) {
                return;
            }
            transport.shutdownOutput();
            if (transport != tcp) {
                tcp.shutdownOutput();
            }
            tcp.setSoTimeout(FINISH_MILLIS);
            byte[] rest = new byte[4096];
            InputStream in = tcp.getInputStream();
            long endAt = System.nanoTime() + FINISH_MILLIS * 1_000_000L;
            while (in.read(rest) >= 0 && endAt - System.nanoTime() > 0) {
                // Further data is not needed.
            }
        }

        /** Drops the connection with a reset, if the transport supports it. */
        public void reset() throws IOException {
            if (tcp != null) {
                tcp.setSoLinger(true, 0);
            }
            channel.close();
        }

        @Override
        public void close() {
            try (channel) {
                if (transport != null) {
                    transport.close();
                }
            } catch (IOException e) {
                // The client was faster.
            }
        }
    }
}
