package dev.downbeat.loopback;

import dev.downbeat.h2.Frames;
import dev.downbeat.loopback.RequestHead.BadRequestException;
import dev.downbeat.loopback.options.CannedResponse;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.options.Misbehaviour;
import dev.downbeat.loopback.socket.DueTime;
import dev.downbeat.loopback.socket.ListeningSocket;
import dev.downbeat.loopback.socket.ListeningSocket.AcceptedWire;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
import dev.downbeat.time.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
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

    private final ServerState shared;
    private final ListeningSocket listener;
    private final Consumer<Thread> starter;
    private final int port;
    private final String uri;
    private final Optional<X509Certificate> certificate;
    private final Map<Thread, LoopbackConnection> connections = new ConcurrentHashMap<>();
    private final Thread acceptor;
    private volatile boolean refusing;
    private @Nullable Socket heldPort;

    private LoopbackServer(
            LoopbackOptions options,
            ListeningSocket listener,
            Optional<X509Certificate> certificate,
            Consumer<Thread> starter) {
        this.shared = new ServerState(
                options,
                new ServiceSlots(options.concurrency(), options.stalls()),
                new FunctionInstances(options.instances()),
                new LoopbackStats.Counters());
        this.listener = listener;
        this.starter = starter;
        this.port = listener.port();
        this.uri = listener.uri();
        this.certificate = certificate;
        this.acceptor = Daemon.of("loopback-accept", this::accept);
    }

    public static LoopbackServer start(LoopbackOptions options) throws IOException {
        return start(options, Thread::start);
    }

    /** A server with this way to start its connection threads. */
    static LoopbackServer start(LoopbackOptions options, Consumer<Thread> starter) throws IOException {
        Optional<SelfSignedCertificate> tls =
                options.tls() ? Optional.of(SelfSignedCertificate.of(options.certificateKey())) : Optional.empty();
        ListeningSocket listener = options.unixSocket().isPresent()
                ? ListeningSocket.onUnixSocket(options.unixSocket().get(), options.acceptQueue())
                : ListeningSocket.onPort(
                        options.port(),
                        options.acceptQueue(),
                        tls.map(made -> made.context().getSocketFactory()).orElse(null));
        LoopbackServer server =
                new LoopbackServer(options, listener, tls.map(SelfSignedCertificate::certificate), starter);
        server.acceptor.start();
        return server;
    }

    /** The TCP port; a server on a Unix socket has none and throws. */
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
        try {
            listener.close();
        } finally { // even if the file of a Unix socket cannot be deleted
            join(acceptor);
            if (port >= 0) {
                heldPort = hold(port);
            }
        }
    }

    /** Closes the listener and all connections, and waits for their threads. May be called twice. */
    @Override
    public void close() {
        try {
            refuse();
        } finally {
            endConnections();
        }
    }

    private void endConnections() {
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
            } catch (IOException | OutOfMemoryError e) {
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
        try {
            starter.accept(thread);
        } catch (OutOfMemoryError noThread) {
            connections.remove(thread);
            connection.close();
            throw noThread;
        }
    }

    /** Probably out of file descriptors or threads: without a pause this thread would spin until one is free. */
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
            socket.bind(new InetSocketAddress(ListeningSocket.address(), port));
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

    /** Serves one connection in its own thread, one request at a time. */
    private static final class LoopbackConnection implements Runnable {
        private static final byte[] PREFACE = Frames.PREFACE.getBytes(StandardCharsets.US_ASCII);

        private final AcceptedWire wire;
        private final ServerState shared;
        private final LoopbackOptions options;
        private final LoopbackStats.Counters counters;
        private final RandomGenerator random;
        private final DueTime dueTime = new DueTime();

        private int served;

        LoopbackConnection(AcceptedWire wire, ServerState shared, RandomGenerator random) {
            this.wire = wire;
            this.shared = shared;
            this.options = shared.options();
            this.counters = shared.counters();
            this.random = random;
        }

        @Override
        public void run() {
            try (wire) {
                serve();
            } catch (IOException e) {
                // The client left, or the server is closing: there is no one to notify.
            }
        }

        /** Ends the connection from another thread. */
        void close() {
            wire.close();
        }

        /** An HTTP/2 client sends a preface first, whether or not a TLS handshake chose HTTP/2. */
        private void serve() throws IOException {
            if (options.connectDelayNanos() > 0) {
                dueTime.await(System.nanoTime() + options.connectDelayNanos());
            }
            PushbackInputStream in = new PushbackInputStream(wire.in(), PREFACE.length);
            int matched = 0;
            int next = in.read();
            while (next >= 0 && next == PREFACE[matched] && ++matched < PREFACE.length) {
                next = in.read();
            }
            if (matched == PREFACE.length) {
                new Http2Connection(wire, shared, random).serve(in);
                return;
            }
            if (next >= 0) {
                in.unread(next);
            }
            in.unread(PREFACE, 0, matched);
            serve(in);
        }

        private void serve(InputStream in) throws IOException {
            RequestReader reader = new RequestReader(in);
            ResponseWriter writer = new ResponseWriter(wire.out(), options.bodyTimeNanos(), random, dueTime);
            ResponsePlan defaults = ResponsePlan.of(options);
            try {
                RequestHead head = reader.readHead();
                while (head != null && serve(head, reader, writer, defaults)) {
                    head = reader.readHead();
                }
            } catch (BadRequestException e) {
                counters.requestsMalformed.increment();
                counters.connectionsClosed.increment();
                writer.writeRefusal(String.valueOf(e.getMessage()));
                wire.finish();
            }
        }

        /** Serves one request and returns whether the connection continues. */
        private boolean serve(RequestHead head, RequestReader reader, ResponseWriter writer, ResponsePlan defaults)
                throws IOException, BadRequestException {
            ResponsePlan plan = head.hasQuery() ? defaults.with(head.query()) : defaults;
            if (head.expectsContinue() && !reader.hasMore()) {
                writer.writeContinue();
            }
            reader.discardBody();
            long arrivedAt = System.nanoTime();
            counters.requestsReceived.increment();
            served++;
            FunctionInstances.Admission admission =
                    shared.admit(arrivedAt, plan.delay().nextNanos(random));
            plan = admission.isCold() ? plan.ofNewInstance() : plan;
            dueTime.await(admission.dueAt());

            boolean last = options.closeAfter() > 0 && served >= options.closeAfter();
            Misbehaviour misbehaviour = plan.misbehaviour();
            boolean endless = misbehaviour == Misbehaviour.NO_LENGTH;
            boolean announced = head.wantsClose() || endless || (last && options.closeNotice());
            if (misbehaviour.answers()) {
                counters.requestsAnswered.increment();
                writer.write(head, plan, announced);
                return continuesAfter(head, last || endless, announced);
            }
            counters.requestsSpoiled.increment();
            spoil(head, reader, writer, plan);
            return false;
        }

        private boolean continuesAfter(RequestHead head, boolean closesItself, boolean announced) throws IOException {
            if (!closesItself && !announced) {
                return true;
            }
            if (closesItself && !head.wantsClose()) {
                counters.connectionsClosed.increment();
            }
            if (announced) {
                wire.finish();
            }
            return false;
        }

        private void spoil(RequestHead head, RequestReader reader, ResponseWriter writer, ResponsePlan plan)
                throws IOException {
            switch (plan.misbehaviour()) {
                case HEADERS_NEVER -> reader.discardAll();
                case RESET -> {
                    counters.connectionsClosed.increment();
                    wire.reset();
                }
                case CLOSE_WITHOUT_ANSWER, RESET_STREAM -> counters.connectionsClosed.increment();
                default -> {
                    counters.connectionsClosed.increment();
                    if (plan.misbehaviour().breaksHttp2()) {
                        return;
                    }
                    writer.write(head, plan, false);
                    wire.finish();
                }
            }
        }

        /** Writes one connection's responses, each in a single write unless it is meant to be split. Not thread-safe. */
        private static final class ResponseWriter {
            private static final int GARBAGE_BYTES = 256;

            private final OutputStream out;
            private final long bodyTimeNanos;
            private final RandomGenerator random;
            private final DueTime dueTime;

            private @Nullable ResponsePlan builtPlan;
            private boolean builtForClosing;
            private boolean builtForHttp10;
            private @Nullable CannedResponse built;

            ResponseWriter(OutputStream out, long bodyTimeNanos, RandomGenerator random, DueTime dueTime) {
                this.out = out;
                this.bodyTimeNanos = bodyTimeNanos;
                this.random = random;
                this.dueTime = dueTime;
            }

            void writeContinue() throws IOException {
                out.write(CannedResponse.CONTINUE);
            }

            void writeRefusal(String reason) throws IOException {
                out.write(CannedResponse.refusal(400, reason).bytes());
            }

            /** Writes a response, which may announce the end of the connection. */
            void write(RequestHead head, ResponsePlan plan, boolean closing) throws IOException {
                CannedResponse answer = answer(plan, closing, head.isHttp10());
                int length = head.wantsNoBody() ? answer.headLength() : answer.length();
                switch (plan.misbehaviour()) {
                    case GARBAGE -> writeGarbage();
                    case HALF_ANSWER ->
                        out.write(answer.bytes(), 0, answer.headLength() + (answer.length() - answer.headLength()) / 2);
                    case SLOW_BODY -> writeSlowly(answer, length);
                    default -> out.write(answer.bytes(), 0, length);
                }
            }

            private CannedResponse answer(ResponsePlan plan, boolean closing, boolean isHttp10) {
                CannedResponse answer = built;
                if (answer == null
                        || !Objects.equals(plan, builtPlan)
                        || closing != builtForClosing
                        || isHttp10 != builtForHttp10) {
                    answer = build(plan, closing, isHttp10);
                    built = answer;
                    builtPlan = plan;
                    builtForClosing = closing;
                    builtForHttp10 = isHttp10;
                }
                return answer;
            }

            private static CannedResponse build(ResponsePlan plan, boolean closing, boolean isHttp10) {
                int status = plan.status();
                int bodyBytes = plan.bodyBytes();
                CannedResponse plain = CannedResponse.plain(status, bodyBytes, closing, plan.isCold());
                return switch (plan.misbehaviour()) {
                    case BAD_STATUS_LINE -> CannedResponse.badStatusLine();
                    case HALF_ANSWER -> CannedResponse.plain(status, Math.max(2, bodyBytes), closing, false);
                    case CHUNKED ->
                        isHttp10 || CannedResponse.isBodiless(status)
                                ? plain
                                : CannedResponse.chunked(status, bodyBytes, closing);
                    case NO_LENGTH -> CannedResponse.withoutLength(status, bodyBytes);
                    case CONTINUE_FIRST -> isHttp10 ? plain : CannedResponse.afterContinue(plain);
                    default -> plain;
                };
            }

            private void writeGarbage() throws IOException {
                byte[] garbage = new byte[GARBAGE_BYTES];
                random.nextBytes(garbage);
                // No HTTP message starts with a byte above 127.
                garbage[0] |= (byte) 0x80;
                out.write(garbage);
            }

            private void writeSlowly(CannedResponse answer, int length) throws IOException {
                long startAt = System.nanoTime();
                int written = answer.headLength();
                out.write(answer.bytes(), 0, written);
                int bodyBytes = length - written;
                while (written < length) {
                    double share = (double) (written - answer.headLength() + 1) / bodyBytes;
                    dueTime.await(startAt + (long) Math.ceil(share * bodyTimeNanos));
                    double elapsedShare = (double) (System.nanoTime() - startAt) / bodyTimeNanos;
                    int due = answer.headLength() + (int) Math.min(bodyBytes, (long) (elapsedShare * bodyBytes));
                    int pieceEnd = Math.max(written + 1, due);
                    out.write(answer.bytes(), written, pieceEnd - written);
                    written = pieceEnd;
                }
            }
        }
    }
}
