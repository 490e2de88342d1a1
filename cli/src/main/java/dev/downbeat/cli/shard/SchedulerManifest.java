package dev.downbeat.cli.shard;

import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.Permission;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.stats.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * A plan wrapped for a scheduler that starts copies of a process. The output can be applied as it is.
 *
 * @param permission what a shard needs to take from its machine
 * @param files files of the plan; Kubernetes jobs get them in a Secret
 * @param runSeconds longest time from the warm-up to the last response
 */
public record SchedulerManifest(
        PlanFile plan, SchedulerOptions options, Permission permission, List<Path> files, long runSeconds) {
    /** Time for everything before and after the run: creating a node, pulling an image, an upload. */
    private static final long RESERVE_SECONDS = 3_600;

    public static final int MEET_PORT = 7413;

    private static final String RESULTS = "/results";

    public SchedulerManifest {
        files = List.copyOf(files);
    }

    /** The time after which a hung job is ended, in whole hours, so that equal plans give equal texts. */
    private long deadlineSeconds() {
        return (runSeconds + RESERVE_SECONDS + 3_599) / 3_600 * 3_600;
    }

    /**
     * The input of the scheduler: an Indexed Job for {@code kubectl apply -f}, accepted by the pod security standard
     * "restricted", where the group of the image's user may write to a new volume; a script for {@code sbatch}, one
     * allocation that Slurm starts as a whole; or a script for {@code sh} that starts a shard on each host, waits for all
     * and merges the results.
     */
    public String text() {
        return Template.named(options.kubernetes ? "kubernetes.yaml" : options.slurm ? "slurm.sh" : "ssh.sh")
                .filled(values());
    }

    private Map<String, String> values() {
        List<CarriedFile> carried = CarriedFile.read(files);
        StringBuilder contents = new StringBuilder();
        StringBuilder mounts = new StringBuilder();
        for (int i = 0; i < carried.size(); i++) {
            contents.append(PlanText.format("  file-%d: %s\n", i, carried.get(i).base64()));
            mounts.append(PlanText.format(
                    "            - { name: files, mountPath: %s, subPath: file-%d, readOnly: true }\n",
                    quoted(carried.get(i).place()), i));
        }
        Map<String, String> values = new HashMap<>();
        values.put("HEAD", head());
        values.put("WHEN_OVER", whenOver());
        values.put("NAME", name());
        values.put("PLAN", plan.text().stripTrailing().indent(4).stripTrailing());
        values.put("PLAN_TEXT", plan.text().stripTrailing());
        String allowed = permission.option();
        values.put("ALLOWED", allowed.isEmpty() ? "" : options.kubernetes ? quoted(allowed) + ", " : allowed + " ");
        values.put("FILES", contents.toString().stripTrailing());
        values.put("MOUNTS", mounts.toString().stripTrailing());
        values.put("FOLDER", CarriedFile.FOLDER);
        values.put("SHARDS", Integer.toString(plan.shards()));
        values.put("DEADLINE", Long.toString(deadlineSeconds()));
        values.put("IMAGE", quoted(options.image));
        values.put("RESULT", quoted(resultFile()));
        values.put("RESULTS", RESULTS);
        values.put("VOLUME", options.volume == null ? "" : quoted(options.volume));
        values.put("ROLE", options.role == null ? "" : quoted(options.role));
        values.put("HAS_ROLE", Boolean.toString(options.role != null));
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
        return "# After the job"
                + (options.store == null
                        ? ", where the volume is mounted: downbeat merge " + RESULTS + "/" + name() + "-*.downbeat"
                        : ": downbeat merge " + ShellWords.quoted(folderInStore()));
    }

    private String head() {
        return "# Plan %s: %s\n# %s, %s, which begin when all are ready."
                .formatted(
                        plan.id(),
                        Messages.line(plan.target()),
                        Messages.line(plan.load()),
                        Numbers.count(plan.shards(), "shard"));
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

    /**
     * A file that a plan names and that travels with it. Immutable.
     *
     * @param place path in the pod: relative names are below {@link #FOLDER}, the working directory; absolute ones are kept
     * @param base64 its content
     */
    private record CarriedFile(String place, String base64) {
        static final String FOLDER = "/files";

        /** Kubernetes objects are limited to 1 MiB, and base64 adds a third. */
        private static final int MOST_BYTES = 700_000;

        /** Reads the files; refuses unreadable or too large ones with one line. */
        static List<CarriedFile> read(List<Path> files) {
            List<CarriedFile> read = new ArrayList<>();
            Set<String> places = new HashSet<>();
            long bytes = 0;
            for (Path file : files) {
                String place = Path.of(FOLDER).resolve(file).normalize().toString();
                Refusal.when(place.contains(":"), "file names in a pod must not contain a colon: " + file);
                if (!places.add(place)) {
                    continue; // named twice, such as body.json and ./body.json
                }
                try {
                    bytes += Files.size(file);
                    String content =
                            bytes > MOST_BYTES ? "" : Base64.getEncoder().encodeToString(Files.readAllBytes(file));
                    read.add(new CarriedFile(place, content));
                } catch (IOException unreadable) {
                    throw new TypeConversionException(Messages.unreadable(file, unreadable));
                }
            }
            Refusal.when(
                    bytes > MOST_BYTES,
                    "the files of the plan have " + bytes + " bytes, and " + MOST_BYTES
                            + " travel in a Secret: put them into the image and run the plan there, or use --slurm, whose"
                            + " nodes share files");
            return read;
        }
    }

    /**
     * A text with placeholders such as {@code {{NAME}}}. A line that starts with {@code ?NAME} is kept only if that value
     * is not empty.
     */
    private record Template(String text) {
        private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([A-Z_]+)}}");
        private static final Pattern OPTIONAL = Pattern.compile("\\?([A-Z_]+) (.*)");

        static Template named(String name) {
            try (InputStream in = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
                return new Template(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        /** The text with the values filled in, which are not expanded again. */
        String filled(Map<String, String> values) {
            StringBuilder filled = new StringBuilder();
            text.lines().forEach(line -> {
                Matcher optional = OPTIONAL.matcher(line);
                boolean isOptional = optional.matches();
                if (!isOptional || !value(values, optional.group(1)).isEmpty()) {
                    Matcher placeholders = PLACEHOLDER.matcher(isOptional ? optional.group(2) : line);
                    filled.append(placeholders.replaceAll(
                                    placeholder -> Matcher.quoteReplacement(value(values, placeholder.group(1)))))
                            .append('\n');
                }
            });
            return filled.toString();
        }

        private static String value(Map<String, String> values, String placeholder) {
            return Objects.requireNonNull(values.get(placeholder), placeholder);
        }
    }
}
