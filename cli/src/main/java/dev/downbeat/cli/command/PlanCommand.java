package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.file.MachineAccess;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.shard.SchedulerManifest;
import dev.downbeat.cli.shard.SchedulerOptions;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.RunPlan;
import dev.downbeat.stats.Numbers;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "plan",
        header = "Splits a load into shards.",
        customSynopsis = "downbeat plan TARGET --shards N [OPTION...]",
        footer = {
            "",
            "Rates, counts and connections are totals over all shards. Each shard is",
            "run by",
            "  downbeat run --plan plan.json --shard 0/8 --meet WHERE -o shard-0.downbeat",
            "and 'downbeat merge' merges the results."
        },
        exitCodeList = {"  0:the plan was written or printed", "  1:it could not be written", "  2:invalid command line"
        })
public final class PlanCommand extends AnyCommand {
    private final ParsedOptions<Measurement> options = new ParsedOptions<>(Measurement.class, "target", "length");

    @Parameters(
            index = "0",
            paramLabel = "TARGET",
            description = "http://..., https://..., unix:/socket:/path, an SQS queue's URL, or sqs:QUEUE.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    String target;

    private static final int TOKEN_BYTES = 16;

    /** The assumed duration of a load that only its number of requests limits. */
    private static final Duration UNLIMITED = Duration.ofDays(7);

    @Option(names = "--shards", paramLabel = "N", description = "Number of shards.")
    @Nullable
    Integer shards;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Writes the plan there instead of to stdout.")
    @Nullable
    Path output;

    @Mixin(name = "Scheduler")
    SchedulerOptions scheduler = new SchedulerOptions();

    @Mixin(name = "Measurement")
    final CommandSpec optionSpec = options.spec();

    @Override
    public Integer call() throws IOException {
        Refusal.when(shards == null && scheduler.ssh.isEmpty(), "give --shards N");
        int hosts = scheduler.ssh.size();
        Refusal.when(
                shards != null && hosts > 0 && shards != hosts,
                "--ssh names " + Numbers.count(hosts, "host") + ", but --shards was " + shards
                        + ": a host runs one shard");
        return split(shards == null ? hosts : shards);
    }

    private int split(int shards) throws IOException {
        scheduler.check(spec.commandLine().getParseResult());
        Measurement value = options.value().of(target);
        if (output != null) {
            OutputFile.check(output);
            OutputOptions.refuseOver(output.toString(), List.of(output), value.neededFiles());
        }
        boolean hasSecrets = value.hasSecrets();
        Measurement whole = value.resolved();
        Job trial = trial(whole, shards);
        PlanFile plan = plan(whole, shards, trial);
        if (hasSecrets) {
            note("the plan contains secrets or a request body: keep it private");
        }
        List<Path> files = scheduler.kubernetes ? value.neededFiles() : List.of();
        String text = scheduler.isAny() ? wrapped(plan, whole, files, runSeconds(trial.plan())) : plan.text();
        return write(text);
    }

    /** The plan of a resolved measurement; detects all mistakes. */
    static PlanFile plan(Measurement value, int shards) {
        return plan(value, shards, trial(value, shards));
    }

    private static Job trial(Measurement value, int shards) {
        return Refusal.wrap(() -> Job.of(value, value.aim().orElseThrow(), ShardPart.trial(shards), null));
    }

    private static PlanFile plan(Measurement value, int shards, Job job) {
        return Refusal.wrap(() -> new PlanFile(
                Version.text(),
                ShardPart.PlanId.of(value, shards),
                shards,
                job.seed(),
                job.target().describe(),
                PlanText.load(job.plan()),
                Values.tree(value),
                List.of(),
                newToken()));
    }

    private static String newToken() {
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        return HexFormat.of().formatHex(token);
    }

    private String wrapped(PlanFile plan, Measurement value, List<Path> files, long runSeconds) {
        return new SchedulerManifest(plan, scheduler, MachineAccess.of(value).permission(), files, runSeconds).text();
    }

    /** The longest time from the warm-up to the last response; assumed for a load without a time limit. */
    private static long runSeconds(RunPlan plan) {
        Duration warmUp = plan.warmUpNanos() == 0
                ? Duration.ZERO
                : Duration.ofNanos(plan.warmUp().durationNanos())
                        .plusNanos(plan.warmUp().drainNanos());
        Duration load = plan.durationNanos() == Long.MAX_VALUE ? UNLIMITED : Duration.ofNanos(plan.durationNanos());
        return warmUp.plus(load).plusNanos(plan.drainNanos()).toSeconds();
    }

    private int write(String text) {
        PrintWriter out = spec.commandLine().getOut();
        if (output == null) {
            out.print(text);
            out.flush();
            return out.checkError() ? ExitCode.NOTHING : ExitCode.MET;
        }
        try {
            OutputFile.writePrivately(output, text); // it contains the token that admits shards to the meeting
            return ExitCode.MET;
        } catch (IOException broken) {
            note("-o " + output + " was not written: " + Messages.of(broken));
            return ExitCode.NOTHING;
        }
    }

    private void note(String text) {
        spec.commandLine().getErr().println("downbeat plan: " + text);
        spec.commandLine().getErr().flush();
    }
}
