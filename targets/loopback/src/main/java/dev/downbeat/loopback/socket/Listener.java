package dev.downbeat.loopback.socket;

import dev.downbeat.loopback.socket.Listener.AcceptedWire;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
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

    /** Listens on a port of 127.0.0.1. */
    final class TcpListener implements Listener {
        private final ServerSocket socket;
        private final @Nullable SSLSocketFactory tls;

        public TcpListener(int port, int acceptQueue, @Nullable SSLSocketFactory tls) throws IOException {
            this.tls = tls;
            socket = new ServerSocket();
            try {
                // Allows a port with lingering old connections.
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(address(), port), acceptQueue);
            } catch (IOException e) {
                socket.close();
                throw new IOException("cannot listen on 127.0.0.1 port " + port + ": " + e.getMessage(), e);
            }
        }

        public static InetAddress address() throws IOException {
            return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
        }

        @Override
        public AcceptedWire accept() throws IOException {
            Socket accepted = socket.accept();
            try {
                return new TcpWire(accepted, tls);
            } catch (IOException e) {
                accepted.close();
                throw e;
            }
        }

        @Override
        public int port() {
            return socket.getLocalPort();
        }

        @Override
        public String uri() {
            return (tls == null ? "http" : "https") + "://127.0.0.1:" + port() + "/";
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** A TCP connection, plain or TLS. The handshake happens at the first read, in the connection's thread. */
        private static final class TcpWire implements AcceptedWire {
            private static final int FINISH_MILLIS = 200;

            private final Socket tcp;
            private final Socket spoken;

            TcpWire(Socket tcp, @Nullable SSLSocketFactory tls) throws IOException {
                this.tcp = tcp;
                tcp.setTcpNoDelay(true);
                if (tls == null) {
                    spoken = tcp;
                } else {
                    // Layered over the plain socket, which can be reset without a TLS close notice.
                    SSLSocket secure = (SSLSocket)
                            tls.createSocket(tcp, tcp.getInetAddress().getHostAddress(), tcp.getPort(), true);
                    secure.setUseClientMode(false);
                    SSLParameters parameters = secure.getSSLParameters();
                    parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
                    secure.setSSLParameters(parameters);
                    spoken = secure;
                }
            }

            @Override
            public InputStream in() throws IOException {
                return spoken.getInputStream();
            }

            @Override
            public OutputStream out() throws IOException {
                return spoken.getOutputStream();
            }

            @Override
            public void finish() throws IOException {
                spoken.shutdownOutput();
                if (spoken != tcp) {
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

            @Override
            public void reset() throws IOException {
                tcp.setSoLinger(true, 0);
                tcp.close();
            }

            @Override
            public void close() {
                try {
                    spoken.close();
                } catch (IOException e) {
                    // The client was faster.
                }
                try {
                    tcp.close();
                } catch (IOException e) {
                    // As above.
                }
            }
        }
    }

    /** Listens on a Unix socket, whose file it deletes on close. */
    final class UnixListener implements Listener {
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
            public void finish() {
                // Unlike TCP, a Unix socket delivers sent data even if it is closed with unread data.
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
}
