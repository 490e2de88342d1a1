package dev.downbeat.loopback.proxy;

import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.socket.DueTime;
import dev.downbeat.loopback.socket.Listener.AcceptedWire;
import dev.downbeat.loopback.socket.Listener.TcpListener;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A proxy on 127.0.0.1 that forwards HTTP/1.1 requests to a server on the same machine, like a load balancer, and
 * closes connections as configured. One blocking daemon thread per connection. It only detects the ends of messages;
 * responses must have a length or be chunked. Thread-safe.
 */
public final class LoopbackProxy implements AutoCloseable {
    private static final int ACCEPT_QUEUE = 1024;
    private static final int STACK_BYTES = 256 * 1024;
    private static final long PAUSE_NANOS = 1_000_000;

    private final ProxyOptions options;
    private final TcpListener listener;
    private final Optional<X509Certificate> certificate;
    private final Map<Thread, FrontConnection> connections = new ConcurrentHashMap<>();
    private volatile boolean closing;

    private LoopbackProxy(ProxyOptions options, TcpListener listener, Optional<X509Certificate> certificate) {
        this.options = options;
        this.listener = listener;
        this.certificate = certificate;
    }

    /**
     * Starts a proxy on any free port.
     *
     * @throws IOException if it cannot listen or cannot create a TLS certificate; the message says which, and why
     */
    public static LoopbackProxy start(ProxyOptions options) throws IOException {
        Optional<SelfSignedCertificate> tls =
                options.tls() ? Optional.of(SelfSignedCertificate.of(CertificateKey.RSA)) : Optional.empty();
        TcpListener listener = new TcpListener(
                0, ACCEPT_QUEUE, tls.map(SelfSignedCertificate::socketFactory).orElse(null));
        LoopbackProxy proxy = new LoopbackProxy(options, listener, tls.map(SelfSignedCertificate::certificate));
        Thread acceptor = new Thread(proxy::accept, "loopback-proxy-accept");
        acceptor.setDaemon(true);
        acceptor.start();
        return proxy;
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
        Thread thread = new Thread(null, body, "loopback-proxy", STACK_BYTES);
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

    /** Forwards one connection's requests to the backend, sequentially, over a separate connection. */
    private static final class FrontConnection implements Runnable {
        private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

        private final AcceptedWire wire;
        private final ProxyOptions options;
        private final RandomGenerator random;
        private final DueTime dueTime = new DueTime();
        private @Nullable Backend backend;

        /** An open connection to the backend. */
        private record Backend(Socket socket, InputStream in) {
            static Backend connect(int port) throws IOException {
                Socket socket = new Socket();
                socket.setTcpNoDelay(true);
                socket.connect(new InetSocketAddress(TcpListener.address(), port));
                return new Backend(socket, new BufferedInputStream(socket.getInputStream()));
            }

            @Nullable
            HttpMessage ask(HttpMessage request) throws IOException {
                request.write(socket.getOutputStream(), false);
                return HttpMessage.readResponse(in, request.firstLine().startsWith("HEAD "));
            }
        }

        /** @param random the connection's own random generator */
        FrontConnection(AcceptedWire wire, ProxyOptions options, RandomGenerator random) {
            this.wire = wire;
            this.options = options;
            this.random = random;
        }

        @Override
        public void run() {
            try (wire) {
                dueTime.await(System.nanoTime() + options.opening().nextNanos(random));
                serve();
            } catch (IOException | NumberFormatException e) {
                // One side left or sent invalid data, or the proxy is closing: there is no one to notify.
            } finally {
                disconnect();
            }
        }

        /** Ends the connection from another thread. */
        void close() {
            wire.close();
        }

        private void serve() throws IOException {
            InputStream in = new BufferedInputStream(wire.in());
            OutputStream out = wire.out();
            int life = options.closing().next(random);
            for (int served = 1; served <= life; served++) {
                HttpMessage request = HttpMessage.readRequest(in, out);
                if (request == null) {
                    return;
                }
                long arrivedAt = System.nanoTime();
                HttpMessage response = ask(request);
                dueTime.await(arrivedAt + options.answering().nextNanos(random));
                boolean announced = request.wantsClose()
                        || (served == life && options.closing().notice());
                response.write(out, announced);
                if (announced) {
                    wire.finish();
                    return;
                }
            }
        }

        /** Retries once on a new connection if the backend has closed the old one. */
        private HttpMessage ask(HttpMessage request) throws IOException {
            Backend open = backend;
            if (open != null) {
                try {
                    HttpMessage response = open.ask(request);
                    if (response != null) {
                        return answered(response);
                    }
                } catch (IOException closed) {
                    // as if it had announced the close
                }
                disconnect();
            }
            Backend fresh = Backend.connect(options.backendPort());
            backend = fresh;
            HttpMessage response = fresh.ask(request);
            if (response == null) {
                throw new IOException("the backend closed instead of answering");
            }
            return answered(response);
        }

        private HttpMessage answered(HttpMessage response) {
            if (response.wantsClose()) {
                disconnect();
            }
            return response;
        }

        private void disconnect() {
            Backend open = backend;
            backend = null;
            if (open != null) {
                try {
                    open.socket().close();
                } catch (IOException gone) {
                    // That was the goal.
                }
            }
        }

        /**
         * A request or response as received, for forwarding. The body is kept in wire format, including chunks, one character
         * per byte.
         *
         * @param firstLine without its line end
         * @param headers complete header lines, without line ends
         * @param body as received
         */
        private record HttpMessage(String firstLine, List<String> headers, String body) {
            private static final int LARGEST_HEAD = 64 * 1024;
            private static final int LARGEST_BODY = 16 * 1024 * 1024;

            /** Reads the next request; a client that expects it is told to continue before its body is read. */
            static @Nullable HttpMessage readRequest(InputStream in, OutputStream out) throws IOException {
                HttpMessage head = readHead(in);
                if (head != null && head.header("expect").equalsIgnoreCase("100-continue")) {
                    out.write(CONTINUE);
                    out.flush();
                }
                return head == null ? null : new HttpMessage(head.firstLine, head.headers, head.readBody(in));
            }

            /** Reads the next response; one to HEAD announces the length of a body that does not follow. */
            static @Nullable HttpMessage readResponse(InputStream in, boolean isToHead) throws IOException {
                HttpMessage head = readHead(in);
                while (head != null && head.isInterim()) {
                    head = readHead(in);
                }
                return head == null || isToHead || head.hasNoBody()
                        ? head
                        : new HttpMessage(head.firstLine, head.headers, head.readBody(in));
            }

            /**
             * Reads the head of the next message.
             *
             * @return null if the peer closed before its first byte
             * @throws IOException if it closed later, or sent something that cannot be forwarded
             */
            private static @Nullable HttpMessage readHead(InputStream in) throws IOException {
                String first = line(in);
                while (first != null && first.isEmpty()) {
                    first = line(in);
                }
                if (first == null) {
                    return null;
                }
                List<String> headers = new ArrayList<>();
                for (String header = line(in); ; header = line(in)) {
                    if (header == null) {
                        throw new EOFException("closed within a head");
                    }
                    if (header.isEmpty()) {
                        return new HttpMessage(first, headers, "");
                    }
                    headers.add(header);
                }
            }

            private static @Nullable String line(InputStream in) throws IOException {
                StringBuilder line = new StringBuilder();
                for (int b = in.read(); b != '\n'; b = in.read()) {
                    if (b < 0) {
                        if (line.length() == 0) {
                            return null;
                        }
                        throw new EOFException("closed within a line");
                    }
                    if (line.length() > LARGEST_HEAD) {
                        throw new IOException("a line is longer than 64 KiB");
                    }
                    if (b != '\r') {
                        line.append((char) b);
                    }
                }
                return line.toString();
            }

            /** {@code 100 Continue} and similar, which precede the response. */
            private boolean isInterim() {
                return firstLine.matches("HTTP/1\\.1 1[0-9]{2}.*");
            }

            private boolean hasNoBody() {
                return firstLine.matches("HTTP/1\\.1 (204|304).*");
            }

            private String readBody(InputStream in) throws IOException {
                if (header("transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked")) {
                    return readChunks(in);
                }
                String length = header("content-length");
                if (length.isEmpty()) {
                    return "";
                }
                int bytes = Integer.parseInt(length);
                if (bytes < 0 || bytes > LARGEST_BODY) {
                    throw new IOException("a body must have from 0 to 16 MiB, but had " + length + " bytes");
                }
                byte[] body = in.readNBytes(bytes);
                if (body.length < bytes) {
                    throw new EOFException("closed within a body");
                }
                return new String(body, StandardCharsets.ISO_8859_1);
            }

            private static String readChunks(InputStream in) throws IOException {
                ByteArrayOutputStream raw = new ByteArrayOutputStream();
                int size = -1;
                while (size != 0) {
                    String line = line(in);
                    if (line == null) {
                        throw new EOFException("closed within chunks");
                    }
                    raw.writeBytes((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                    size = Integer.parseInt(line.replaceFirst("[ ;].*", ""), 16);
                    if (size < 0 || size > LARGEST_BODY) {
                        throw new IOException("a chunk must have from 0 to 16 MiB, but had " + size + " bytes");
                    }
                    raw.writeBytes(in.readNBytes(size));
                    if (size > 0) {
                        line(in);
                        raw.writeBytes(new byte[] {'\r', '\n'});
                    }
                }
                for (String trailer = line(in); trailer != null; trailer = line(in)) {
                    raw.writeBytes((trailer + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                    if (trailer.isEmpty()) {
                        break;
                    }
                }
                return raw.toString(StandardCharsets.ISO_8859_1);
            }

            /** The value of a header, or an empty string. */
            String header(String name) {
                for (String header : headers) {
                    if (header.regionMatches(true, 0, name, 0, name.length())
                            && header.startsWith(":", name.length())) {
                        return header.substring(name.length() + 1).strip();
                    }
                }
                return "";
            }

            boolean wantsClose() {
                return header("connection").equalsIgnoreCase("close");
            }

            /** Writes the message at once, with its connection headers replaced. */
            void write(OutputStream out, boolean close) throws IOException {
                StringBuilder head = new StringBuilder(firstLine).append("\r\n");
                for (String header : headers) {
                    String name = header.toLowerCase(Locale.ROOT);
                    if (!name.startsWith("connection:")
                            && !name.startsWith("keep-alive:")
                            && !name.startsWith("expect:")) {
                        head.append(header).append("\r\n");
                    }
                }
                head.append(close ? "Connection: close\r\n\r\n" : "\r\n");
                out.write(head.append(body).toString().getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        }
    }
}
