package dev.downbeat.loopback;

import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.socket.Listener;
import dev.downbeat.loopback.socket.Listener.AcceptedWire;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
import dev.downbeat.loopback.socket.TcpListener;
import dev.downbeat.loopback.socket.UnixListener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 and HTTP/2 server on 127.0.0.1 with configurable behaviour: one blocking daemon thread per connection, so
 * that a delay is as exact as a thread's wake-up. Thread-safe.
 *
 * <p>A request's query can override the options for that request: {@code
 * /?delay=5ms&status=503&size=100&misbehave=reset}.
 */
public final class LoopbackServer implements AutoCloseable {
    private static final int JOIN_MILLIS = 5_000;
    private static final int STACK_BYTES = 256 * 1024;

    private final SharedService shared;
    private final Listener listener;
    private final int port;
    private final String uri;
    private final Optional<X509Certificate> certificate;
    private final Map<Thread, LoopbackConnection> connections = new ConcurrentHashMap<>();
    private final Thread acceptor;
    private volatile boolean refusing;
    private @Nullable Socket heldPort;

    private LoopbackServer(LoopbackOptions options, Listener listener, Optional<X509Certificate> certificate) {
        this.shared = new SharedService(
                options,
                new ServiceSlots(options.concurrency(), options.stalls()),
                new Fleet(options.instances()),
                new LoopbackStats.Counters());
        this.listener = listener;
        this.port = listener.port();
        this.uri = listener.uri();
        this.certificate = certificate;
        this.acceptor = new Thread(this::accept, "loopback-accept");
        acceptor.setDaemon(true);
    }

    /**
     * Starts a server.
     *
     * @throws IOException if it cannot listen or cannot create a TLS certificate; the message says which, and why
     */
    public static LoopbackServer start(LoopbackOptions options) throws IOException {
        Optional<SelfSignedCertificate> tls =
                options.tls() ? Optional.of(SelfSignedCertificate.of(options.certificateKey())) : Optional.empty();
        Listener listener = options.unixSocket().isPresent()
                ? new UnixListener(options.unixSocket().get(), options.acceptQueue())
                : new TcpListener(
                        options.port(),
                        options.acceptQueue(),
                        tls.map(SelfSignedCertificate::socketFactory).orElse(null));
        LoopbackServer server = new LoopbackServer(options, listener, tls.map(SelfSignedCertificate::certificate));
        server.acceptor.start();
        return server;
    }

    /**
     * A port on 127.0.0.1 with no listener a moment ago. It is below the ephemeral range, so no other socket is likely
     * to get it and no connect to it can connect to itself.
     *
     * @throws IOException if none is found in 1000 tries
     */
    public static int freePort() throws IOException {
        for (int i = 0; i < 1000; i++) {
            int candidate = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(TcpListener.address(), candidate));
                return candidate;
            } catch (BindException e) {
                // Already taken: try another.
            }
        }
        throw new IOException("no free port between 20000 and 31999 on 127.0.0.1");
    }

    /**
     * The TCP port.
     *
     * @throws IllegalStateException if the server listens on a Unix socket
     */
    public int port() {
        if (port < 0) {
            throw new IllegalStateException("a server on a Unix socket has no port: " + uri);
        }
        return port;
    }

    /** The address: {@code http://127.0.0.1:43017/}, {@code https://...} or {@code unix:/path.sock:/}. */
    public String uri() {
        return uri;
    }

    /** The certificate that a client must trust; empty without TLS. */
    public Optional<X509Certificate> certificate() {
        return certificate;
    }

    /** The counts so far, which are read one after another, not at one instant. */
    public LoopbackStats stats() {
        return shared.counters().read();
    }

    /**
     * Stops listening: further connects are refused, while open connections continue. The port stays bound, so nothing
     * else can listen there. Cannot be undone.
     */
    public synchronized void refuse() {
        if (refusing) {
            return;
        }
        refusing = true;
        listener.close();
        join(acceptor);
        if (port >= 0) {
            heldPort = hold(port);
        }
    }

    /** Closes the listener and all connections, and waits for their threads. May be called twice. */
    @Override
    public void close() {
        refuse();
        connections.forEach((thread, connection) -> {
            connection.close();
            thread.interrupt();
        });
        connections.keySet().forEach(LoopbackServer::join);
        synchronized (this) {
            if (heldPort != null) {
                closeQuietly(heldPort);
                heldPort = null;
            }
        }
    }

    /** Connections with running threads. */
    int openConnections() {
        return connections.size();
    }

    private void accept() {
        SplittableRandom seeds = new SplittableRandom(shared.options().seed());
        while (!refusing) {
            try {
                AcceptedWire wire = listener.accept();
                shared.counters().connectionsAccepted.increment();
                serve(new LoopbackConnection(wire, shared, seeds.split()));
            } catch (IOException e) {
                pauseUnlessRefusing();
            }
        }
    }

    private void serve(LoopbackConnection connection) {
        Runnable body = () -> {
            try {
                connection.run();
            } finally {
                connections.remove(Thread.currentThread());
            }
        };
        Thread thread = new Thread(null, body, "loopback-connection", STACK_BYTES);
        thread.setDaemon(true);
        connections.put(thread, connection);
        thread.start();
    }

    /** Probably out of file descriptors: without a pause this thread would spin until one is free. */
    private void pauseUnlessRefusing() {
        if (!refusing) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Binds the port without listening, as far as the system allows. */
    private static @Nullable Socket hold(int port) {
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(TcpListener.address(), port));
            return socket;
        } catch (IOException e) {
            closeQuietly(socket);
            return null;
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It was never connected, so there is nothing to lose.
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
