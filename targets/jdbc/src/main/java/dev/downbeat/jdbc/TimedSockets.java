package dev.downbeat.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A socket factory for drivers that accept its class name. It reports to the connecting thread how long its connect
 * took. Internal; public since drivers instantiate it.
 *
 * <p>A JDK socket that has ever had a read timeout makes three system calls for each read instead of one. Where Downbeat
 * itself ends a slow login, the driver's timeouts of connect and login therefore do not reach the socket.
 */
public final class TimedSockets extends SocketFactory {
    private static final ThreadLocal<Attempt> ATTEMPT = ThreadLocal.withInitial(Attempt::new);

    /** A thread's latest attempt to connect. */
    static final class Attempt {
        private volatile @Nullable Timed socket;
        private volatile long lookupNanos;
        private volatile long connectNanos;
        private volatile long limitMillis;
        private volatile boolean isGivenUp;

        /** The duration of the driver's name lookup: from the creation of the socket to its connect. */
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

        /** Calls {@link #giveUp} after this limit, unless the driver has finished. */
        void limited(long millis) {
            limitMillis = millis;
        }

        /** The driver has finished; read timeouts that it sets apply from now on. */
        void ended() {
            limitMillis = 0;
            Timed open = socket;
            if (open != null) {
                open.limitReads();
            }
        }

        /** Ends an overlong attempt. Called by any thread. */
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
                    // the driver notices the closed socket
                }
            }
        }

        /** The limit of a single connect; 0 if the attempt's own limit comes first. */
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
                // the reader notices the closed socket
            }
        }
    }
}
