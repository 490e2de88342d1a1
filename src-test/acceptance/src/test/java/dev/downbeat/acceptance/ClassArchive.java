package dev.downbeat.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The class data archive of the command line, created once per jar in the same way as by the launcher. Without it a short
 * command spends half of its processor time on loading classes.
 */
final class ClassArchive {
    private static final Path FILE = Checkout.root().resolve("src-test/acceptance/target/downbeat.jsa");
    private static final List<String> FLAGS = createdFlags();

    private ClassArchive() {}

    /** The JVM flags that use the archive; none if it cannot be created. */
    static List<String> flags() {
        return FLAGS;
    }

    private static List<String> createdFlags() {
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

    /** Runs the launcher's training workload, in either way of its {@code train_archive}. */
    private static void make() throws IOException {
        Path folder = Files.createTempDirectory(FILE.getParent(), "archive");
        Path made = folder.resolve(FILE.getFileName());
        List<String> training = List.of("-cp", Checkout.jar().toString(), "dev.downbeat.cli.ClassArchiveWorkload");
        if (Runtime.version().feature() >= 25) {
            java(folder, "-XX:ArchiveClassesAtExit=" + made, training);
        } else {
            Path loaded = folder.resolve("loaded");
            java(folder, "-XX:DumpLoadedClassList=" + loaded, training);
            List<String> kept = Files.readAllLines(loaded).stream()
                    .filter(line -> !line.matches("@lambda-proxy.*picocli.*|dev\\.downbeat.*Converter.*"))
                    .toList();
            String list = "-XX:SharedClassListFile=" + Files.write(folder.resolve("kept"), kept);
            java(folder, "-Xshare:dump", List.of(list, "-XX:SharedArchiveFile=" + made, "-cp", training.get(1)));
        }
        if (!Files.exists(made)) {
            throw new AssertionError("no class archive: " + Files.readString(folder.resolve("log.txt")));
        }
        Files.move(made, FILE, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void java(Path folder, String flag, List<String> more) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", flag));
        command.addAll(more);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("log.txt").toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("GITHUB_"));
        builder.environment().put("DOWNBEAT_LAST", "off");
        try {
            builder.start().waitFor(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
