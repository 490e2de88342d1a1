package dev.downbeat.report.file;

import java.io.BufferedReader;
import java.io.IOException;

/** Lines that were written to their end: what follows the last line feed was cut off. Not thread-safe. */
final class WholeLines {
    private static final int LONGEST = 512 << 20;

    private final BufferedReader in;
    private final StringBuilder line = new StringBuilder();

    WholeLines(BufferedReader in) {
        this.in = in;
    }

    /** The next line without its end; empty if there is none. */
    String next() throws IOException {
        line.setLength(0);
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toString();
            }
            if (line.length() == LONGEST) {
                throw new IOException("a line is longer than " + LONGEST + " characters");
            }
            line.append((char) c);
        }
        return "";
    }
}
