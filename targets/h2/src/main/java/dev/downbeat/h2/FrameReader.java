package dev.downbeat.h2;

/**
 * Parses a peer's frames (RFC 9113, 4 and 6) from input of any chunking, and rejects malformed ones. A frame that is
 * complete in the current input is read in place; DATA always is. Allocates nothing after the first frame that arrived
 * in parts. Not thread-safe.
 */
public final class FrameReader {
    private static final int NOTHING = -1;

    private final Handler handler;
    private byte[] partial = new byte[64];
    private int partialLength;
    private int length;
    private int type;
    private int flags;
    private int stream;

    /** The unread data of the current DATA frame, without padding; {@link #NOTHING} if there is none. */
    private int dataLeft = NOTHING;

    private int paddingLeft;
    private boolean padLengthIsNext;

    private final HeaderBlock block = new HeaderBlock();
    private boolean hasSettings;

    public FrameReader(Handler handler) {
        this.handler = handler;
    }

    /** Parses further input. After a violation nothing more may be read. */
    public void feed(byte[] bytes, int from, int to) throws Http2Exception {
        int at = from;
        while (at < to) {
            if (dataLeft != NOTHING) {
                at = readData(bytes, at, to);
            } else if (partialLength > 0) {
                at = readPartial(bytes, at, to);
            } else {
                at = readInPlace(bytes, at, to);
            }
        }
    }

    private int readInPlace(byte[] bytes, int at, int to) throws Http2Exception {
        if (to - at < Frames.HEAD_BYTES) {
            return store(bytes, at, to);
        }
        head(bytes, at);
        int payload = at + Frames.HEAD_BYTES;
        if (type == Frames.DATA) {
            beginData();
            return payload;
        }
        if (to - payload < length) {
            return store(bytes, at, to);
        }
        frame(bytes, payload, payload + length);
        return payload + length;
    }

    private int store(byte[] bytes, int from, int to) {
        if (partialLength + to - from > partial.length) {
            byte[] more = new byte[Frames.HEAD_BYTES + Frames.DEFAULT_PAYLOAD];
            System.arraycopy(partial, 0, more, 0, partialLength);
            partial = more;
        }
        System.arraycopy(bytes, from, partial, partialLength, to - from);
        partialLength += to - from;
        return to;
    }

    /** Continues a frame that began in earlier input. */
    private int readPartial(byte[] bytes, int from, int to) throws Http2Exception {
        int at = from;
        if (partialLength < Frames.HEAD_BYTES) {
            at = store(bytes, at, Math.min(to, at + Frames.HEAD_BYTES - partialLength));
            if (partialLength < Frames.HEAD_BYTES) {
                return at;
            }
            head(partial, 0);
            if (type == Frames.DATA) {
                partialLength = 0;
                beginData();
                return at;
            }
        }
        int frameLength = Frames.HEAD_BYTES + length;
        at = store(bytes, at, Math.min(to, at + frameLength - partialLength));
        if (partialLength == frameLength) {
            partialLength = 0;
            frame(partial, Frames.HEAD_BYTES, frameLength);
        }
        return at;
    }

    private void head(byte[] bytes, int at) throws Http2Exception {
        length = ((bytes[at] & 0xff) << 16) | ((bytes[at + 1] & 0xff) << 8) | (bytes[at + 2] & 0xff);
        type = bytes[at + 3] & 0xff;
        flags = bytes[at + 4] & 0xff;
        stream = int32(bytes, at + 5) & Integer.MAX_VALUE;
        boolean mayBeFirst = type == Frames.GOAWAY || type == Frames.SETTINGS && (flags & Frames.ACK) == 0;
        if (!hasSettings && !mayBeFirst) {
            throw new Http2Exception(
                    ErrorCode.PROTOCOL_ERROR,
                    startsLikeHttp1(bytes, at) ? "not HTTP/2: HTTP/1.1 was answered" : "not HTTP/2: no SETTINGS first");
        }
        if (length > Frames.DEFAULT_PAYLOAD) {
            throw new Http2Exception(ErrorCode.FRAME_SIZE_ERROR, "HTTP/2: frame longer than 16384 bytes");
        }
        if (block.isOpen() && (type != Frames.CONTINUATION || stream != block.stream())) {
            throw protocolError("another frame within a header block");
        }
        checkStream();
    }

    private static boolean startsLikeHttp1(byte[] bytes, int at) {
        return bytes[at] == 'H' && bytes[at + 1] == 'T' && bytes[at + 2] == 'T' && bytes[at + 3] == 'P';
    }

