package dev.downbeat.loopback;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the server does to a request instead of simply answering it. It happens when the answer would be due. */
public enum Misbehaviour {
    /** A plain answer. */
    NONE,
    /** The request is read, then the connection is reset (TCP RST). */
    RESET,
    /** The request is read, then the connection is closed. */
    CLOSE_WITHOUT_ANSWER,
    /** Random bytes that are not HTTP, then close. */
    GARBAGE,
    /** An answer whose status line is none, then close. */
    BAD_STATUS_LINE,
    /** The headers promise a body (at least 2 bytes) of which only half comes before the connection is closed. */
    HALF_ANSWER,
    /** Headers at once, then the body byte by byte, spread evenly over {@link LoopbackOptions#bodyTimeNanos()}. */
    SLOW_BODY,
    /** Nothing is ever answered, and the connection is held until the client closes it. */
    HEADERS_NEVER,
    /** A valid answer in chunks, with a trailer. HTTP/1.0 gets a plain answer: it knows no chunks. */
    CHUNKED,
    /** A valid answer without a length, ended by closing the connection. */
    NO_LENGTH,
    /** A valid answer after an unasked {@code 100 Continue}. HTTP/1.0 gets a plain answer. */
    CONTINUE_FIRST,
    /** HTTP/2 refuses the first, and then every fiftieth, stream of a connection before it has looked at it (REFUSED_STREAM). */
    REFUSE_STREAM,
    /** HTTP/2 resets the stream (INTERNAL_ERROR); HTTP/1.1 closes without an answer. */
    RESET_STREAM,
    /** HTTP/2 sends each byte of its frames by itself, from the first answer on. */
    CUT_FRAMES;

    /** Whether the client gets a whole and valid answer. */
    public boolean answers() {
        return switch (this) {
            case NONE, SLOW_BODY, CHUNKED, NO_LENGTH, CONTINUE_FIRST, REFUSE_STREAM, CUT_FRAMES -> true;
            default -> false;
        };
    }

    /** The word for it in options, such as {@code half-answer}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds the misbehaviour of a word.
     *
     * @throws IllegalArgumentException if there is none; the message lists all
     */
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
