package dev.downbeat.acceptance;

import dev.downbeat.testing.ParsedJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The command line in a process of its own, as a user starts it. Its output goes to files, so that a full pipe cannot block
 * it. Not thread-safe.
 */
final class Cli implements AutoCloseable {
    /** The launcher's JVM flags. */
    private static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=4",
            "-Xshare:auto");

    private final Process process;
    private final Path out;
    private final Path err;

    private Cli(List<String> command, Path folder) throws IOException {
        out = Files.createTempFile("downbeat-out", ".txt");
        err = Files.createTempFile("downbeat-err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("DOWNBEAT_") || name.startsWith("GITHUB_"));
        builder.environment().put("DOWNBEAT_LAST", "off"); // leaves the developer's own last runs alone
        builder.environment()
                .put("XDG_CONFIG_HOME", folder.resolve("no-such-folder").toString()); // and their options
        process = builder.start();
    }

    /**
     * The result of a process.
     *
     * @param code the exit code
     * @param out all standard output
     * @param err all standard error
     */
    record Ending(int code, String out, String err) {
        ParsedJson json() {
            return ParsedJson.parse(out);
        }

        List<String> errLines() {
            return err.lines().toList();
        }

        boolean hasStackTrace() {
            String all = out + "\n" + err;
            return all.contains("\tat ") || all.contains("Exception in thread") || all.contains("Caused by:");
        }
    }

    /** Starts the jar with these arguments. */
    static Cli start(String... args) {
        return start(List.of(args));
    }

    static Cli start(List<String> args) {
        List<String> command = new ArrayList<>(defaultSignals());
        command.addAll(command(args.toArray(String[]::new)));
        return startCommand(command, Checkout.root());
    }

    /** The command that starts the jar. */
    static List<String> command(String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_FLAGS);
        command.addAll(ClassArchive.flags());
        command.add("-jar");
        command.add(Checkout.jar().toString());
        command.addAll(List.of(args));
        return command;
    }

    /** Starts any command in any folder. */
    static Cli startCommand(List<String> command, Path folder) {
        try {
            return new Cli(command, folder);
        } catch (IOException broken) {
            throw new UncheckedIOException("could not start " + command, broken);
        }
    }

    /** Runs the jar to its end. */
    static Ending run(Duration atMost, String... args) {
        try (Cli cli = start(args)) {
            return cli.end(atMost);
        }
    }

    /**
     * Restores the default signal handlers. A build in the background of a shell ignores SIGINT, and the process under test
     * would inherit that.
     */
    private static List<String> defaultSignals() {
        List<String> env = List.of("env", "--default-signal=INT,TERM,HUP");
        List<String> probe = new ArrayList<>(env);
        probe.add("true");
        try {
            boolean isSupported = new ProcessBuilder(probe).start().waitFor() == 0;
            return isSupported ? env : List.of();
        } catch (IOException none) {
            return List.of();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** Sends a signal, such as "INT". Returns once it is sent. */
    void signal(String name) {
        try {
            int code = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("SIG" + name + " could not be sent; " + outputSoFar());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Waits for the end; fails if the process does not end in time. */
    Ending end(Duration atMost) {
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running after " + atMost + "; " + outputSoFar());
            }
            return new Ending(process.exitValue(), Files.readString(out), Files.readString(err));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the command line", interrupted);
        }
    }

    /** Standard error so far. */
    String errSoFar() throws IOException {
        return Files.readString(err);
    }

    /** Standard output so far. */
    String outSoFar() throws IOException {
        return Files.readString(out);
    }

    private String outputSoFar() {
        try {
            return "stdout so far: " + Files.readString(out) + "; stderr so far: " + Files.readString(err);
        } catch (IOException broken) {
            return "its output cannot be read: " + broken.getMessage();
        }
    }

    /** Kills the process, even if stopped, and its descendants. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
        try {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
