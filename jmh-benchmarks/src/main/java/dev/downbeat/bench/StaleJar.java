package dev.downbeat.bench;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/** Detects a benchmark jar that is older than the sources of its checkout. The jar contains several modules. */
final class StaleJar {
    private static final String BUILD = "mvn -q -pl jmh-benchmarks -am -DskipTests package";
    private static final String MAIN = "src/main";

    private final File checkout;
    private final Predicate<String> contents;
    private final long builtMillis;

    StaleJar(File jar, Predicate<String> contents) {
        this.checkout = jar.getParentFile().getParentFile().getParentFile();
        this.contents = contents;
        this.builtMillis = jar.lastModified();
    }

    /** Why the jar of this class must not be used; empty if it is current or in no checkout. */
    static Optional<String> refusal() {
        try {
            Path here = Path.of(StaleJar.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return here.endsWith("jmh-benchmarks/target/benchmarks.jar")
                    ? new StaleJar(here.toFile(), name -> StaleJar.class.getResource("/" + name) != null).newerSource()
                    : Optional.empty();
        } catch (URISyntaxException noFile) {
            return Optional.empty();
        }
    }

    /** A sentence that names a source changed after the build. */
    Optional<String> newerSource() {
        return modules(checkout, 2)
                .map(file -> "benchmarks.jar is older than " + checkout.toPath().relativize(file.toPath())
                        + ". Build it first: " + BUILD);
    }

    private Optional<File> modules(File folder, int depth) {
        Optional<File> found = Optional.empty();
        for (File one : children(folder)) {
            if (found.isEmpty() && one.isDirectory()) {
                File main = new File(one, MAIN);
                found = newer(new File(main, "java"), "").or(() -> newer(new File(main, "resources"), ""));
                found = found.isEmpty() && depth > 1 ? modules(one, depth - 1) : found;
            }
        }
        return found;
    }

    private Optional<File> newer(File folder, String path) {
        for (File one : children(folder)) {
            String name = path + one.getName();
            Optional<File> found = one.isDirectory() ? newer(one, name + "/") : Optional.empty();
            boolean isNewer = one.isFile()
                    && one.lastModified() > builtMillis
                    && contents.test(name.replaceFirst("\\.java$", ".class"));
            if (found.isPresent() || isNewer) {
                return isNewer ? Optional.of(one) : found;
            }
        }
        return Optional.empty();
    }

    private static File[] children(File folder) {
        File[] all = folder.listFiles();
        return all == null ? new File[0] : all;
    }
}
