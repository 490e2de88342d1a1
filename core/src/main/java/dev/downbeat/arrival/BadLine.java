package dev.downbeat.arrival;

/** Says where a recording cannot be read and what was expected there. A log may be anybody's: queries are not repeated. */
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
