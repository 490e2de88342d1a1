package dev.downbeat.loopback.front;

import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
import dev.downbeat.loopback.socket.TcpListener;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A front on 127.0.0.1 that forwards HTTP/1.1 requests to a server on the same machine, like a load balancer, and
 * closes connections as configured. One blocking daemon thread per connection. It only detects the ends of messages;
 * responses must have a length or be chunked. Thread-safe.
 */
public final class LoopbackFront implements AutoCloseable {
    private static final int ACCEPT_QUEUE = 1024;
    private static final int STACK_BYTES = 256 * 1024;
    private static final long PAUSE_NANOS = 1_000_000;

    private final FrontOptions options;
    private final TcpListener listener;
    private final Optional<X509Certificate> certificate;
    private final Map<Thread, FrontConnection> connections = new ConcurrentHashMap<>();
    private volatile boolean closing;

    private LoopbackFront(FrontOptions options, TcpListener listener, Optional<X509Certificate> certificate) {
        this.options = options;
        this.listener = listener;
        this.certificate = certificate;
    }

    /**
     * Starts a front on any free port.
     *
     * @throws IOException if it cannot listen or cannot create a TLS certificate; the message says which, and why
     */
    public static LoopbackFront start(FrontOptions options) throws IOException {
        Optional<SelfSignedCertificate> tls =
                options.tls() ? Optional.of(SelfSignedCertificate.of(CertificateKey.RSA)) : Optional.empty();
        TcpListener listener = new TcpListener(
                0, ACCEPT_QUEUE, tls.map(SelfSignedCertificate::socketFactory).orElse(null));
        LoopbackFront front = new LoopbackFront(options, listener, tls.map(SelfSignedCertificate::certificate));
        Thread acceptor = new Thread(front::accept, "loopback-front-accept");
        acceptor.setDaemon(true);
        acceptor.start();
        return front;
    }

    /** The address: {@code http://127.0.0.1:43017/} or {@code https://...}. */
    public String uri() {
        return listener.uri();
    }

    /** The certificate that a client must trust; empty without TLS. */
    public Optional<X509Certificate> certificate() {
        return certificate;
    }

    private void accept() {
        SplittableRandom seeds = new SplittableRandom(options.seed());
        while (!closing) {
            try {
                serve(new FrontConnection(listener.accept(), options, seeds.split()));
            } catch (IOException e) {
                LockSupport.parkNanos(PAUSE_NANOS); // probably out of file descriptors, or closing
            }
        }
    }

    private void serve(FrontConnection connection) {
        Runnable body = () -> {
            try {
                connection.run();
            } finally {
                connections.remove(Thread.currentThread());
            }
        };
        Thread thread = new Thread(null, body, "loopback-front", STACK_BYTES);
        thread.setDaemon(true);
        connections.put(thread, connection);
        thread.start();
    }

    /** Closes the listener and all connections. May be called twice. */
    @Override
    public void close() {
        closing = true;
        listener.close();
        connections.forEach((thread, connection) -> {
            connection.close();
            thread.interrupt();
        });
    }
}
