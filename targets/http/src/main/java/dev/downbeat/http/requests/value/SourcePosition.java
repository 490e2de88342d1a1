package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;

/**
 * A line of a file: for messages, and whether its text may contain variables.
 *
 * @param file its display name
 * @param line from 1; 0 for the file as a whole
 * @param isRecorded whether its text was sent before: braces in it are no variables, and it may come from a stranger
 */
public record SourcePosition(String file, int line, boolean isRecorded) {
    /** The maximum number of characters quoted. */
    private static final int LONGEST = 60;

    /** A line that someone wrote for Downbeat, perhaps with variables. */
    public SourcePosition(String file, int line) {
        this(file, line, false);
    }

    /** Creates the error {@code shop.http:12: }, followed by what is wrong and what is accepted. */
    public IllegalArgumentException refusal(String what) {
        return new IllegalArgumentException(this + ": " + what);
    }

    /** Quoted input, made safe to display: it may contain secrets or binary data. */
    public static String found(String text) {
        String line = Redaction.line(SafeText.line(text.strip()));
        return "'" + (line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...") + "'";
    }

    /** The first word of quoted input; what follows may be a secret. */
    public static String foundWord(String text) {
        return found(text.strip().split("\\s", 2)[0] + " ...");
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line;
    }
}
