package dev.downbeat.gatling;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A Gatling in a JVM of its own, with the jars that its version asks for.
 *
 * @param version such as {@code 3.11.5}
 * @param classPath of Gatling's jars, and ours without Gatling's
 */
record OtherGatling(String version, String classPath) {
    private static final Path POM = Path.of("src/test/versions/pom.xml");

    /** Asks Maven for the jars; a machine without a network may have them from before. */
    static OtherGatling of(String version) throws IOException, InterruptedException {
        Path file = Path.of("target", "gatling-" + version + ".classpath");
        if (!Files.exists(file) && maven(version, file, "-o") != 0 && maven(version, file) != 0) {
            throw new IOException("Maven did not find Gatling " + version);
        }
        return new OtherGatling(version, ours() + File.pathSeparator + Files.readString(file, StandardCharsets.UTF_8));
    }

    /** The same jars, which call themselves otherwise. */
    OtherGatling calledItself(String other, Path folder) throws IOException {
        Files.writeString(
                folder.resolve("gatling-version.properties"),
                "version=" + other + "\nrelease-date=2030-01-01T00:00:00Z\n");
        return new OtherGatling(other, folder + File.pathSeparator + classPath);
    }

    private static int maven(String version, Path file, String... options) throws IOException, InterruptedException {
        String home = System.getProperty("maven.home", "");
        List<String> command = new ArrayList<>();
        command.add(home.isEmpty() ? "mvn" : Path.of(home, "bin", "mvn").toString());
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-B",
                "-q",
                "-f",
                POM.toString(),
                "-Dgatling.version=" + version,
                "-Dmdep.outputFile=" + file.toAbsolutePath(),
                "dependency:build-classpath"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(5, TimeUnit.MINUTES) ? process.exitValue() : -1;
    }

    /** Downbeat and the simulations, without this build's own Gatling and what it brings. */
    private static String ours() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith("classes") // of the build's modules
                        || entry.contains("HdrHistogram")
                        || entry.contains("jspecify")
                        || entry.matches(".*[/\\\\]downbeat-[^/\\\\]*[.]jar"))
                .filter(entry -> !entry.contains("sqs"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Runs a simulation; what was printed is in {@code out} of the folder. */
    int run(String simulation, Path folder, String... options) throws IOException, InterruptedException {
        Process process = begin(simulation, folder, options);
        try {
            return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts one. */
    Process begin(String simulation, Path folder, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("--add-opens=java.base/java.lang=ALL-UNNAMED", "-Dgatling.data.enableAnalytics=false"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, "io.gatling.app.Gatling"));
        command.addAll(
                List.of("-s", simulation, "-rf", folder.resolve("results").toString(), "-nr"));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
    }
}
