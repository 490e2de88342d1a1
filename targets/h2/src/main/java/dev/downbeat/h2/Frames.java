package dev.downbeat.h2;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Frames to be sent, one behind the other (RFC 9113, 4.1 and 6); grows to the most and is used again. Not thread-safe. */
public final class Frames {
    /** What a client sends first (RFC 9113, 3.4). */
    public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    /** Bytes before a frame's payload. */
    public static final int HEAD_BYTES = 9;

    /** The largest payload, unless a peer allows more. */
    public static final int USUAL_PAYLOAD = 16_384;

    /** Kinds of frames. */
    public static final int DATA = 0;

    /** A header block, or its beginning. */
    public static final int HEADERS = 1;

    /** Ignored. */
    public static final int PRIORITY = 2;

    /** The end of a stream. */
    public static final int RST_STREAM = 3;

    /** How to talk to the sender. */
    public static final int SETTINGS = 4;

    /** Never asked for. */
    public static final int PUSH_PROMISE = 5;

    /** To be answered. */
    public static final int PING = 6;

    /** No new streams. */
    public static final int GOAWAY = 7;

    /** More may be sent. */
    public static final int WINDOW_UPDATE = 8;

    /** More of a header block. */
    public static final int CONTINUATION = 9;

    /** Flag: the stream's last frame. */
    public static final int END_STREAM = 1;

    /** Flag: an answer, of SETTINGS and PING. */
    public static final int ACK = 1;

    /** Flag: the block's last frame. */
    public static final int END_HEADERS = 4;

    /** Flag: with padding. */
    public static final int PADDED = 8;

    /** Flag: with a priority. */
    public static final int WITH_PRIORITY = 0x20;

    /** A setting's number. */
    public static final int HEADER_TABLE_SIZE = 1;

    /** A setting's number. */
    public static final int ENABLE_PUSH = 2;

    /** A setting's number. */
    public static final int MAX_CONCURRENT_STREAMS = 3;

    /** A setting's number. */
    public static final int INITIAL_WINDOW_SIZE = 4;

    /** A setting's number. */
    public static final int MAX_FRAME_SIZE = 5;

    private byte[] bytes = new byte[1024];
    private int length;

    /** Nothing is in it any more. */
    public void clear() {
        length = 0;
    }

    /** How many bytes are in it. */
    public int length() {
        return length;
    }

    /** The bytes, of which the first {@link #length} count; valid until the next call. */
    public byte[] array() {
        return bytes;
    }

    /** Takes out what has been sent: the first so many bytes. */
    public void drop(int sent) {
        System.arraycopy(bytes, sent, bytes, 0, length - sent);
        length -= sent;
    }

    /** One byte. */
    public void one(int value) {
        room(1);
        bytes[length++] = (byte) value;
    }

    /** Those from {@code from} until before {@code to}. */
    public void bytes(byte[] more, int from, int to) {
        room(to - from);
        System.arraycopy(more, from, bytes, length, to - from);
        length += to - from;
    }

    private void four(long value) {
        room(4);
        bytes[length++] = (byte) (value >> 24);
        bytes[length++] = (byte) (value >> 16);
        bytes[length++] = (byte) (value >> 8);
        bytes[length++] = (byte) value;
    }

    /** The head of a frame whose payload follows. */
    public void head(int payloadBytes, int type, int flags, int stream) {
        room(HEAD_BYTES);
        bytes[length++] = (byte) (payloadBytes >> 16);
        bytes[length++] = (byte) (payloadBytes >> 8);
        bytes[length++] = (byte) payloadBytes;
        bytes[length++] = (byte) type;
        bytes[length++] = (byte) flags;
        four(stream);
    }

    /** Room for the head of a header block's first frame; returns where it is, for {@link #endHeaders}. */
    public int beginHeaders() {
        room(HEAD_BYTES);
        length += HEAD_BYTES;
        return length - HEAD_BYTES;
    }

    /** Makes frames of the header block that was written behind {@link #beginHeaders}, as many as it needs. */
    public void endHeaders(int at, int stream, boolean endStream) {
        int block = length - at - HEAD_BYTES;
        int first = Math.min(block, USUAL_PAYLOAD);
        int more = (block - first + USUAL_PAYLOAD - 1) / USUAL_PAYLOAD;
        room(more * HEAD_BYTES);
        for (int i = more; i >= 1; i--) { // from the last, so that each piece moves to its place at once
            int from = at + HEAD_BYTES + i * USUAL_PAYLOAD;
            int size = Math.min(USUAL_PAYLOAD, block - i * USUAL_PAYLOAD);
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

    /** What a client sends first; its SETTINGS follow. */
    public void preface() {
        byte[] text = PREFACE.getBytes(StandardCharsets.US_ASCII);
        bytes(text, 0, text.length);
    }

    /** Settings: numbers and values in turn. */
    public void settings(long... numbersAndValues) {
        head(numbersAndValues.length / 2 * 6, SETTINGS, 0, 0);
        for (int i = 0; i < numbersAndValues.length; i += 2) {
            one((int) numbersAndValues[i] >> 8);
            one((int) numbersAndValues[i]);
            four(numbersAndValues[i + 1]);
        }
    }

    /** The answer to settings. */
    public void settingsAck() {
        head(0, SETTINGS, ACK, 0);
    }

    /** The answer to a ping. */
    public void pingAck(long data) {
        head(8, PING, ACK, 0);
        four(data >>> 32);
        four(data);
    }

    public void ping(long data) {
        head(8, PING, 0, 0);
        four(data >>> 32);
        four(data);
    }

    /** So many bytes more may be sent on a stream, or on all together if it is 0. */
    public void windowUpdate(int stream, int bytesMore) {
        head(4, WINDOW_UPDATE, 0, stream);
        four(bytesMore);
    }

    /** Ends a stream at once. */
    public void reset(int stream, ErrorCode code) {
        head(4, RST_STREAM, 0, stream);
        four(code.number());
    }

    /** No stream above that one will be answered. */
    public void goAway(int lastStream, ErrorCode code) {
        head(8, GOAWAY, 0, 0);
        four(lastStream);
        four(code.number());
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    /** What the RFC calls a type of frame. */
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
