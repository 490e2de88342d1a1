package dev.downbeat.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets of drivers that take a factory by its class's name: they tell the thread that connects how long it took. Not promised;
 * public, since drivers make it.
 */
public final class TimedSockets extends SocketFactory {
    private static final ThreadLocal<Attempt> ATTEMPT = ThreadLocal.withInitial(Attempt::new);

    /** What a thread's latest attempt at a connection came to. */
    static final class Attempt {
        private volatile @Nullable Socket socket;
        private volatile long lookupNanos;
        private volatile long connectNanos;

        /** How long its driver looked for the host's address: from when it had a socket to when it connected that. */
        long lookupNanos() {
            return lookupNanos;
        }

        /** How long it waited for connects; 0 if its driver has sockets of its own. */
        long connectNanos() {
            return connectNanos;
        }

        /** The port of its socket on this side; 0 if its driver has sockets of its own. */
        int localPort() {
            Socket open = socket;
            return open == null ? 0 : Math.max(0, open.getLocalPort());
        }

        /** Ends an attempt that takes too long. Called by any thread. */
        void giveUp() {
            Socket open = socket;
            if (open != null) {
                try {
                    open.close();
                } catch (IOException closed) {
                    // the driver hears of it
                }
            }
        }
    }

    /** For drivers. */
    public TimedSockets() {}

    /** Begins with another connection of this thread. */
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
