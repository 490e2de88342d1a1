package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.h2.FrameReader;
import dev.downbeat.h2.Frames;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import dev.downbeat.http.two.H2Sender.H2Output;
import dev.downbeat.http.wire.ConnectionCounter;
import dev.downbeat.http.wire.HttpFailures;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Applies the server's frames to a connection's streams, and detects violations of RFC 9113. Replies are added to the
 * connection's output.
 *
 * <p>Not thread-safe: belongs to its lane's thread.
 */
final class H2Receiver implements FrameReader.Handler {
    /** RFC 9113, 6.5.2. */
    private static final int MOST_PAYLOAD = (1 << 24) - 1;

    /** A head, an empty DATA frame or trailers, and a reset. */
    private static final int MOST_LATE_FRAMES = 3;

    /** 100 and 103; their number is bounded by that of the requests. */
    private static final int MOST_INTERIM_HEADS = 2;

    /** Far more than requests add: a peer that asks and does not read would fill the memory. */
    private static final int MOST_UNREAD_BYTES = 1 << 20;

    private final H2Events events;
    private final H2Stream.StreamTable streams;
    private final H2Output output;
    private final H2Sender sender;
    private final ConnectionCounter counter;
    private final ReceiveWindows windows;
    private final FrameReader reader = new FrameReader(this);
    private final H2Heads heads = new H2Heads();
    private boolean isGreeted;
    private @Nullable ErrorCode goAway;
    private long greetedAt;
    private long limit;
    private @Nullable H2Stream receiving;
    private boolean isEmptyData;
    private final FrameFloodGuard idleFrames = new FrameFloodGuard();

    /** The number of frames to accept for streams that were reset or are complete. */
    private long lateFrames;

    private long now;

    H2Receiver(
            H2Events events,
            H2Stream.StreamTable streams,
            H2Output output,
            H2Sender sender,
            int receiveWindow,
            ConnectionCounter counter) {
        this.events = events;
        this.streams = streams;
        this.output = output;
        this.sender = sender;
        this.counter = counter;
        this.windows = new ReceiveWindows(output.frames(), receiveWindow);
        this.limit = streams.most();
    }

    /**
     * Processes received data.
     *
     * @throws Http2Exception if a rule is violated; nothing may be read afterwards
     */
    void read(byte[] bytes, int length, long at) throws Http2Exception {
        now = at;
        reader.feed(bytes, 0, length);
    }

    boolean isGreeted() {
        return isGreeted;
    }

    long greetedAt() {
        return greetedAt;
    }

    boolean hasGoAway() {
        return goAway != null;
    }

    /** The code of the server's last GOAWAY; null if there was none. */
    @Nullable
    ErrorCode goAway() {
        return goAway;
    }

    /** The error in the server's last GOAWAY; null if there was none. */
    @Nullable
    Outcome goAwayError() {
        return goAway == ErrorCode.NO_ERROR ? null : goAwayFailure();
    }

    /** The server's last GOAWAY, with or without an error; null if there was none. */
    @Nullable
    Outcome goAwayFailure() {
        return goAway == null ? null : H2Failures.goAway(goAway);
    }

    long limit() {
        return limit;
    }

    /** Ends a stream by a reset. Until the server reads it, frames for it may still come. */
    void cancel(H2Stream stream) {
        reset(stream, ErrorCode.CANCEL);
        remove(stream);
    }

    private void reset(H2Stream stream, ErrorCode code) {
        output.frames().reset(stream.id, code);
        lateFrames += MOST_LATE_FRAMES;
    }

    /** A frame for a stream that has ended. */
    private void lateFrame() throws Http2Exception {
        if (lateFrames > 0) {
            lateFrames--;
        } else {
            idleFrames.add(now);
        }
    }

    /** Removes a stream; later frames for it are dropped. */
    void remove(H2Stream stream) {
        streams.remove(stream);
        sender.forget(stream);
        if (receiving == stream) {
            receiving = null;
        }
        stream.id = 0;
    }

    @Override
    public void setting(int number, long value) throws Http2Exception {
        switch (number) {
            case Frames.HEADER_TABLE_SIZE -> sender.tableSize(value);
            case Frames.MAX_CONCURRENT_STREAMS -> limit = Math.min(value, streams.most());
            case Frames.INITIAL_WINDOW_SIZE -> sender.streamWindow(value);
            case Frames.MAX_FRAME_SIZE -> {
                if (value < Frames.DEFAULT_PAYLOAD || value > MOST_PAYLOAD) {
                    throw violation("MAX_FRAME_SIZE is not from 16384 to " + MOST_PAYLOAD);
                }
            }
            case Frames.ENABLE_PUSH -> {
                if (value != 0) {
                    throw violation("ENABLE_PUSH of a server");
                }
            }
            default -> {}
        }
    }

