package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackEncoder;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.two.H2Receiver.ReceiveWindows;
import dev.downbeat.http.wire.ConnectionCounter;
import dev.downbeat.http.wire.Link;
import dev.downbeat.http.wire.Wire;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Sends one connection's requests within its peer's flow-control windows. Not thread-safe. */
final class H2Sender {
    static final int FIRST_WINDOW = 65_535;

    private static final int MAX_HEADER_LIST_SIZE = 6;

    /** The initial size in RFC 7541; more than a head needs. */
    private static final int TABLE_BYTES = 4096;

    private final H2Output output;
    private final H2Stream.StreamTable streams;
    private final ConnectionCounter counter;
    private final NanoClock clock;
    private final HpackEncoder encoder = new HpackEncoder(TABLE_BYTES);

    /** Streams with bodies that wait for a window, or for the peer to read. */
    private final Deque<H2Stream> blocked = new ArrayDeque<>();

    private byte @Nullable [] constantHead;
    private int nextStream = 1;
    private long window = FIRST_WINDOW;
    private int firstStreamWindow = FIRST_WINDOW;

    /** Body bytes that window updates may still return, counted for the stream and for the connection. */
    private long unreturnedBytes;

    H2Sender(H2Output output, H2Stream.StreamTable streams, ConnectionCounter counter, NanoClock clock) {
        this.output = output;
        this.streams = streams;
        this.counter = counter;
        this.clock = clock;
    }

    int nextStream() {
        return nextStream;
    }

    void sendPreface(int receiveWindow) {
        Frames out = output.frames();
        out.preface();
        out.settings(
                Frames.ENABLE_PUSH,
                0,
                Frames.INITIAL_WINDOW_SIZE,
                receiveWindow,
                MAX_HEADER_LIST_SIZE,
                H2Heads.LONGEST_LIST);
        out.windowUpdate(0, ReceiveWindows.WIDE - FIRST_WINDOW);
    }

    void start(H2Stream stream, H2Head head, boolean isConstant) {
        Exchange exchange = stream.carried();
        exchange.unconnected = false;
        exchange.position = nextStream / 2 + 1;
        stream.start(nextStream, head.bodyFrom(), firstStreamWindow);
        nextStream += 2;
        streams.add(stream);
        counter.streamBegun();
        Frames out = output.frames();
        int at = out.beginHeaders();
        byte[] known = constantHead;
        if (isConstant && known != null) {
            out.append(known);
        } else {
            head.encode(encoder, isConstant, out);
            if (isConstant && !encoder.changedTable()) {
                constantHead = Arrays.copyOfRange(out.array(), at + Frames.HEAD_BYTES, out.length());
            }
        }
        out.endHeaders(at, stream.id, !stream.hasUnsentBody());
        counter.sending(out.length() - at);
        if (!sendBody(stream)) {
            block(stream, clock.nanoTime()); // the request may have begun long before, with its connection
        }
    }

    /** Sends as much of a body as possible; returns whether it is complete. */
    private boolean sendBody(H2Stream stream) {
        Frames out = output.frames();
        while (stream.hasUnsentBody()) {
            int left = stream.requestLength - stream.bodyAt;
            int size = (int) Math.min(Math.min(left, Frames.DEFAULT_PAYLOAD), Math.min(window, stream.sendWindow));
            if (size <= 0 || output.isFull()) {
                return false;
            }
            out.head(size, Frames.DATA, size == left ? Frames.END_STREAM : 0, stream.id);
            out.append(stream.request, stream.bodyAt, stream.bodyAt + size);
            counter.sending(Frames.HEAD_BYTES + size);
            stream.bodyAt += size;
            window -= size;
            stream.sendWindow -= size;
            unreturnedBytes += 2L * size;
        }
        return true;
    }

    private void block(H2Stream stream, long now) {
        stream.block(now);
        blocked.add(stream);
    }

    boolean hasBlocked() {
        return !blocked.isEmpty();
    }

