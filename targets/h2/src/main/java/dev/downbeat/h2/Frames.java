package dev.downbeat.h2;

import java.nio.charset.StandardCharsets;

/** A growable, reusable buffer of frames to send (RFC 9113, 4.1 and 6). Not thread-safe. */
public final class Frames extends WireBytes {
    /** The connection preface of a client (RFC 9113, 3.4). */
    public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    /** The length of a frame's header. */
    public static final int HEAD_BYTES = 9;

    /** The maximum payload, unless a peer allows more. */
    public static final int DEFAULT_PAYLOAD = 16_384;

    /** Frame types. */
    public static final int DATA = 0;

    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    /** Flags; the last frame of a stream. */
    public static final int END_STREAM = 1;

    /** An acknowledgement, for SETTINGS and PING. */
    public static final int ACK = 1;

    /** The last frame of a header block. */
    public static final int END_HEADERS = 4;

    public static final int PADDED = 8;
    public static final int WITH_PRIORITY = 0x20;

    /** Numbers of settings. */
    public static final int HEADER_TABLE_SIZE = 1;

    public static final int ENABLE_PUSH = 2;
    public static final int MAX_CONCURRENT_STREAMS = 3;
    public static final int INITIAL_WINDOW_SIZE = 4;
    public static final int MAX_FRAME_SIZE = 5;

    public void drop(int sent) {
        System.arraycopy(bytes, sent, bytes, 0, length - sent);
        length -= sent;
    }

    private void appendInt(long value) {
        reserve(4);
        bytes[length++] = (byte) (value >> 24);
        bytes[length++] = (byte) (value >> 16);
        bytes[length++] = (byte) (value >> 8);
        bytes[length++] = (byte) value;
    }

    /** Appends the header of a frame whose payload follows. */
    public void head(int payloadBytes, int type, int flags, int stream) {
        reserve(HEAD_BYTES);
        bytes[length++] = (byte) (payloadBytes >> 16);
        bytes[length++] = (byte) (payloadBytes >> 8);
        bytes[length++] = (byte) payloadBytes;
        bytes[length++] = (byte) type;
        bytes[length++] = (byte) flags;
        appendInt(stream);
    }

    /** Reserves the header of a header block's first frame; returns its position, for {@link #endHeaders}. */
    public int beginHeaders() {
        reserve(HEAD_BYTES);
        length += HEAD_BYTES;
        return length - HEAD_BYTES;
    }

    /** Splits the header block written since {@link #beginHeaders} into frames. */
    public void endHeaders(int at, int stream, boolean endStream) {
        int block = length - at - HEAD_BYTES;
        int first = Math.min(block, DEFAULT_PAYLOAD);
        int more = (block - first + DEFAULT_PAYLOAD - 1) / DEFAULT_PAYLOAD;
        reserve(more * HEAD_BYTES);
        for (int i = more; i >= 1; i--) { // from the last, so that each part moves only once
            int from = at + HEAD_BYTES + i * DEFAULT_PAYLOAD;
            int size = Math.min(DEFAULT_PAYLOAD, block - i * DEFAULT_PAYLOAD);
            System.arraycopy(bytes, from, bytes, from + i * HEAD_BYTES, size);
            headAt(from + (i - 1) * HEAD_BYTES, size, CONTINUATION, i == more ? END_HEADERS : 0, stream);
        }
        length += more * HEAD_BYTES;
        headAt(at, first, HEADERS, (endStream ? END_STREAM : 0) | (more == 0 ? END_HEADERS : 0), stream);
    }

    private void headAt(int at, int payloadBytes, int type, int flags, int stream) {
        int end = length;
        length = at;
        head(payloadBytes, type, flags, stream);
        length = end;
    }

    /** Appends the connection preface of a client; its SETTINGS follow. */
    public void preface() {
        append(PREFACE.getBytes(StandardCharsets.US_ASCII));
    }

    /** Appends settings, given as pairs of number and value. */
    public void settings(long... numbersAndValues) {
        head(numbersAndValues.length / 2 * 6, SETTINGS, 0, 0);
        for (int i = 0; i < numbersAndValues.length; i += 2) {
            one((int) numbersAndValues[i] >> 8);
            one((int) numbersAndValues[i]);
            appendInt(numbersAndValues[i + 1]);
        }
    }

    public void settingsAck() {
        head(0, SETTINGS, ACK, 0);
    }

    public void pingAck(long data) {
        head(8, PING, ACK, 0);
        appendInt(data >>> 32);
        appendInt(data);
    }

    public void ping(long data) {
        head(8, PING, 0, 0);
        appendInt(data >>> 32);
        appendInt(data);
    }

    /** Widens the window of a stream, or of the connection if {@code stream} is 0. */
    public void windowUpdate(int stream, int bytesMore) {
        head(4, WINDOW_UPDATE, 0, stream);
        appendInt(bytesMore);
    }

    public void reset(int stream, ErrorCode code) {
        head(4, RST_STREAM, 0, stream);
        appendInt(code.number());
    }

    /** Announces that streams above this one will not be processed. */
    public void goAway(int lastStream, ErrorCode code) {
        head(8, GOAWAY, 0, 0);
        appendInt(lastStream);
        appendInt(code.number());
    }

    /** The name of a frame type in the RFC. */
    static String name(int type) {
        return switch (type) {
            case DATA -> "DATA";
            case HEADERS -> "HEADERS";
            case PRIORITY -> "PRIORITY";
            case RST_STREAM -> "RST_STREAM";
            case SETTINGS -> "SETTINGS";
            case PING -> "PING";
            case GOAWAY -> "GOAWAY";
            case WINDOW_UPDATE -> "WINDOW_UPDATE";
            default -> "CONTINUATION";
        };
    }
}