    @Override
    public void settingsEnd() throws Http2Exception {
        refuseIfUnread();
        output.frames().settingsAck();
        sender.resumeBodies(now);
        if (isGreeted) {
            idleFrames.add(now);
            events.changed();
        } else {
            isGreeted = true;
            greetedAt = now;
            events.greeted();
        }
    }

    /** Called before a reply is added. */
    private void refuseIfUnread() throws Http2Exception {
        if (output.frames().length() > MOST_UNREAD_BYTES) {
            throw new Http2Exception(ErrorCode.ENHANCE_YOUR_CALM, "HTTP/2: more than 1 MiB of replies unread");
        }
    }

    @Override
    public void settingsAcknowledged() throws Http2Exception {
        idleFrames.add(now);
    }

    @Override
    public void headers(int number, boolean endStream, byte[] block, int from, int to) throws Http2Exception {
        H2Stream stream = streamOf(number, "HEADERS");
        boolean isTrailer = stream != null && stream.status > 0;
        heads.read(block, from, to, stream == null || isTrailer ? null : stream.sink);
        if (stream == null) {
            lateFrame();
            return;
        }
        Exchange exchange = stream.carried();
        if (exchange.firstByteAt == exchange.startedAt) {
            stream.unblock(now);
            exchange.firstByteAt = now;
        }
        int status = heads.status();
        boolean isInterim = !isTrailer && status >= 100 && status < 200 && status != 101;
        if (heads.isMalformed() || isTrailer == status > 0 || (isInterim ? endStream : isTrailer && !endStream)) {
            refuse(stream, H2Failures.BAD_HEAD);
        } else if (isInterim) {
            if (++stream.interimHeads > MOST_INTERIM_HEADS) {
                idleFrames.add(now);
            }
        } else if (status == 101) {
            refuse(stream, HttpFailures.SWITCHED);
        } else {
            if (!isTrailer) {
                stream.status = status;
                stream.contentLength = heads.contentLength();
            }
            if (endStream) {
                complete(stream);
            }
        }
    }

    @Override
    public void dataBegins(int number, int bytes) throws Http2Exception {
        H2Stream stream = streamOf(number, "DATA");
        isEmptyData = bytes == 0;
        windows.received(bytes);
        receiving = stream;
        if (stream != null && stream.status == 0) {
            refuse(stream, H2Failures.BAD_HEAD);
        } else if (stream != null) {
            windows.received(stream, bytes);
        }
    }

    @Override
    public void data(int number, byte[] bytes, int from, int to) {
        H2Stream stream = receiving;
        if (stream == null) {
            return;
        }
        boolean fits = stream.bodyBytes <= windows.ofStream;
        stream.bodyBytes += to - from;
        if (fits && stream.bodyBytes > windows.ofStream) {
            counter.largerThanWindow(); // also of a response that is never whole
        }
        ResponseSink sink = stream.sink;
        if (sink != null) {
            sink.body(bytes, from, to);
        }
    }

    @Override
    public void dataEnds(int number, boolean endStream) throws Http2Exception {
        H2Stream stream = receiving;
        receiving = null;
        if (stream != null && endStream) {
            complete(stream);
        } else if (isEmptyData && stream == null) {
            lateFrame();
        } else if (isEmptyData) {
            idleFrames.add(now);
        } else if (stream != null) {
            windows.renew(stream);
        }
    }

    @Override
    public void reset(int number, ErrorCode code) throws Http2Exception {
        H2Stream stream = streamOf(number, "RST_STREAM");
        if (stream == null) {
            lateFrame();
            return;
        }
        if (code == ErrorCode.REFUSED_STREAM) {
            unprocessed(stream, H2Failures.reset(code));
        } else {
            remove(stream);
            end(stream, H2Failures.reset(code));
        }
    }

    @Override
    public void ping(long data) throws Http2Exception {
        refuseIfUnread();
        output.frames().pingAck(data);
        idleFrames.add(now);
    }

    @Override
    public void goAway(int lastStream, ErrorCode code) throws Http2Exception {
        idleFrames.add(now);
        goAway = code;
        events.retired();
        for (H2Stream stream : streams.inOrder()) {
            if (stream.id > lastStream) {
                unprocessed(stream, H2Failures.goAway(code));
            }
        }
    }

    /** The server reports a request as unprocessed; ignored once its response has begun. */
    private void unprocessed(H2Stream stream, Outcome failure) {
        remove(stream);
        if (stream.status > 0) {
            end(stream, failure);
        } else {
            events.changed();
            events.unprocessed(stream, now);
        }
    }