    /** Sends as much of the waiting bodies as possible. */
    void resumeBodies(long now) {
        for (int left = blocked.size(); left > 0; left--) {
            H2Stream stream = blocked.removeFirst();
            if (sendBody(stream)) {
                stream.unblock(now);
            } else {
                block(stream, now);
            }
        }
    }

    /** Stops sending for a stream that ends. */
    void forget(H2Stream stream) {
        if (stream.hasUnsentBody()) {
            blocked.remove(stream);
            stream.bodyAt = stream.requestLength;
        }
    }

    /** Whether a window update returns bytes that were sent, rather than being superfluous. */
    boolean returnsSentBytes(int bytes) {
        boolean any = unreturnedBytes > 0;
        unreturnedBytes = Math.max(0, unreturnedBytes - bytes);
        return any;
    }

    /** The peer enlarged a window: of a stream, or of the connection if null. */
    void widen(@Nullable H2Stream stream, int bytes) throws Http2Exception {
        if (stream == null) {
            window = checked(window + bytes);
        } else {
            stream.sendWindow = checked(stream.sendWindow + bytes);
        }
    }

    /**
     * SETTINGS_INITIAL_WINDOW_SIZE: applies to new streams, and adjusts open ones by the difference (RFC 9113, 6.9.2).
     */
    void streamWindow(long bytes) throws Http2Exception {
        checked(bytes);
        for (H2Stream stream : streams.inOrder()) {
            stream.sendWindow = checked(stream.sendWindow + bytes - firstStreamWindow);
        }
        firstStreamWindow = (int) bytes;
    }

    private static long checked(long bytes) throws Http2Exception {
        if (bytes > Integer.MAX_VALUE) {
            throw new Http2Exception(ErrorCode.FLOW_CONTROL_ERROR, "HTTP/2: window larger than 2147483647 bytes");
        }
        return bytes;
    }

    /** SETTINGS_HEADER_TABLE_SIZE. */
    void tableSize(long bytes) {
        encoder.limit(bytes);
        constantHead = null;
    }

    /** A connection's pending output, sent in as few writes as possible. Not thread-safe. */
    static final class H2Output {
        /** With this much pending for a slow peer, output that can wait elsewhere is not added. */
        private static final int FULL_BYTES = 256 * 1024;

        private final Link link;
        private final Frames frames = new Frames();
        private ByteBuffer buffer = ByteBuffer.allocateDirect(frames.array().length);
        private boolean awaitsPeer;

        H2Output(Link link) {
            this.link = link;
        }

        Frames frames() {
            return frames;
        }

        boolean isFull() {
            return frames.length() > FULL_BYTES;
        }

        /** Whether no output is pending, encrypted or not. */
        boolean isEmpty() {
            return frames.length() == 0 && !awaitsPeer;
        }

        /** Requests another flush once the socket is writable, although nothing is pending. */
        void awaitNextFlush() {
            awaitsPeer = true;
            link.awaitWritable(true);
        }

        void sendGoAway(ErrorCode code) {
            frames.goAway(0, code);
            try {
                flush();
            } catch (IOException gone) {
                // The peer then does not receive it.
            }
        }

        /** Sends as much as possible; returns whether nothing is left. */
        boolean flush() throws IOException {
            if (isEmpty()) {
                return true;
            }
            Wire wire = link.wire();
            boolean isFlushed = wire.flush();
            if (isFlushed && frames.length() > 0) {
                if (buffer.capacity() < frames.length()) {
                    buffer = ByteBuffer.allocateDirect(frames.array().length);
                }
                buffer.clear().put(frames.array(), 0, frames.length()).flip();
                isFlushed = wire.write(buffer);
                frames.drop(buffer.position());
            }
            if (awaitsPeer == isFlushed) {
                awaitsPeer = !isFlushed;
                link.awaitWritable(awaitsPeer);
            }
            return isFlushed;
        }
    }
}
