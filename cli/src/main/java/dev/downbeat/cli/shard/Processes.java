package dev.downbeat.cli.shard;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.ErrorLines;
import dev.downbeat.cli.console.GitHubSteps;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.NoMeasurement;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.Permission;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.loopback.ChildJvm;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.run.Shard;
import dev.downbeat.time.Daemon;
import dev.downbeat.verdict.ExitCode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * {@code run --processes}: runs the shards of a plan as local processes and writes one report. If a process dies, the
 * others continue; the report then covers the rest, says so, and is unsound.
 */
public final class Processes {
    /** The time between readiness of all processes and the start, in which they open their connections. */
    private static final Duration LEAD = Duration.ofSeconds(2);

    private final Console console;
    private final Interruption interruption;
    private final PlanFile plan;
    private final boolean acceptUnsound;
    private final Consumer<String> ifNothing;
    private final List<Child> children = new ArrayList<>();

    /** The results of shards of which no sum has been saved. */
    private List<Path> unsaved = List.of();

    /** {@code ifNothing} is called with the reason if no process returns a result. */
    public Processes(
            Console console,
            Interruption interruption,
            PlanFile plan,
            boolean acceptUnsound,
            Consumer<String> ifNothing) {
        this.console = console;
        this.interruption = interruption;
        this.plan = plan;
        this.acceptUnsound = acceptUnsound;
        this.ifNothing = ifNothing;
    }

    /** Runs, merges and reports; returns the exit code. */
    public int run() throws IOException {
        Path folder = Files.createTempDirectory("downbeat-");
        Thread last = new Thread(() -> children.forEach(Child::kill), "downbeat-children-end");
        Runtime.getRuntime().addShutdownHook(last);
        try {
            OutputFile.writePrivately(Child.plan(folder), plan.text());
            String run = ShardPart.newRun();
            for (int shard = 0; shard < plan.shards(); shard++) {
                children.add(Child.start(new Shard(shard, plan.shards()), folder, run));
            }
            interruption.onFirst(() -> children.forEach(Child::stop));
            begin();
            List<String> lost = new ArrayList<>();
            List<Path> results = await(lost);
            if (results.isEmpty()) {
                interruption.throwIfReceived();
            }
            lost.forEach(console::error);
            if (results.isEmpty()) {
                String why = "no process returned a result: " + lost.get(0);
                ifNothing.accept(why);
                throw new NoMeasurement(why);
            }
            return interruption.exitCode(merged(results));
        } finally {
            children.forEach(Child::kill);
            Runtime.getRuntime().removeShutdownHook(last);
            end(folder);
        }
    }

    private void begin() {
        boolean ready = true;
        for (Child child : children) {
            ready &= child.isReady();
        }
        if (!ready || interruption.isReceived()) {
            children.forEach(Child::stop);
            return;
        }
        Instant start = Instant.now().plus(LEAD);
        children.forEach(child -> child.begin(start));
        console.note(children.size() + " processes begin at " + start + ": pids "
                + String.join(
                        " ",
                        children.stream()
                                .map(child -> Long.toString(child.pid()))
                                .toList()));
    }

    /** The available results; {@code lost} gets why others are missing. */
    private List<Path> await(List<String> lost) throws IOException {
        List<Path> results = new ArrayList<>();
        for (Child child : children) {
            int code = exitCode(child);
            Path result = SavedFile.found(child.result());
            if (Files.exists(result)) {
                results.add(result);
            }
            if (!result.equals(child.result()) || !Files.exists(result)) {
                String error = child.lastErrorLine();
                lost.add("shard " + child.shard() + " (pid " + child.pid() + ") ended with " + code
                        + " before it could save its result" + (error.isEmpty() ? "" : ": " + error));
            }
        }
        return results;
    }

