package dev.downbeat.http.wire;

import dev.downbeat.http.options.AddressOptions.HostPort;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions.Proxy;
import dev.downbeat.http.tls.TlsEngines;
import dev.downbeat.http.wire.ReadBuffer.TlsBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Non-blocking transport of bytes. Not thread-safe. */
public interface Wire {
    /** Continues the handshake, if any; returns whether the wire is ready for requests. */
    default boolean handshake() throws IOException {
        return true;
    }

    /** Whether the completed handshake resumed a session. */
    default boolean resumed() {
        return false;
    }

    /** The protocol chosen in the completed handshake (ALPN); empty if none. */
    default String protocol() {
        return "";
    }

    /** Sends as much as possible; returns whether all of {@code from} was sent. */
    boolean write(ByteBuffer from) throws IOException;

    /** Sends the rest of earlier calls; returns whether all was sent. */
    default boolean flush() throws IOException {
        return true;
    }

    /** Reads received data: the number of bytes put into {@code into}, 0 if none, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Whether the next read will return -1 although the channel may never become readable again. */
    default boolean ended() {
        return false;
    }

    /** Whether the end came from the sender rather than from a third party. */
    default boolean endIsGenuine() {
        return true;
    }

    /** Releases shared resources; must be the last call. */
    default void release() {}

    /** An unencrypted connection. */
    record Plain(SocketChannel channel) implements Wire {
        @Override
        public boolean write(ByteBuffer from) throws IOException {
            channel.write(from);
            return !from.hasRemaining();
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return channel.read(into);
        }
    }

    /**
     * A wire through a proxy tunnel, opened with CONNECT. Its time is part of the handshake.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6">RFC 9110, CONNECT</a>
     */
    final class Tunnel implements Wire {
        private static final int LONGEST_HEAD = 8 * 1024;
        private static final int STATUS_AT = "HTTP/1.1 ".length();

        private final SocketChannel channel;
        private final Wire inner;
        private final ByteBuffer connectRequest;
        private final StringBuilder head = new StringBuilder();
        private final ByteBuffer singleByte = ByteBuffer.allocate(1);
        private boolean isEstablished;

        /** The CONNECT request, in wire format, must have a position of its own. */
        Tunnel(SocketChannel channel, Wire inner, ByteBuffer connectRequest) {
            this.channel = channel;
            this.inner = inner;
            this.connectRequest = connectRequest;
        }

        @Override
        public String protocol() {
            return inner.protocol();
        }

        @Override
        public boolean handshake() throws IOException {
            if (!isEstablished) {
                isEstablished = flush() && isAnswered();
            }
            return isEstablished && inner.handshake();
        }

        /** One byte at a time, because data after the head belongs to the service. */
        private boolean isAnswered() throws IOException {
            while (head.length() < LONGEST_HEAD) {
                int read = channel.read(singleByte.clear());
                if (read <= 0) {
                    if (read < 0) {
                        throw new IOException("the proxy closed the connection");
                    }
                    return false;
                }
                head.append((char) (singleByte.get(0) & 0xFF));
                if (head.length() > 3 && head.indexOf("\r\n\r\n", head.length() - 4) >= 0) {
                    requireSuccess();
                    return true;
                }
            }
            throw new IOException("the proxy does not speak http/1.1");
        }

        private void requireSuccess() throws IOException {
            boolean isHttp = head.indexOf("HTTP/1.") == 0 && head.length() > STATUS_AT + 3;
            String status = isHttp ? head.substring(STATUS_AT, STATUS_AT + 3) : "";
            if (!status.matches("2[0-9]{2}")) {
                throw new IOException(
                        isHttp ? "the proxy refused, status " + status : "the proxy does not speak http/1.1");
            }
        }

