package dev.downbeat.json;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Characters one by one, and where they are. Not thread-safe. */
final class Characters {
    static final int END = -1;

    /** Instead of a character: the text has come to its end. */
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

    /** The next one, which is not taken. */
    int peek() throws IOException {
        if (at == filled) {
            before += filled;
            at = 0;
            filled = Math.max(0, in.read(buffer, 0, buffer.length));
        }
        return at < filled ? buffer[at] : END;
    }

    /** Takes the next one. */
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

    /** The next one that is no space, which is not taken. */
    int space() throws IOException {
        int c = peek();
        while (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            next();
            c = peek();
        }
        return c;
    }

    /** Takes what is left of a text and its closing quote, if it is all here and as it is; null if not. */
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

    /** Takes the next one of a text, escaped or not; {@link #CLOSED} is its closing quote. */
    int ofText() throws IOException {
        int c = inside();
        return c == '"' ? CLOSED : c == '\\' ? escaped() : c;
    }

    /** Takes a text from its opening to its closing quote. */
    void skipText() throws IOException {
        next();
        while (ofText() != CLOSED) {
            // nothing of it is kept
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

    /** What was expected instead of the next one. */
    IOException expected(String what) throws IOException {
        String place = line == 1 ? "" : "in line " + line + " ";
        String end = peek() == END ? ", but it is cut off" : "";
        return new IOException(
                "JSON expected " + what + " " + place + "at character " + (before + at - lineStart + 1) + end);
    }
}
