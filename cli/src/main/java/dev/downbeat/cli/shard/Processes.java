package dev.downbeat.cli.shard;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.file.PrivateFile;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Shard;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    private final List<Child> children = new ArrayList<>();

    public Processes(Console console, Interruption interruption, PlanFile plan, boolean acceptUnsound) {
        this.console = console;
        this.interruption = interruption;
        this.plan = plan;
        this.acceptUnsound = acceptUnsound;
    }

    /** Runs, merges and reports; returns the exit code. */
    public int run() throws IOException {
        Path folder = Files.createTempDirectory("downbeat-");
        Thread last = new Thread(() -> children.forEach(Child::kill), "downbeat-children-end");
        Runtime.getRuntime().addShutdownHook(last);
        try {
            PrivateFile.write(Child.plan(folder), plan.text());
            String run = ShardPart.newRun();
            for (int shard = 0; shard < plan.shards(); shard++) {
                children.add(Child.start(new Shard(shard, plan.shards()), folder, run));
            }
            interruption.onFirst(() -> children.forEach(Child::stop));
            begin();
            int code = merged(await());
            return interruption.isReceived() ? interruption.exitCode() : code;
        } finally {
            children.forEach(Child::kill);
            Runtime.getRuntime().removeShutdownHook(last);
            delete(folder);
            interruption.finished();
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

    /** The available results. */
    private List<Path> await() throws IOException {
        List<Path> results = new ArrayList<>();
        for (Child child : children) {
            int code = exitCode(child);
            Path result = SavedFile.found(child.result());
            if (Files.exists(result)) {
                results.add(result);
            }
            if (!result.equals(child.result()) || !Files.exists(result)) {
                String words = child.lastWords();
                console.error("shard " + child.shard() + " (pid " + child.pid() + ") ended with " + code
                        + " before it could save its result" + (words.isEmpty() ? "" : ": " + words));
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

    private int merged(List<Path> results) {
        if (results.isEmpty()) {
            console.error("nothing could be measured: no process returned a result");
            return ExitCode.NOTHING;
        }
        ShardFiles files = ShardFiles.of(results, true, Duration.ofDays(1));
        for (String problem : files.problems()) {
            console.error(problem);
        }
        return files.problems().isEmpty() ? console.report(files.merged(), acceptUnsound) : ExitCode.NOTHING;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
