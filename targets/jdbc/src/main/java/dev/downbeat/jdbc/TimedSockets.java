package dev.downbeat.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/**
 * Sockets of drivers that take a factory by its class's name: they tell the thread that connects how long it took. Not promised;
 * public, since drivers make it.
 */
public final class TimedSockets extends SocketFactory {
    private static final ThreadLocal<Long> CONNECT_NANOS = ThreadLocal.withInitial(() -> 0L);

    /** For drivers. */
    public TimedSockets() {}

    /** Begins with another connection of this thread. */
    static void reset() {
        CONNECT_NANOS.set(0L);
    }

    /** How long this thread has waited for connects since; 0 if its driver has sockets of its own. */
    static long connectNanos() {
        return CONNECT_NANOS.get();
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
        @Override
        public void connect(SocketAddress address, int timeoutMillis) throws IOException {
            long beginAt = System.nanoTime();
            try {
                super.connect(address, timeoutMillis);
            } finally {
                CONNECT_NANOS.set(CONNECT_NANOS.get() + System.nanoTime() - beginAt);
            }
        }
    }
}
