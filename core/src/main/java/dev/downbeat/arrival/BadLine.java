package dev.downbeat.arrival;

/** Says where a recording cannot be read and what was expected there. */
final class BadLine {
    private static final int SHOWN = 120;

    private BadLine() {}

    static IllegalArgumentException of(String name, int number, String expected, String line) {
        String shown = line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
        return new IllegalArgumentException(
                name + ", line " + number + ": expected " + expected + ", but was \"" + shown + "\"");
    }
}
