package dev.downbeat.cli.shard;

import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.paper.ShellWords;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan wrapped for an engine that starts copies of a process. The output can be applied as it is.
 *
 * @param plan plan of all copies
 * @param options settings of each copy
 * @param start common start time
 * @param hasSecrets whether the plan contains secrets
 * @param files files of the plan; Kubernetes jobs get them in a Secret
 * @param runSeconds planned duration of the load
 */
public record EngineJob(
        PlanFile plan, EngineOptions options, Instant start, boolean hasSecrets, List<Path> files, long runSeconds) {
    /** Time for everything before and after the load: creating a node, pulling an image, the drain, an upload. */
    private static final long RESERVE_SECONDS = 3_600;

    /** The port of shard 0 in generated jobs. */
    public static final int MEET_PORT = 7413;

    private static final String RESULTS = "/results";

    public EngineJob {
        files = List.copyOf(files);
    }

    /** The time after which a hung job is ended, in whole hours, so that equal plans give equal texts. */
    private long deadlineSeconds() {
        long untilStart = Math.max(0, Duration.between(Instant.now(), start).toSeconds());
        long seconds = untilStart + runSeconds + RESERVE_SECONDS;
        return (seconds + 3_599) / 3_600 * 3_600;
    }

    /**
     * An Indexed Job for {@code kubectl apply -f}, accepted by the pod security standard "restricted". The group of the
     * image's user may write to a new volume.
     */
    public String kubernetes() {
        return Template.named("kubernetes.yaml").filled(values());
    }

    /** A script for {@code sbatch}: one allocation, which Slurm starts as a whole, or an array. */
    public String slurm() {
        return Template.named(options.isMeeting() ? "slurm.sh" : "slurm-array.sh")
                .filled(values());
    }

    /** A script for {@code sh} that starts a shard on each host, waits for all and merges the results. */
    public String ssh() {
        return Template.named("ssh.sh").filled(values());
    }

    /**
     * A script for {@code sh} that submits an array job to AWS Batch. Anyone who may describe a job definition can read
     * its environment. A plan with secrets is therefore stored in Secrets Manager, by stdin since command lines are
     * public, and the definition refers to it.
     */
    public String awsBatch() {
        return Template.named("batch.sh").filled(values());
    }

    private Map<String, String> values() {
        List<EngineFile> travelling = EngineFile.read(files);
        StringBuilder contents = new StringBuilder();
        StringBuilder mounts = new StringBuilder();
        for (int i = 0; i < travelling.size(); i++) {
            contents.append("  file-%d: %s\n".formatted(i, travelling.get(i).base64()));
            mounts.append("            - { name: files, mountPath: %s, subPath: file-%d, readOnly: true }\n"
                    .formatted(quoted(travelling.get(i).place()), i));
        }
        Map<String, String> values = new HashMap<>();
        values.put("HEAD", head());
        values.put("WHEN_OVER", whenOver());
        values.put("NAME", name());
        values.put("PLAN", plan.text().stripTrailing().indent(4).stripTrailing());
        values.put("PLAN_TEXT", plan.text().stripTrailing());
        values.put("PLAN_LINE", plan.line());
        values.put("PLAN_QUOTED", quoted(plan.line()));
        values.put("SECRET", hasSecrets ? "yes" : "");
        values.put("OPEN", hasSecrets ? "" : "yes");
        values.put("FILES", contents.toString().stripTrailing());
        values.put("MOUNTS", mounts.toString().stripTrailing());
        values.put("FOLDER", EngineFile.FOLDER);
        values.put("SHARDS", Integer.toString(plan.shards()));
        values.put("LAST", Integer.toString(plan.shards() - 1));
        values.put("ARRAY", plan.shards() == 1 ? "" : " --array-properties size=" + plan.shards());
        values.put("DEADLINE", Long.toString(deadlineSeconds()));
        values.put("START", start.toString());
        values.put("IMAGE", quoted(options.image));
        values.put("RESULT", quoted(resultFile()));
        values.put("RESULTS", RESULTS);
        values.put("VOLUME", options.volume == null ? "" : quoted(options.volume));
        values.put("ROLE", options.role == null ? "" : quoted(options.role));
        values.put("HAS_ROLE", Boolean.toString(options.role != null));
        values.put("EXECUTION_ROLE", quoted(String.valueOf(options.executionRole)));
        values.put("QUEUE", "'" + String.valueOf(options.queue).replace("'", "'\\''") + "'");
        values.put("CPUS", Integer.toString(options.cpus));
        values.put("MEMORY", options.memory);
        values.put("MEET_PORT", Integer.toString(MEET_PORT));
        values.put("MEET_HOST", options.ssh.isEmpty() ? "" : options.ssh.get(0).replaceFirst(".*@", ""));
        values.put("HOSTS", String.join(" ", options.ssh));
        values.put("MEBIBYTES_PER_CPU", Long.toString(-Math.floorDiv(-options.memoryMebibytes(), options.cpus)));
        values.put("MEBIBYTES", Long.toString(options.memoryMebibytes()));
        return values;
    }

    private String name() {
        return options.name != null ? options.name : "downbeat-" + plan.id();
    }

    private String resultFile() {
        return options.store == null
                ? RESULTS + "/" + name() + "-" + OutputFile.SHARD + ".downbeat"
                : folderInStore() + "shard-" + OutputFile.SHARD + ".downbeat";
    }

    private String folderInStore() {
        return options.store + (String.valueOf(options.store).endsWith("/") ? "" : "/") + name() + "/";
    }

    private String whenOver() {
        return "# When the job is over"
                + (options.store == null
                        ? ", where the volume is mounted: downbeat merge " + RESULTS + "/" + name() + "-*.downbeat"
                        : ": downbeat merge " + ShellWords.quoted(folderInStore()));
    }

    private String head() {
        return "# Plan %s: %s\n# %s, %d shards, which begin %s."
                .formatted(
                        plan.id(),
                        oneLine(plan.target()),
                        oneLine(plan.load()),
                        plan.shards(),
                        options.isMeeting()
                                ? "when all are ready"
                                : "at $DOWNBEAT_START_AT, or as soon after as they can");
    }

    private static String oneLine(String text) {
        return Messages.line(text);
    }

    /** A string in JSON and YAML. */
    private static String quoted(String text) {
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
