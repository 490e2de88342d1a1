package dev.downbeat.acceptance;

/** The library's packages, and patterns of ArchUnit for packages. */
final class LibraryPackages {
    static final String[] LIBRARY_PACKAGES = {
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

    static final String[] LIBRARY = packagesOf(LIBRARY_PACKAGES);

    private LibraryPackages() {}

    static String[] packagesOf(String... names) {
        return java.util.Arrays.stream(names)
                .map(name -> "dev.downbeat." + name + "..")
                .toArray(String[]::new);
    }

    static String[] and(String[] some, String... more) {
        return java.util.stream.Stream.concat(java.util.Arrays.stream(some), java.util.Arrays.stream(more))
                .toArray(String[]::new);
    }
}
