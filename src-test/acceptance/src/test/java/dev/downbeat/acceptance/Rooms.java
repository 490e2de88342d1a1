package dev.downbeat.acceptance;

/** The rooms of the library, and packages as rules name them. */
final class Rooms {
    static final String[] LIBRARY_ROOMS = {
        "time",
        "arrival",
        "exchange",
        "json",
        "record",
        "selfcheck",
        "run",
        "simulate",
        "stats",
        "event",
        "verdict",
        "analysis",
        "compare",
        "capacity",
        "audit",
        "why",
        "report",
        "load"
    };

    static final String[] LIBRARY = packagesOf(LIBRARY_ROOMS);

    private Rooms() {}

    static String[] packagesOf(String... rooms) {
        return java.util.Arrays.stream(rooms)
                .map(room -> "dev.downbeat." + room + "..")
                .toArray(String[]::new);
    }

    static String[] and(String[] some, String... more) {
        return java.util.stream.Stream.concat(java.util.Arrays.stream(some), java.util.Arrays.stream(more))
                .toArray(String[]::new);
    }
}
