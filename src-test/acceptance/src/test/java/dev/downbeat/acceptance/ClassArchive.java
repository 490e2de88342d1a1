package dev.downbeat.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The classes of the command line as the JVM needs them, made once for a jar, as the launcher does: without it a short command
 * spends half of its processor time on reading them.
 */
final class ClassArchive {
    private static final Path FILE = Checkout.root().resolve("src-test/acceptance/target/downbeat.jsa");
    private static final List<String> FLAGS = flags();

    private ClassArchive() {}

    /** What a JVM is told to use it; nothing where there is none. */
    static List<String> use() {
        return FLAGS;
    }

    private static List<String> flags() {
        try {
            if (!isNewerThanJar()) {
                make();
            }
            return isNewerThanJar() ? List.of("-XX:SharedArchiveFile=" + FILE) : List.of();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static boolean isNewerThanJar() throws IOException {
        return Files.exists(FILE)
                && Files.getLastModifiedTime(FILE).compareTo(Files.getLastModifiedTime(Checkout.jar())) > 0;
    }

    /** By a short run against the demo. */
    private static void make() throws IOException {
        Path made = Files.createTempDirectory(FILE.getParent(), "archive").resolve(FILE.getFileName());
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:ArchiveClassesAtExit=" + made,
                "-jar",
                Checkout.jar().toString(),
                "run",
                "-d",
                "200ms",
                "-R",
                "50",
                "-q",
                "--accept-unsound",
                "--json");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(made.resolveSibling("log.txt").toFile());
        builder.environment().put("DOWNBEAT_LAST", "off");
        try {
            builder.start().waitFor(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (Files.exists(made)) {
            Files.move(made, FILE, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
