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

/** A process that runs one shard of a plan on this machine. It ends by itself when this one does. */
public final class Child {
    /** A process is started by a name. */
    private static final String MAIN = "dev.downbeat.cli.DownbeatMain";

    /** As the launcher starts it. */
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
     * Starts it.
     *
     * @param folder with the plan; the result comes there too
     * @param run the id that all shards have in common
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
        // its share of the processors: several that each take all of them for theirs would spin on each other
        int cores = Math.max(1, Runtime.getRuntime().availableProcessors() / shard.count());
        command.add("-XX:ActiveProcessorCount=" + cores);
        if (!options.isEmpty()) {
            command.addAll(List.of(options.split("\\s+")));
        }
        String classes = System.getProperty("java.class.path");
        boolean isJar = classes.endsWith(".jar") && !classes.contains(File.pathSeparator);
        // a jar that is started as one gets what its manifest asks for
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

    /** Waits until it could begin; false if it has ended instead. */
    boolean isReady() {
        try {
            return SignalledStart.READY.equals(said.readLine());
        } catch (IOException gone) {
            return false;
        }
    }

    /** Says when all begin, and from then on reads what it says, lest it waits for a reader. */
    void begin(Instant start) {
        Thread reader = new Thread(this::drain, "downbeat-child-" + shard.index());
        reader.setDaemon(true);
        reader.start();
        try {
            OutputStream in = process.getOutputStream();
            in.write((start + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException gone) {
            // Its result will be missing.
        }
    }

    private void drain() {
        try {
            said.lines().forEach(ignored -> {});
        } catch (UncheckedIOException gone) {
            // As wanted.
        }
    }

    /** Lets it end in good order, with what it has. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // As wanted.
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Waits for its end; its exit code. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    Shard shard() {
        return shard;
    }

    Path result() {
        return result(shard, folder);
    }

    /** The last line that it said on stderr; empty if none. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log(shard, folder));
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        } catch (IOException nothing) {
            return "";
        }
    }
}
