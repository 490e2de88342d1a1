package dev.downbeat.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A socket factory for drivers that accept its class name. It reports to the connecting thread how long its connect
 * took. Internal; public since drivers instantiate it.
 */
public final class TimedSockets extends SocketFactory {
    private static final ThreadLocal<Attempt> ATTEMPT = ThreadLocal.withInitial(Attempt::new);

    /** A thread's latest attempt to connect. */
    static final class Attempt {
        private volatile @Nullable Socket socket;
        private volatile long lookupNanos;
        private volatile long connectNanos;

        /** The duration of the driver's name look-up: from the creation of the socket to its connect. */
        long lookupNanos() {
            return lookupNanos;
        }

        /** The duration of its connects; 0 if its driver uses other sockets. */
        long connectNanos() {
            return connectNanos;
        }

        /** The local port of its socket; 0 if its driver uses other sockets. */
        int localPort() {
            Socket open = socket;
            return open == null ? 0 : Math.max(0, open.getLocalPort());
        }

        /** Ends an overlong attempt. Called by any thread. */
        void giveUp() {
            Socket open = socket;
            if (open != null) {
                try {
                    open.close();
                } catch (IOException closed) {
                    // the driver notices the closed socket
                }
            }
        }
    }

    /** For drivers. */
    public TimedSockets() {}

    /** Starts another attempt of this thread. */
    static Attempt begin() {
        Attempt attempt = new Attempt();
        ATTEMPT.set(attempt);
        return attempt;
    }

    @Override
    public Socket createSocket() {
        return new Timed();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return new Socket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return new Socket(host, port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return new Socket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return new Socket(host, port, localHost, localPort);
    }

    private static final class Timed extends Socket {
        private final long madeAt = System.nanoTime();

        @Override
        public void connect(SocketAddress address, int timeoutMillis) throws IOException {
            Attempt attempt = ATTEMPT.get();
            attempt.socket = this;
            long beginAt = System.nanoTime();
            attempt.lookupNanos += beginAt - madeAt;
            try {
                super.connect(address, timeoutMillis);
            } finally {
                attempt.connectNanos += System.nanoTime() - beginAt;
            }
        }
    }
}
