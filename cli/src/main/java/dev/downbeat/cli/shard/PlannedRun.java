package dev.downbeat.cli.shard;

import dev.downbeat.cli.console.Root;
import dev.downbeat.cli.file.MachineAccess;
import dev.downbeat.cli.file.Permission;
import dev.downbeat.cli.file.SavedArguments;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.file.tree.UntrustedFile;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.run.Shard;
import dev.downbeat.stats.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** {@code run --plan}: the plan and its measurement. */
public record PlannedRun(PlanFile plan, Measurement value) {
    private static final String STDIN = "-";
    private static final String VARIABLE = "env:";

    /** Options allowed together with --plan. */
    private static final Set<String> OWN = Set.of(
            "--plan",
            Permission.ALLOW_EXEC,
            Permission.ALLOW_ENV,
            "--shard",
            "--start-at",
            "--meet",
            "--meet-timeout",
            "--without-missing",
            "--live-page",
            "--prometheus",
            "--output",
            "--undecided",
            "--json",
            "--quiet",
            "--verbose",
            "--color");

    /** Reads the plan of a shard; refuses other options that define the measurement, and a changed plan or file. */
    public static PlannedRun read(ShardOptions options, ParseResult parsed) {
        parsed.matchedPositionals().forEach(target -> {
            throw new TypeConversionException(
                    "--plan already defines the target: remove " + ShellWords.line(target.originalStringValues()));
        });
        for (OptionSpec option : parsed.matchedOptions()) {
            Refusal.when(
                    !OWN.contains(option.longestName()),
                    option.longestName() + " cannot be combined with --plan, which defines the load: create a new plan"
                            + " with " + option.longestName());
        }
        PlannedRun planned = read(
                Objects.requireNonNull(options.plan),
                options.permission(),
                Root.of(parsed.commandSpec()).orElseThrow());
        PlanFile plan = planned.plan;
        String here = Refusal.wrap(() -> ShardPart.PlanId.of(
                plan.command().isEmpty()
                        ? Values.words(planned.value)
                        : plan.command().subList(1, plan.command().size()),
                planned.value.contents(),
                plan.shards()));
        Refusal.when(
                !here.equals(plan.id()),
                "the plan's id is " + plan.id() + ", but its content and files give " + here
                        + ": one of them was changed, or another version of Downbeat made it");
        return planned;
    }

    /** Reads a plan, without the files that it names. */
    public static PlannedRun read(String place, Permission permission, Root root) {
        PlanFile plan = plan(place);
        Measurement value = SavedArguments.measurement(root.another(), plan.measurement(), plan.command());
        MachineAccess.check("--plan " + place, value, permission);
        return new PlannedRun(plan, value);
    }

    /** Reads a plan, whatever it measures. */
    public static PlanFile plan(String place) {
        try {
            return PlanFile.parse(text(place));
        } catch (IOException unreadable) {
            throw new TypeConversionException(Messages.unreadable("--plan " + place, unreadable));
        }
    }

    /** The part that the command line or the scheduler selects. */
    public ShardPart part(ShardOptions options) {
        return options.part(shard(options), plan.id());
    }

    private Shard shard(ShardOptions options) {
        Shard given = options.shard;
        if (given != null) {
            Refusal.when(
                    given.count() != plan.shards(),
                    "the plan has " + Numbers.count(plan.shards(), "shard") + ", but --shard was " + given);
            return given;
        }
        OptionalInt index = ArrayIndex.of(System.getenv(), plan.shards());
        Refusal.when(
                index.isEmpty() && plan.shards() > 1,
                "--shard I/" + plan.shards() + " is missing, and no scheduler sets an index ("
                        + String.join(", ", ArrayIndex.NAMES) + ")");
        return new Shard(index.orElse(0), plan.shards());
    }

    /** The file of a plan; empty if it comes from elsewhere. */
    public static Optional<Path> file(String place) {
        return place.equals(STDIN) || place.startsWith(VARIABLE)
                ? Optional.empty()
                : Optional.of(OptionFormat.file(place));
    }

    private static String text(String place) throws IOException {
        if (place.equals(STDIN)) {
            return UntrustedFile.text(System.in);
        }
        if (place.startsWith(VARIABLE)) {
            String text = System.getenv(place.substring(VARIABLE.length()));
            if (text == null) {
                throw new IOException("there is no such variable");
            }
            return text;
        }
        return UntrustedFile.text(OptionFormat.file(place));
    }

    /** The index of this copy of a job, as the scheduler that started it sets it in the environment. */
    public static final class ArrayIndex {
        private static final String SLURM = "SLURM_ARRAY_TASK_ID";
        private static final String TASK = "SLURM_PROCID";

        /** Kubernetes Indexed Jobs, AWS Batch array jobs, Slurm job arrays, Nomad groups, tasks of srun. */
        private static final String[] NAMES = {
            "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", SLURM, "NOMAD_ALLOC_INDEX", TASK
        };

        private ArrayIndex() {}

        /**
         * The index from 0; empty if no scheduler sets one.
         *
         * @param environment environment of this process
         * @param shards number of shards in the plan
         * @throws TypeConversionException if the scheduler's index does not fit the plan
         */
        public static OptionalInt of(Map<String, String> environment, int shards) {
            for (String name : NAMES) {
                String text = environment.get(name);
                if (text == null || text.isEmpty()) {
                    continue;
                }
                int index =
                        number(name, text) - (name.equals(SLURM) ? number(environment, "SLURM_ARRAY_TASK_MIN", 0) : 0);
                int count = name.equals(SLURM) ? number(environment, "SLURM_ARRAY_TASK_COUNT", shards) : shards;
                Refusal.when(
                        count != shards,
                        "the plan has " + shards + " shards, but SLURM_ARRAY_TASK_COUNT is " + count
                                + ": the array must be 0-" + (shards - 1));
                int tasks = name.equals(TASK) ? number(environment, "SLURM_STEP_NUM_TASKS", 1) : shards;
                Refusal.when(
                        tasks != shards,
                        "the plan has " + shards + " shards, but SLURM_STEP_NUM_TASKS is " + tasks
                                + ": start it with srun --ntasks=" + shards);
                Refusal.when(
                        index < 0 || index >= shards,
                        "the plan has shards 0 to " + (shards - 1) + ", but " + name + " is " + text);
                return OptionalInt.of(index);
            }
            return OptionalInt.empty();
        }

        private static int number(Map<String, String> environment, String name, int otherwise) {
            String text = environment.get(name);
            return text == null || text.isEmpty() ? otherwise : number(name, text);
        }

        private static int number(String name, String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException malformed) {
                throw new TypeConversionException(name + " must be a number, but was '" + text + "'");
            }
        }
    }
}
