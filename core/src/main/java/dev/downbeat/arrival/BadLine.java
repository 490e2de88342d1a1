package dev.downbeat.arrival;

/**
 * Builds the error for an unreadable line of a recording: where it is and what was expected. Logs may be confidential,
 * so query strings are left out.
 */
final class BadLine {
    private static final int SHOWN = 120;

    private BadLine() {}

    static IllegalArgumentException of(String name, int number, String expected, String line) {
        String shown = line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
        shown = shown.replaceAll("\\?\\S*", "?***").replaceAll("[\\p{Cntrl}\\p{Cf}\\u0080-\\u009f\\u2028\\u2029]", " ");
        return new IllegalArgumentException(
                name + ", line " + number + ": expected " + expected + ", but was \"" + shown + "\"");
    }
}
