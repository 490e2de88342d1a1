package dev.downbeat.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets of drivers that take a factory by its class's name: they tell the thread that connects how long it took. Not promised;
 * public, since drivers make it.
 *
 * <p>A JDK's socket that ever had a limit makes three system calls for each read instead of one, for good. So where somebody
 * else ends a login that takes too long, the driver's limits of connect and login do not reach the socket.
 */
public final class TimedSockets extends SocketFactory {
    private static final ThreadLocal<Attempt> ATTEMPT = ThreadLocal.withInitial(Attempt::new);

    /** What a thread's latest attempt at a connection came to. */
    static final class Attempt {
        private volatile @Nullable Timed socket;
        private volatile long lookupNanos;
        private volatile long connectNanos;
        private volatile long limitMillis;
        private volatile boolean isGivenUp;

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

        /** From now on {@link #giveUp} is called after so long, unless the driver is done. */
        void limited(long millis) {
            limitMillis = millis;
        }

        /** The driver is done: the limit of reads that it has set, if it has, holds from now on. */
        void ended() {
            limitMillis = 0;
            Timed open = socket;
            if (open != null) {
                open.limitReads();
            }
        }

        /** Ends an attempt that takes too long. Called by any thread. */
        void giveUp() {
            isGivenUp = true;
            close();
        }

        private void close() {
            Socket open = socket;
            if (open != null) {
                try {
                    open.close();
                } catch (IOException closed) {
                    // the driver hears of it
                }
            }
        }

        /** How long a connect may take by itself; 0 if the attempt's own limit comes first. */
        int connectMillis(int asked) {
            return limitMillis > 0 && (asked == 0 || asked >= limitMillis) ? 0 : asked;
        }

        private void connects(Timed with) {
            socket = with;
            if (isGivenUp) {
                close();
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
        private final Attempt attempt = ATTEMPT.get();
        private int readMillis;

        @Override
        public void connect(SocketAddress address, int timeoutMillis) throws IOException {
            attempt.connects(this);
            long beginAt = System.nanoTime();
            attempt.lookupNanos += beginAt - madeAt;
            try {
                super.connect(address, attempt.connectMillis(timeoutMillis));
            } finally {
                attempt.connectNanos += System.nanoTime() - beginAt;
            }
        }

        @Override
        public synchronized void setSoTimeout(int millis) throws SocketException {
            readMillis = millis;
            if (attempt.limitMillis == 0) {
                super.setSoTimeout(millis);
            }
        }

        @Override
        public synchronized int getSoTimeout() {
            return readMillis;
        }

        private void limitReads() {
            try {
                if (readMillis > 0) {
                    setSoTimeout(readMillis);
                }
            } catch (SocketException closed) {
                // who reads from it hears of it
            }
        }
    }
}