    private void checkStream() throws Http2Exception {
        switch (type) {
            case Frames.DATA, Frames.HEADERS, Frames.PRIORITY, Frames.RST_STREAM, Frames.CONTINUATION -> {
                if (stream == 0) {
                    throw protocolError(Frames.name(type) + " on stream 0");
                }
            }
            case Frames.SETTINGS, Frames.PING, Frames.GOAWAY -> {
                if (stream != 0) {
                    throw protocolError(Frames.name(type) + " on a stream");
                }
            }
            default -> {}
        }
    }

    private void beginData() throws Http2Exception {
        dataLeft = length;
        paddingLeft = 0;
        padLengthIsNext = (flags & Frames.PADDED) != 0;
        if (padLengthIsNext && length == 0) {
            throw wrongLength();
        }
        handler.dataBegins(stream, length);
        endDataIfOver();
    }

    private int readData(byte[] bytes, int from, int to) throws Http2Exception {
        int at = from;
        if (padLengthIsNext) {
            padLengthIsNext = false;
            paddingLeft = bytes[at++] & 0xff;
            dataLeft -= 1 + paddingLeft;
            if (dataLeft < 0) {
                throw protocolError("padding longer than its frame");
            }
        }
        int step = Math.min(dataLeft, to - at);
        if (step > 0) {
            handler.data(stream, bytes, at, at + step);
            dataLeft -= step;
            at += step;
        }
        if (dataLeft == 0) {
            int skip = Math.min(paddingLeft, to - at);
            paddingLeft -= skip;
            at += skip;
        }
        endDataIfOver();
        return at;
    }

    private void endDataIfOver() throws Http2Exception {
        if (dataLeft == 0 && paddingLeft == 0 && !padLengthIsNext) {
            dataLeft = NOTHING;
            handler.dataEnds(stream, (flags & Frames.END_STREAM) != 0);
        }
    }

    private void frame(byte[] bytes, int from, int to) throws Http2Exception {
        switch (type) {
            case Frames.HEADERS -> headers(bytes, from, to);
            case Frames.CONTINUATION -> continuation(bytes, from, to);
            case Frames.RST_STREAM -> {
                requireLength(4);
                handler.reset(stream, ErrorCode.of(int32(bytes, from)));
            }
            case Frames.SETTINGS -> settings(bytes, from, to);
            case Frames.PING -> {
                requireLength(8);
                if ((flags & Frames.ACK) != 0) {
                    handler.other();
                } else {
                    handler.ping(((long) int32(bytes, from) << 32) | (int32(bytes, from + 4) & 0xffff_ffffL));
                }
            }
            case Frames.GOAWAY -> {
                if (length < 8) {
                    throw wrongLength();
                }
                handler.goAway(int32(bytes, from) & Integer.MAX_VALUE, ErrorCode.of(int32(bytes, from + 4)));
            }
            case Frames.WINDOW_UPDATE -> {
                requireLength(4);
                handler.windowUpdate(stream, int32(bytes, from) & Integer.MAX_VALUE);
            }
            case Frames.PUSH_PROMISE -> throw protocolError("PUSH_PROMISE although push is disabled");
            case Frames.PRIORITY -> {
                requireLength(5);
                handler.other();
            }
            default -> handler.other();
        }
    }

    private void settings(byte[] bytes, int from, int to) throws Http2Exception {
        hasSettings = true;
        if ((flags & Frames.ACK) != 0) {
            requireLength(0);
            handler.settingsAcknowledged();
            return;
        }
        if (length % 6 != 0) {
            throw wrongLength();
        }
        for (int at = from; at < to; at += 6) {
            int number = ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
            handler.setting(number, int32(bytes, at + 2) & 0xffff_ffffL);
        }
        handler.settingsEnd();
    }

    private void headers(byte[] bytes, int from, int to) throws Http2Exception {
        int begin = from;
        int end = to;
        if ((flags & Frames.PADDED) != 0) {
            if (length == 0) {
                throw wrongLength();
            }
            end -= bytes[begin++] & 0xff;
        }
        if ((flags & Frames.WITH_PRIORITY) != 0) {
            begin += 5;
        }
        if (begin > end) {
            throw protocolError("padding longer than its frame");
        }
        boolean endsStream = (flags & Frames.END_STREAM) != 0;
        if ((flags & Frames.END_HEADERS) != 0) {
            handler.headers(stream, endsStream, bytes, begin, end);
            return;
        }
        block.begin(stream, endsStream, bytes, begin, end);
    }

