package dev.downbeat.cli.shard;

import dev.downbeat.run.Shard;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A local process that runs one shard of a plan. It ends when its parent does. */
public final class Child {
    /** The main class of a child process. */
    private static final String MAIN = "dev.downbeat.cli.DownbeatMain";

    /** The launcher's JVM options. */
    public static final List<String> JVM = jvmOptions();

    private final Shard shard;
    private final Path folder;
    private final Process process;
    private final BufferedReader said;

    private Child(Shard shard, Path folder, Process process) {
        this.shard = shard;
        this.folder = folder;
        this.process = process;
        this.said = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts a child.
     *
     * @param folder folder of the plan and of the result
     * @param run id shared by all shards
     */
    static Child start(Shard shard, Path folder, String run) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(shard, folder));
        builder.environment().put(ShardPart.RUN_VARIABLE, run);
        builder.redirectError(log(shard, folder).toFile());
        return new Child(shard, folder, builder.start());
    }

    private static List<String> jvmOptions() {
        try (InputStream in =
                Objects.requireNonNull(Child.class.getResourceAsStream("/dev/downbeat/cli/jvm.options"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("-"))
                    .toList();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static List<String> command(Shard shard, Path folder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Map<String, String> environment = System.getenv();
        String options = environment.getOrDefault("DOWNBEAT_JAVA_OPTS", "").trim();
        boolean ownCollector = options.matches(".*-XX:\\+Use\\w+GC.*");
        JVM.stream().filter(flag -> !(ownCollector && flag.endsWith("GC"))).forEach(command::add);
        // its share of the processors; several processes that each assume all of them would compete in spinning
        int cores = Math.max(1, Runtime.getRuntime().availableProcessors() / shard.count());
        command.add("-XX:ActiveProcessorCount=" + cores);
        if (!options.isEmpty()) {
            command.addAll(List.of(options.split("\\s+")));
        }
        String classes = System.getProperty("java.class.path");
        boolean isJar = classes.endsWith(".jar") && !classes.contains(File.pathSeparator);
        // a jar started with -jar gets the access its manifest declares
        command.addAll(isJar ? List.of("-jar", classes) : List.of("-cp", classes, MAIN));
        command.addAll(List.of("run", "--plan=" + plan(folder), "--shard=" + shard, "--start-at=told", "-q"));
        command.add("--output=" + result(shard, folder));
        return command;
    }

    static Path plan(Path folder) {
        return folder.resolve("plan.json");
    }

    private static Path result(Shard shard, Path folder) {
        return folder.resolve("shard-" + shard.index() + ".downbeat");
    }

    private static Path log(Shard shard, Path folder) {
        return folder.resolve("shard-" + shard.index() + ".log");
    }

    long pid() {
        return process.pid();
    }

    /** Waits until it is ready to begin; false if it exited instead. */
    boolean isReady() {
        try {
            return SignalledStart.READY.equals(said.readLine());
        } catch (IOException gone) {
            return false;
        }
    }

    /** Sends the common start time, and from then on reads its output so that it never blocks. */
    void begin(Instant start) {
        Thread reader = new Thread(this::drain, "downbeat-child-" + shard.index());
        reader.setDaemon(true);
        reader.start();
        try {
            OutputStream in = process.getOutputStream();
            in.write((start + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException gone) {
            // its result will be missing
        }
    }

    private void drain() {
        try {
            said.lines().forEach(ignored -> {});
        } catch (UncheckedIOException gone) {
            // stop waiting
        }
    }

    /** Lets it end gracefully with its results so far. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // stop waiting
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Waits for its end; returns its exit code. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    Shard shard() {
        return shard;
    }

    Path result() {
        return result(shard, folder);
    }

    /** Its last line on stderr; empty if there is none. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log(shard, folder));
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        } catch (IOException nothing) {
            return "";
        }
    }
}
