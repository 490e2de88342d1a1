package dev.downbeat.cli.shard;

import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.measurement.Messages;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.paper.ShellWords;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A plan wrapped for an engine that starts copies of a process: what is printed can be applied as it is.
 *
 * @param plan what all of them run
 * @param options what each of them gets
 * @param start when all of them begin
 * @param hasSecrets whether the plan's words hold what is nobody's business
 * @param files what the plan names; they travel with a job of Kubernetes, in a Secret
 * @param runSeconds how long requests are meant to start
 */
public record EngineJob(
        PlanFile plan, EngineOptions options, Instant start, boolean hasSecrets, List<Path> files, long runSeconds) {
    /** For what comes before and after: a node that has to be made, an image that is pulled, a drain, an upload. */
    private static final long RESERVE_SECONDS = 3_600;

    private static final String RESULTS = "/results";

    public EngineJob {
        files = List.copyOf(files);
    }

    /** After which a job that hangs is ended: whole hours, so that the same plan for the same start is the same text. */
    long deadlineSeconds() {
        long untilStart = Math.max(0, Duration.between(Instant.now(), start).toSeconds());
        long seconds = untilStart + runSeconds + RESERVE_SECONDS;
        return (seconds + 3_599) / 3_600 * 3_600;
    }

    String name() {
        return options.name != null ? options.name : "downbeat-" + plan.id();
    }

    String resultFile() {
        return options.store == null
                ? RESULTS + "/" + name() + "-" + OutputFile.SHARD + ".downbeat"
                : folderInStore() + "shard-" + OutputFile.SHARD + ".downbeat";
    }

    private String folderInStore() {
        return options.store + (String.valueOf(options.store).endsWith("/") ? "" : "/") + name() + "/";
    }

    String whenOver() {
        return "# When the job is over"
                + (options.store == null
                        ? ", where the volume is mounted: downbeat merge " + RESULTS + "/" + name() + "-*.downbeat"
                        : ": downbeat merge " + ShellWords.quoted(folderInStore()));
    }

    /** Lines that are there only if results go to a volume. */
    String ifVolume(String lines) {
        return options.volume == null ? "" : lines.formatted(RESULTS, quoted(options.volume));
    }

    String ifRole(String line) {
        return options.role == null ? "" : line.formatted(quoted(options.role));
    }

    String head() {
        return """
                # Plan %s: %s
                # %s, %d shards, each of which begins at $DOWNBEAT_START_AT or says that it was late.
                """.formatted(plan.id(), oneLine(plan.target()), oneLine(plan.load()), plan.shards());
    }

    private static String oneLine(String text) {
        return Messages.line(text);
    }

    /** As JSON and YAML write a string. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ') {
                quoted.append(PlanText.format("\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