    private void continuation(byte[] bytes, int from, int to) throws Http2Exception {
        if (!block.isOpen()) {
            throw protocolError("CONTINUATION without HEADERS");
        }
        block.append(bytes, from, to);
        if ((flags & Frames.END_HEADERS) != 0) {
            block.end(handler);
        }
    }

    private void requireLength(int wanted) throws Http2Exception {
        if (length != wanted) {
            throw wrongLength();
        }
    }

    private Http2Exception wrongLength() {
        return new Http2Exception(ErrorCode.FRAME_SIZE_ERROR, "HTTP/2: " + Frames.name(type) + " with invalid length");
    }

    private static Http2Exception protocolError(String rule) {
        return new Http2Exception(ErrorCode.PROTOCOL_ERROR, "HTTP/2: " + rule);
    }

    private static int int32(byte[] bytes, int at) {
        return (bytes[at] << 24)
                | ((bytes[at + 1] & 0xff) << 16)
                | ((bytes[at + 2] & 0xff) << 8)
                | (bytes[at + 3] & 0xff);
    }

    /** Collects a header block that is split over several frames. Not thread-safe. */
    private static final class HeaderBlock {
        private static final int MOST_BYTES = 256 * 1024;
        private static final int MOST_CONTINUATIONS = 64;

        private byte[] bytes = new byte[0];
        private int length;
        private int stream;
        private boolean endsStream;
        private int continuations;

        /** Whether the next frame must continue the block. */
        boolean isOpen() {
            return stream != 0;
        }

        /** The stream of the block; 0 if there is none. */
        int stream() {
            return stream;
        }

        void begin(int ofStream, boolean endStream, byte[] from, int begin, int end) throws Http2Exception {
            stream = ofStream;
            endsStream = endStream;
            length = 0;
            continuations = 0;
            add(from, begin, end);
        }

        void append(byte[] from, int begin, int end) throws Http2Exception {
            if (++continuations > MOST_CONTINUATIONS) {
                throw new Http2Exception(
                        ErrorCode.ENHANCE_YOUR_CALM,
                        "HTTP/2: header block of more than " + MOST_CONTINUATIONS + " CONTINUATION frames");
            }
            add(from, begin, end);
        }

        private void add(byte[] from, int begin, int end) throws Http2Exception {
            int needed = length + end - begin;
            if (needed > MOST_BYTES) {
                throw new Http2Exception(
                        ErrorCode.ENHANCE_YOUR_CALM, "HTTP/2: header block longer than " + MOST_BYTES + " bytes");
            }
            if (needed > bytes.length) {
                byte[] more = new byte[Math.max(needed, 2 * bytes.length)];
                System.arraycopy(bytes, 0, more, 0, length);
                bytes = more;
            }
            System.arraycopy(from, begin, bytes, length, end - begin);
            length = needed;
        }

        void end(Handler handler) throws Http2Exception {
            int ended = stream;
            stream = 0;
            handler.headers(ended, endsStream, bytes, 0, length);
        }
    }

    /**
     * Receives the well-formed frames of a peer. Arrays belong to the reader and must not be retained. Each method may
     * reject its frame with an exception, which ends the connection.
     */
    public interface Handler {
        /** A DATA frame begins; {@code bytes} includes padding and counts against the windows. */
        void dataBegins(int stream, int bytes) throws Http2Exception;

        /** A part of its data, without padding. */
        void data(int stream, byte[] bytes, int from, int to) throws Http2Exception;

        void dataEnds(int stream, boolean endStream) throws Http2Exception;

        /** A complete encoded header block. Every block must be decoded, because the next ones depend on it. */
        void headers(int stream, boolean endStream, byte[] block, int from, int to) throws Http2Exception;

        void reset(int stream, ErrorCode code) throws Http2Exception;

        /** One of several settings; the value is from 0 to 4,294,967,295. */
        void setting(int number, long value) throws Http2Exception;

        /** All settings of a frame were reported; they must be acknowledged. */
        void settingsEnd() throws Http2Exception;

        void settingsAcknowledged() throws Http2Exception;

        /** A ping, which requires a reply. */
        void ping(long data) throws Http2Exception;

        /** The peer has not processed, and will not process, streams above this one. */
        void goAway(int lastStream, ErrorCode code) throws Http2Exception;

        /** Widens the window of a stream, or of the connection if {@code stream} is 0. */
        void windowUpdate(int stream, int bytes) throws Http2Exception;

        /** A frame that requires nothing: a priority, the reply to a ping, or an unknown type. */
        void other() throws Http2Exception;
    }
}