    private static int exitCode(Child child) throws IOException {
        try {
            return child.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stop);
        }
    }

    int merged(List<Path> results) {
        unsaved = results;
        ShardFiles files = ShardFiles.of(results, true, Duration.ofDays(1));
        for (String problem : files.problems()) {
            console.error(problem);
        }
        if (!files.problems().isEmpty()) {
            ifNothing.accept(String.join("; ", files.problems()));
            return ExitCode.NOTHING;
        }
        RunReport sum = files.merged(interruption.isReceived()).accepting(acceptUnsound);
        new GitHubSteps(System.getenv(), console).report(sum);
        int code = console.report(sum);
        console.keep(sum);
        unsaved = console.output().isSaved() ? List.of() : results;
        return code;
    }

    /** Deletes the folder of the processes, except for results whose sum has not been saved. */
    void end(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (unsaved.stream().noneMatch(result -> result.startsWith(file))) {
                    Files.deleteIfExists(file);
                }
            }
        }
        if (!unsaved.isEmpty()) {
            console.error("the results of the processes are kept: downbeat merge "
                    + (unsaved.size() < plan.shards() ? "--partial " : "")
                    + ShellWords.quoted(folder.toString()) + "/shard-*.downbeat*");
        }
    }

    /** A local process that runs one shard of a plan. It ends when its parent does. */
    public static final class Child {
        private static final String MAIN = "dev.downbeat.cli.DownbeatMain";

        /** On Linux the JVM's compilers yield to the threads that send: the same flags as in the launcher. */
        private static final List<String> YIELDING = Files.exists(Path.of("/proc/self/timerslack_ns"))
                ? List.of(
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-PrintWarnings",
                        "-XX:ThreadPriorityPolicy=1",
                        "-XX:CompilerThreadPriority=5")
                : List.of();

        public static final List<String> JVM = jvmOptions();

        private final Shard shard;
        private final Path folder;
        private final Process process;
        private final BufferedReader output;

        private Child(Shard shard, Path folder, Process process) {
            this.shard = shard;
            this.folder = folder;
            this.process = process;
            this.output = process.inputReader(StandardCharsets.UTF_8);
        }

        /** Starts a child for the plan in this folder; all shards share the id of the run. */
        static Child start(Shard shard, Path folder, String run) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(command(shard, folder, System.getenv()));
            builder.environment().put(ShardPart.RUN_VARIABLE, run);
            builder.environment().keySet().removeIf(name -> name.startsWith("GITHUB_")); // the parent reports the sum
            builder.redirectError(log(shard, folder).toFile());
            return new Child(shard, folder, builder.start());
        }

        private static List<String> jvmOptions() {
            try (InputStream in =
                    Objects.requireNonNull(Child.class.getResourceAsStream("/dev/downbeat/cli/jvm.options"))) {
                Stream<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
                return Stream.concat(lines.filter(line -> line.startsWith("-")), YIELDING.stream())
                        .toList();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        static List<String> command(Shard shard, Path folder, Map<String, String> environment) {
            List<String> flags = new ArrayList<>(JVM);
            flags.add("-XX:+DisplayVMOutputToStderr"); // why it cannot start: stderr has its last words
            // its share of the processors; several processes that each assume all of them would compete in spinning
            int cores = Math.max(1, Runtime.getRuntime().availableProcessors() / shard.count());
            flags.add("-XX:ActiveProcessorCount=" + cores);
            List<String> command =
                    ChildJvm.command(flags, ChildJvm.words(environment, "DOWNBEAT_JAVA_OPTS"), environment);
            String classes = System.getProperty("java.class.path");
            boolean isJar = classes.endsWith(".jar") && !classes.contains(File.pathSeparator);
            // a jar started with -jar gets the access its manifest declares
            command.addAll(isJar ? List.of("-jar", classes) : List.of("-cp", classes, MAIN));
            command.addAll(List.of("run", "--plan=" + plan(folder), "--shard=" + shard, "--start-at=told", "-q"));
            command.add(Permission.ALLOW_EXEC); // this process made the plan
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
                String line = output.readLine();
                while (line != null && !line.equals(SignalledStart.READY)) {
                    line = output.readLine(); // of the JVM, such as a log of its collector
                }
                return line != null;
            } catch (IOException gone) {
                return false;
            }
        }

        /** Sends the common start time, and from then on reads its output so that it never blocks. */
        void begin(Instant start) {
            Daemon.start("downbeat-child-" + shard.index(), this::drain);
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
                output.lines().forEach(ignored -> {});
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

        int await() throws InterruptedException {
            return process.waitFor();
        }

        Shard shard() {
            return shard;
        }

        Path result() {
            return result(shard, folder);
        }

        /** Its last line on stderr that is no hint; empty if there is none. */
        String lastErrorLine() {
            try (Stream<String> lines = Files.lines(log(shard, folder))) {
                return lines.filter(line -> !line.startsWith(ErrorLines.SEE))
                        .reduce((before, last) -> last)
                        .orElse("");
            } catch (IOException | UncheckedIOException nothing) {
                return "";
            }
        }
    }

    /** A start that the parent process sends on stdin when all its children are ready. The end of stdin stops the run. */
    public static final class SignalledStart {
        /** The line that a child writes on stdout when it is ready. */
        static final String READY = "ready";

        private final CompletableFuture<String> start = new CompletableFuture<>();

        private SignalledStart() {}

        /** Listens from now on: the end of the parent ends a warm-up, too. */
        public static SignalledStart listen(Interruption interruption) {
            SignalledStart signal = new SignalledStart();
            Daemon.start("downbeat-parent-watch", () -> signal.watch(interruption));
            return signal;
        }

        private void watch(Interruption interruption) {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    start.complete(line);
                }
            } catch (IOException gone) {
                // the same as the end of stdin
            }
            interruption.stop();
            start.cancel(false);
        }

        /**
         * Reports readiness and waits for the start.
         *
         * @throws IOException if the parent has exited or cancelled the start
         */
        public Instant await(PrintWriter out) throws IOException {
            out.println(READY);
            out.flush();
            try {
                return Instant.parse(start.join());
            } catch (CancellationException end) {
                throw new IOException("cancelled before the start", end);
            }
        }
    }
}
