package dev.downbeat.json;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** A character reader that tracks its position. Not thread-safe. */
final class Characters {
    static final int END = -1;

    /** Returned instead of a character at the end of a string. */
    static final int CLOSED = -2;

    private final Reader in;
    private final char[] buffer;
    private int at;
    private int filled;
    private long line = 1;
    private long lineStart;
    private long before;

    Characters(Reader in, int size) {
        this.in = in;
        this.buffer = new char[size];
    }

    /** Returns the next character without consuming it. */
    int peek() throws IOException {
        if (at == filled) {
            before += filled;
            at = 0;
            filled = Math.max(0, in.read(buffer, 0, buffer.length));
        }
        return at < filled ? buffer[at] : END;
    }

    /** Consumes the next character. */
    int next() throws IOException {
        int c = peek();
        if (c != END) {
            at++;
        }
        if (c == '\n') {
            line++;
            lineStart = before + at;
        }
        return c;
    }

    /** Skips white space and returns the next character without consuming it. */
    int space() throws IOException {
        int c = peek();
        while (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            next();
            c = peek();
        }
        return c;
    }

    /**
     * Consumes the rest of a string and its closing quote, if the buffer holds all of it without escapes; otherwise
     * null.
     */
    @Nullable
    String plainText() {
        for (int i = at; i < filled && buffer[i] != '\\' && buffer[i] != '\n'; i++) {
            if (buffer[i] == '"') {
                String text = new String(buffer, at, i - at);
                at = i + 1;
                return text;
            }
        }
        return null;
    }

    /** Consumes the next character of a string, escaped or not; {@link #CLOSED} at the closing quote. */
    int ofText() throws IOException {
        int c = inside();
        return c == '"' ? CLOSED : c == '\\' ? escaped() : c;
    }

    /** Skips a string, including both quotes. */
    void skipText() throws IOException {
        next();
        while (ofText() != CLOSED) {
            // the content is discarded
        }
    }

    private int inside() throws IOException {
        int c = next();
        if (c == END) {
            throw expected("a closing quote");
        }
        return c;
    }

    private int escaped() throws IOException {
        int c = inside();
        if (c == 'u') {
            int code = 0;
            for (int i = 0; i < 4; i++) {
                int digit = Character.digit(inside(), 16);
                if (digit < 0) {
                    throw expected("four hexadecimal digits");
                }
                code = code << 4 | digit;
            }
            return code;
        }
        int known = "bfnrt\"\\/".indexOf(c);
        if (known < 0) {
            throw expected("an escape such as \\n");
        }
        return "\b\f\n\r\t\"\\/".charAt(known);
    }

    /** The error for an unexpected character. */
    IOException expected(String what) throws IOException {
        String place = line == 1 ? "" : "in line " + line + " ";
        String end = peek() == END ? ", but it is cut off" : "";
        return new IOException(
                "JSON expected " + what + " " + place + "at character " + (before + at - lineStart + 1) + end);
    }
}
