package dev.downbeat.report.file;

import dev.downbeat.report.file.tree.ForeignFile;
import java.io.BufferedReader;
import java.io.IOException;

/**
 * Reads complete lines of JSON; an incomplete last line is dropped. A line is followed by a tab and its checksum; files
 * of older versions have none. Not thread-safe.
 */
final class WholeLines {
    private static final int SUM = 9;

    private final BufferedReader in;
    private final long longest = ForeignFile.room();
    private final StringBuilder line = new StringBuilder();
    private boolean isFirst = true;
    private boolean hasSums;

    WholeLines(BufferedReader in) {
        this.in = in;
    }

    /** The line with its checksum and line feed. */
    static String sealed(String line) {
        return line + '\t' + ForeignFile.sum(line) + '\n';
    }

    /** The next line without its end and checksum; empty if there is none. */
    String next() throws IOException {
        line.setLength(0);
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return checked(line.toString());
            }
            if (line.length() >= longest) {
                throw new IOException("a line is longer than " + longest + " characters");
            }
            line.append((char) c);
        }
        return "";
    }

    private String checked(String whole) throws IOException {
        int tab = whole.length() - SUM;
        boolean hasSum = tab > 0 && whole.charAt(tab) == '\t';
        hasSums |= isFirst && hasSum;
        isFirst = false;
        if (!hasSums) {
            return whole;
        }
        String text = hasSum ? whole.substring(0, tab) : whole;
        if (!hasSum || !whole.substring(tab + 1).equals(ForeignFile.sum(text))) {
            throw new IOException("garbled: the checksum of a line is wrong");
        }
        return text;
    }
}
