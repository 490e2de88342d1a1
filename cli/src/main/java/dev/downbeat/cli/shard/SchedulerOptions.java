package dev.downbeat.cli.shard;

import dev.downbeat.cli.measurement.option.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The scheduler that starts the shards, and the settings of each. */
public final class SchedulerOptions {
    private static final String DEFAULT_IMAGE = "downbeat:latest";
    private static final Pattern MEMORY = Pattern.compile("(\\d{1,6})(Mi|Gi)");
    public static final Pattern STORE = Pattern.compile("s3://[a-z0-9][a-z0-9.-]+[a-z0-9](/[^\\s{}\"\\\\]*)?");

    private static final Pattern HOST = Pattern.compile("([a-zA-Z0-9][-_.a-zA-Z0-9]*@)?[a-zA-Z0-9][-.a-zA-Z0-9]*");
    private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,50}[a-z0-9])?");

    /** The schedulers that each option is for; what it sets is in no plan. */
    private static final Map<String, List<String>> ONLY = Map.of(
            "--name", List.of("--kubernetes", "--slurm", "--ssh"),
            "--image", List.of("--kubernetes"),
            "--volume", List.of("--kubernetes"),
            "--store", List.of("--kubernetes"),
            "--role", List.of("--kubernetes"),
            "--cpus", List.of("--kubernetes", "--slurm"),
            "--memory", List.of("--kubernetes", "--slurm"));

    @Option(names = "--kubernetes", description = "Prints an Indexed Job: kubectl apply -f FILE.")
    public boolean kubernetes;

    @Option(names = "--slurm", description = "Prints a script for one allocation of all shards: sbatch FILE.")
    public boolean slurm;

    @Option(
            names = "--ssh",
            paramLabel = "HOST,...",
            hideParamSyntax = true,
            split = ",",
            description = "Prints a script that runs a shard on each host, waits and merges: sh FILE.")
    public List<String> ssh = new ArrayList<>();

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the job. Default downbeat-ID.")
    @Nullable
    String name;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "The container image with Downbeat. Default " + DEFAULT_IMAGE + ".")
    String image = DEFAULT_IMAGE;

    @Option(
            names = "--volume",
            paramLabel = "NAME",
            description = "PersistentVolumeClaim for the results of all shards (Kubernetes).")
    @Nullable
    String volume;

    @Option(
            names = "--store",
            paramLabel = "s3://BUCKET/FOLDER",
            description = "Where shards upload their results, instead of to a volume.")
    @Nullable
    String store;

    @Option(names = "--role", paramLabel = "NAME", description = "Service account that may write there (Kubernetes).")
    @Nullable
    String role;

    @Option(names = "--cpus", paramLabel = "N", description = "Processors of each shard. Default 2.")
    int cpus = 2;

    @Option(names = "--memory", paramLabel = "SIZE", description = "Memory of each shard: 512Mi, 2Gi. Default 1Gi.")
    String memory = "1Gi";

    /** Whether the plan is wrapped for a scheduler. */
    public boolean isAny() {
        return kubernetes || slurm || !ssh.isEmpty();
    }

    /** Refuses contradictory options, and those without effect on the scheduler. */
    public void check(ParseResult parsed) {
        int schedulers = (kubernetes ? 1 : 0) + (slurm ? 1 : 0) + (ssh.isEmpty() ? 0 : 1);
        Refusal.when(schedulers > 1, "--kubernetes, --slurm and --ssh are mutually exclusive: make one at a time");
        for (String host : ssh) {
            Refusal.when(
                    !HOST.matcher(host).matches(),
                    "--ssh must be hosts such as load1,user@load2, but one was '" + host + "'");
        }
        for (Map.Entry<String, List<String>> only : ONLY.entrySet()) {
            Refusal.when(
                    parsed.hasMatchedOption(only.getKey())
                            && only.getValue().stream().noneMatch(parsed::hasMatchedOption),
                    only.getKey() + " requires "
                            + String.join(" or ", only.getValue()).replaceFirst(" or (?=.* or )", ", "));
        }
        Refusal.when(cpus < 1 || cpus > 1_000, "--cpus must be from 1 to 1000, but was " + cpus);
        Refusal.when(memoryMebibytes() < 64, "--memory must be at least 64Mi, but was " + memory);
        Refusal.when(
                name != null && !NAME.matcher(name).matches(),
                "--name must be lower-case letters, digits and '-', at most 52 of them, but was '" + name + "'");
        Refusal.when(
                kubernetes && volume == null && store == null,
                "--volume or --store is missing: the claim of a volume that all pods can write to (ReadWriteMany), or"
                        + " s3://BUCKET/FOLDER");
        Refusal.when(
                volume != null && store != null,
                "--volume and --store are mutually exclusive: results go to one place");
        Refusal.when(
                store != null && !STORE.matcher(store).matches(),
                "--store must be s3://BUCKET or s3://BUCKET/FOLDER, the bucket's name of at least 3 letters in lower case,"
                        + " but was '" + store + "'");
    }

    long memoryMebibytes() {
        Matcher parts = MEMORY.matcher(memory);
        Refusal.when(!parts.matches(), "--memory must be a size such as 512Mi or 2Gi, but was '" + memory + "'");
        return Long.parseLong(parts.group(1)) * (parts.group(2).equals("Gi") ? 1_024 : 1);
    }
}
