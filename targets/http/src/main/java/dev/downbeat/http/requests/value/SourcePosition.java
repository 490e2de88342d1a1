package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;

/**
 * A line of a file, for messages.
 *
 * @param file what to call the file
 * @param line from 1; 0 if it is about the file as a whole
 */
public record SourcePosition(String file, int line) {
    /** So many characters of what was found are shown at most. */
    private static final int LONGEST = 60;

    /** What to throw: {@code shop.http:12: } and what is wrong, with what is accepted. */
    public IllegalArgumentException refusal(String what) {
        return new IllegalArgumentException(this + ": " + what);
    }

    /** What was found there, as it may be shown: it may hold secrets, or be no text at all. */
    public static String found(String text) {
        String line = Redaction.line(Plain.line(text.strip()));
        return "'" + (line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...") + "'";
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line;
    }
}
