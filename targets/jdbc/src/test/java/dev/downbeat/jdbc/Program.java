package dev.downbeat.jdbc;

import dev.downbeat.testing.NotShown;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the machine's own packages, and where they may listen. */
final class Program {
    private Program() {}

    private static Optional<Path> find(String name) {
        return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/bin")
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Its path; {@link #need} comes first. */
    static String path(String name) {
        return find(name).orElseThrow().toString();
    }

    /** Ends a test that needs a program which is not there. */
    static void need(String name, String what) {
        if (find(name).isEmpty()) {
            throw NotShown.because("no " + name, what);
        }
    }
}