    @Override
    public void windowUpdate(int number, int bytes) throws Http2Exception {
        H2Stream stream = number == 0 ? null : streamOf(number, "WINDOW_UPDATE");
        if (!sender.returnsSentBytes(bytes)) {
            idleFrames.add(now);
        }
        if (number != 0 && stream == null) {
            return;
        }
        if (bytes == 0) {
            throw violation("WINDOW_UPDATE of 0");
        }
        sender.widen(stream, bytes);
        sender.resumeBodies(now);
    }

    @Override
    public void other() throws Http2Exception {
        idleFrames.add(now);
    }

    /** The stream with an identifier; null if it has ended. */
    private @Nullable H2Stream streamOf(int number, String frame) throws Http2Exception {
        H2Stream stream = streams.get(number);
        boolean wasOpened = (number & 1) == 1 && number < sender.nextStream();
        if (stream == null && !wasOpened) {
            throw violation(frame + " on a stream that was not opened");
        }
        return stream;
    }

    private static Http2Exception violation(String rule) {
        return new Http2Exception(ErrorCode.PROTOCOL_ERROR, "HTTP/2: " + rule);
    }

    /** Rejects an invalid response; its rest is not wanted. */
    private void refuse(H2Stream stream, Outcome why) {
        reset(stream, ErrorCode.PROTOCOL_ERROR);
        remove(stream);
        end(stream, why);
    }

    private void complete(H2Stream stream) {
        boolean hasBody = !stream.expectsNoBody && stream.status != 204 && stream.status != 304;
        boolean isCut = hasBody && stream.contentLength >= 0 && stream.contentLength != stream.bodyBytes;
        if (stream.hasUnsentBody()) { // an early response that did not wait for the whole request
            reset(stream, ErrorCode.CANCEL);
        }
        lateFrames++; // a server that has not read the whole request may reset its stream
        remove(stream);
        end(stream, isCut ? HttpFailures.BAD_LENGTH : null);
    }

    private void end(H2Stream stream, @Nullable Outcome failure) {
        stream.carried().status = stream.status;
        events.changed();
        events.ended(stream, failure, now);
    }

    /** Detects floods of frames without content, such as pings, which are an attack. Not thread-safe. */
    private static final class FrameFloodGuard {
        private static final int MOST = 10_000;
        private static final long SECOND_NANOS = 1_000_000_000;

        private long since;
        private int count;

        void add(long now) throws Http2Exception {
            if (count == 0 || now - since > SECOND_NANOS) {
                since = now;
                count = 0;
            }
            if (++count > MOST) {
                throw new Http2Exception(
                        ErrorCode.ENHANCE_YOUR_CALM,
                        String.format(Locale.ROOT, "HTTP/2: more than %,d control frames per second", MOST));
            }
        }
    }

    /** A connection, as seen by its frame reader. */
    interface H2Events {
        /** The server's first settings: the connection is usable. */
        void greeted();

        /** The number of available streams may have changed. */
        void changed();

        /** The server accepts no new streams. */
        void retired();

        /** An unprocessed request may be sent again. */
        void unprocessed(H2Stream stream, long now);

        /** A request has ended; {@code failure} is null for a complete response. */
        void ended(H2Stream stream, @Nullable Outcome failure, long now);
    }

    /**
     * The receive windows: the protocol's maximum for a connection, the configured size for each stream. Renewed at
     * half. Not thread-safe.
     */
    static final class ReceiveWindows {
        /** The window of a connection, instead of {@link H2Sender#FIRST_WINDOW}; never the bottleneck. */
        static final int WIDE = Integer.MAX_VALUE;

        private final Frames out;
        private final int ofStream;
        private long unrenewedBytes;

        ReceiveWindows(Frames out, int ofStream) {
            this.out = out;
            this.ofStream = ofStream;
        }

        /** DATA has arrived, for any stream. */
        void received(int bytes) throws Http2Exception {
            unrenewedBytes += bytes;
            if (unrenewedBytes > WIDE) {
                throw windowExceeded();
            }
            if (unrenewedBytes >= WIDE / 2) {
                out.windowUpdate(0, (int) unrenewedBytes);
                unrenewedBytes = 0;
            }
        }

        void received(H2Stream stream, int bytes) throws Http2Exception {
            stream.unrenewedBytes += bytes;
            if (stream.unrenewedBytes > ofStream) {
                throw windowExceeded();
            }
        }

        private static Http2Exception windowExceeded() {
            return new Http2Exception(ErrorCode.FLOW_CONTROL_ERROR, "HTTP/2: more DATA than the window allows");
        }

        /** Renews a stream's window, if due. */
        void renew(H2Stream stream) {
            if (stream.unrenewedBytes >= ofStream / 2) {
                out.windowUpdate(stream.id, (int) stream.unrenewedBytes);
                stream.unrenewedBytes = 0;
            }
        }
    }
}
