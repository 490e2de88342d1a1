package dev.downbeat.loopback.options;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;

/** A deviation from a plain response. It takes effect when the response would be due. */
public enum Misbehaviour {
    /** A plain response. */
    NONE,
    /** The request is read, then the connection is reset (TCP RST). */
    RESET,
    /** The request is read, then the connection is closed. */
    CLOSE_WITHOUT_ANSWER,
    /** Random bytes that are not HTTP, then close. */
    GARBAGE,
    /** A response with an invalid status line, then close. */
    BAD_STATUS_LINE,
    /** The headers announce a body (at least 2 bytes), but only half of it is sent before the connection is closed. */
    HALF_ANSWER,
    /** Headers at once, then the body byte by byte, spread evenly over {@link LoopbackOptions#bodyTimeNanos()}. */
    SLOW_BODY,
    /** Never responds, and keeps the connection open until the client closes it. */
    HEADERS_NEVER,
    /** A valid chunked response with a trailer; a plain response for HTTP/1.0, which has no chunks. */
    CHUNKED,
    /** A valid response without a length, ended by closing the connection. */
    NO_LENGTH,
    /** A valid response after an unsolicited {@code 100 Continue}; a plain response for HTTP/1.0. */
    CONTINUE_FIRST,
    /** HTTP/2 refuses the first, and then every fiftieth, stream of a connection unprocessed (REFUSED_STREAM). */
    REFUSE_STREAM,
    /** HTTP/2 resets the stream (INTERNAL_ERROR); HTTP/1.1 closes without a response. */
    RESET_STREAM,
    /** HTTP/2 sends every byte of its frames separately, from the first response on. */
    CUT_FRAMES,
    /** HTTP/2: DATA on stream 0 instead of a response, as for everything below; HTTP/1.1 closes without a response. */
    DATA_ON_STREAM_0("00000100000000000061"),
    /** HTTP/2: SETTINGS on a stream. */
    SETTINGS_ON_STREAM("0000000400STREAM"),
    /** HTTP/2: RST_STREAM for an idle stream. */
    RESET_OF_IDLE_STREAM("00000403000000000200000000"),
    /** HTTP/2: WINDOW_UPDATE of 0. */
    ZERO_WINDOW("00000408000000000000000000"),
    /** HTTP/2: WINDOW_UPDATE beyond the maximum window. */
    WINDOW_TOO_LARGE("", "0000040800000000007fffffff", 2),
    /** HTTP/2: a frame longer than allowed. */
    LONG_FRAME("0040010000STREAM"),
    /** HTTP/2: PING of seven bytes. */
    SHORT_PING("00000706000000000000000000000000"),
    /** HTTP/2: SETTINGS_INITIAL_WINDOW_SIZE beyond the maximum window. */
    INITIAL_WINDOW_TOO_LARGE("000006040000000000000480000000"),
    /** HTTP/2: SETTINGS_ENABLE_PUSH, which only clients may send. */
    ENABLE_PUSH("000006040000000000000200000001"),
    /** HTTP/2: PUSH_PROMISE to a client that disabled it. */
    PUSH_PROMISE("0000050504STREAM0000000288"),
    /** HTTP/2: CONTINUATION without a header block. */
    CONTINUATION_ALONE("0000010904STREAM88"),
    /** HTTP/2: PING within a header block. */
    BROKEN_BLOCK("0000010100STREAM880000080600000000000000000000000000"),
    /** HTTP/2: an endless header block. */
    CONTINUATION_FLOOD("0000010100STREAM88", "0000000900STREAM", 70),
    /** HTTP/2: padding longer than its frame. */
    PADDING_TOO_LONG("0000010104STREAM880000020008STREAMff61"),
    /** HTTP/2: a header field with an invalid table index. */
    BAD_INDEX("0000010105STREAM80"),
    /** HTTP/2: a Huffman string with invalid padding. */
    BAD_HUFFMAN("0000030105STREAM0481fe"),
    /** HTTP/2: a header table larger than allowed. */
    TABLE_TOO_LARGE("0000040105STREAM3fe21f88"),
    /** HTTP/2: a body of one byte with a declared length of ten. */
    WRONG_LENGTH("0000060104STREAM880f0d0231300000010001STREAM61"),
    /** HTTP/2: endless pings. */
    PING_FLOOD("", "0000080600000000000000000000000000", 10_001),
    /** HTTP/2: GOAWAY without any processed request. */
    GOAWAY_OF_ALL("0000080700000000000000000000000000"),
    /** HTTP/2: a small header block that decodes to a large one. */
    HEADER_BOMB("0004ee0105STREAM884001617f8001" + "61".repeat(255), "be", 1_000),
    /** HTTP/2: endless interim responses. */
    INTERIM_FLOOD("", "0000050104STREAM0803313030", 10_001);

    private static final String STREAM = "STREAM";

    private final String first;
    private final String repeated;
    private final int times;

    Misbehaviour() {
        this("");
    }

    /** A violation of HTTP/2 by these frames, in hex, with STREAM for the request's stream identifier. */
    Misbehaviour(String frames) {
        this(frames, "", 0);
    }

    Misbehaviour(String first, String repeated, int times) {
        this.first = first;
        this.repeated = repeated;
        this.times = times;
    }

    /** Whether it violates HTTP/2 with {@link #frames}. */
    public boolean breaksHttp2() {
        return !first.isEmpty() || times > 0;
    }

    /** The frames sent instead of the response on a stream. */
    public byte[] frames(int stream) {
        String number = String.format("%08x", stream);
        byte[] begin = HexFormat.of().parseHex(first.replace(STREAM, number));
        byte[] part = HexFormat.of().parseHex(repeated.replace(STREAM, number));
        byte[] all = Arrays.copyOf(begin, begin.length + times * part.length);
        for (int i = 0; i < times; i++) {
            System.arraycopy(part, 0, all, begin.length + i * part.length, part.length);
        }
        return all;
    }

    /** Whether the client receives a complete, valid response. */
    public boolean answers() {
        return switch (this) {
            case NONE, SLOW_BODY, CHUNKED, NO_LENGTH, CONTINUE_FIRST, REFUSE_STREAM, CUT_FRAMES -> true;
            default -> false;
        };
    }

    /** Its name in options, such as {@code half-answer}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Misbehaviour parse(String word) {
        for (Misbehaviour misbehaviour : values()) {
            if (misbehaviour.word().equals(word)) {
                return misbehaviour;
            }
        }
        String words = Arrays.stream(values()).map(Misbehaviour::word).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                "misbehaviour must be one of " + words + ", but was " + Durations.quoted(word));
    }
}