        /** The CONNECT request for a service. */
        static byte[] connectRequest(HttpEndpoint service, Proxy proxy) {
            HostPort to = new HostPort(service.host(), service.port());
            return ("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\n" + proxy.authorizationLine() + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        public boolean resumed() {
            return inner.resumed();
        }

        @Override
        public boolean write(ByteBuffer from) throws IOException {
            return inner.write(from);
        }

        @Override
        public boolean flush() throws IOException {
            if (connectRequest.hasRemaining()) {
                channel.write(connectRequest);
                return !connectRequest.hasRemaining();
            }
            return inner.flush();
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return inner.read(into);
        }

        @Override
        public boolean ended() {
            return inner.ended();
        }

        @Override
        public boolean endIsGenuine() {
            return inner.endIsGenuine();
        }

        @Override
        public void release() {
            inner.release();
        }
    }

    /**
     * An encrypted connection. Delegated tasks run on the calling thread: they are the client's cost of a handshake and
     * part of its time.
     */
    final class Tls implements Wire {
        private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

        private final SocketChannel channel;
        private final SSLEngine engine;
        private final TlsEngines engines;
        private final TlsBuffers buffers;
        private final long beganMillis = System.currentTimeMillis();
        private @Nullable ByteBuffer halfPacket;
        private @Nullable ByteBuffer unsent;
        private @Nullable ByteBuffer early;
        private boolean established;
        private boolean closeNotified;

        Tls(SocketChannel channel, SSLEngine engine, TlsEngines engines, TlsBuffers buffers) throws SSLException {
            this.channel = channel;
            this.engine = engine;
            this.engines = engines;
            this.buffers = buffers;
            engine.beginHandshake();
        }

        @Override
        public boolean handshake() throws IOException {
            while (!established) {
                HandshakeStatus status = engine.getHandshakeStatus();
                boolean hasProgressed = switch (status) {
                    case NEED_TASK -> runTasks();
                    case NEED_WRAP -> flush() && wrap(NOTHING);
                    case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrapHandshake();
                    case FINISHED, NOT_HANDSHAKING -> {
                        established = true;
                        yield true;
                    }
                };
                if (!hasProgressed && !established) {
                    return false;
                }
            }
            return flush();
        }

        @Override
        public boolean resumed() {
            return engines.resumed(engine, beganMillis);
        }

        @Override
        public String protocol() {
            String chosen = engine.getApplicationProtocol();
            return chosen == null ? "" : chosen;
        }

        private boolean runTasks() {
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                task.run();
            }
            return true;
        }

        private boolean unwrapHandshake() throws IOException {
            ByteBuffer in = receivedPackets();
            ByteBuffer data = buffers.early();
            SSLEngineResult result = engine.unwrap(in.flip(), data);
            // A native engine may finish on a call that needs no more data, after which none arrives.
            boolean isOver = engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && !isOver) {
                // at most one packet: data after the handshake is left for the reader
                in.compact().limit(buffers.packetBytes());
                int read = channel.read(in);
                if (read < 0) {
                    throw new SSLException("closed during the TLS handshake");
                }
                keepRest(in.flip());
                return read > 0;
            }
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                throw new SSLException("closed during the TLS handshake");
            }
            keepRest(in);
            if (data.flip().hasRemaining()) {
                early = ByteBuffer.allocate(data.remaining()).put(data).flip();
            }
            return true;
        }

        /** Received but undecrypted packets, with space for more. */
        private ByteBuffer receivedPackets() {
            ByteBuffer in = buffers.in();
            ByteBuffer kept = halfPacket;
            if (kept != null) {
                in.put(kept);
                buffers.giveBack(kept);
                halfPacket = null;
            }
            return in;
        }

        private void keepRest(ByteBuffer in) {
            if (in.hasRemaining()) {
                halfPacket = buffers.keep(in);
            }
        }

        /** Encrypts one packet and sends as much of it as possible; earlier output must be sent. */
        private boolean wrap(ByteBuffer from) throws IOException {
            ByteBuffer out = buffers.out();
            SSLEngineResult result = engine.wrap(from, out);
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                throw new SSLException("the TLS connection is closed");
            }
            channel.write(out.flip());
            if (out.hasRemaining()) {
                unsent = buffers.keep(out);
            }
            return true;
        }

        @Override
        public boolean write(ByteBuffer from) throws IOException {
            while (from.hasRemaining()) {
                if (!flush()) {
                    return false;
                }
                wrap(from);
            }
            return flush();
        }

        @Override
        public boolean flush() throws IOException {
            ByteBuffer waiting = unsent;
            if (waiting == null) {
                return true;
            }
            channel.write(waiting);
            if (waiting.hasRemaining()) {
                return false;
            }
            buffers.giveBack(waiting);
            unsent = null;
            return true;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int before = into.position();
            if (early != null) {
                into.put(early);
                early = null;
            }
            ByteBuffer in = receivedPackets();
            boolean end = channel.read(in) < 0;
            in.flip();
            while (in.hasRemaining()) {
                SSLEngineResult result = engine.unwrap(in, into);
                if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                    closeNotified = true; // data before it has been read
                    break;
                }
                reply();
                if (result.getStatus() != SSLEngineResult.Status.OK) {
                    keepRest(in); // a partial packet
                    break;
                }
            }
            int read = into.position() - before;
            return read == 0 && (end || closeNotified) ? -1 : read;
        }

        /** Replies to a key update, or to a server that negotiates again; a new session ticket needs no reply. */
        private void reply() throws IOException {
            boolean hasProgressed = true;
            while (hasProgressed) {
                hasProgressed = switch (engine.getHandshakeStatus()) {
                    case NEED_TASK -> runTasks();
                    case NEED_WRAP -> flush() && wrap(NOTHING);
                    default -> false;
                };
            }
        }

        /** After a close notice no more data arrives, whether or not the server closes its socket. */
        @Override
        public boolean ended() {
            return closeNotified;
        }

        /** Without a close notice, the data may have been truncated on the way (RFC 8446, 6.1). */
        @Override
        public boolean endIsGenuine() {
            return closeNotified;
        }

        @Override
        public void release() {
            engines.release(engine);
            if (halfPacket != null) {
                buffers.giveBack(halfPacket);
                halfPacket = null;
            }
            if (unsent != null) {
                buffers.giveBack(unsent);
                unsent = null;
            }
        }
    }
}
