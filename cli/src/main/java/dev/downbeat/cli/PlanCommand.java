package dev.downbeat.cli;

import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Shard;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** A load for several processes or machines. */
@Command(
        name = "plan",
        header = "Writes a load down that several processes or machines make together.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat plan TARGET --shards N [OPTION...]",
        footer = {
            "",
            "Rates, numbers and connections are those of all shards together. Each shard is run by",
            "  downbeat run --plan plan.json --shard 0/8 --start-at TIME -o shard-0.downbeat",
            "and 'downbeat merge' adds the results up."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"  0:the plan is made", "  1:it could not be written", "  2:the command line is wrong"})
final class PlanCommand implements Callable<Integer> {
    private static final int DEFAULT_START_MINUTES = 5;

    /** What is not of the load. */
    private static final Set<String> BESIDE = Set.of(
            "--shards",
            "--kubernetes",
            "--slurm",
            "--aws-batch",
            "--name",
            "--image",
            "--volume",
            "--store",
            "--role",
            "--execution-role",
            "--queue",
            "--cpus",
            "--memory");

    @Parameters(
            index = "0",
            paramLabel = "TARGET",
            description = "http://..., https://..., unix:/socket:/path, an SQS queue's URL, or sqs:QUEUE.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    String target;

    @Option(names = "--shards", paramLabel = "N", required = true, description = "How many processes share the load.")
    int shards;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Writes the plan there, and not to stdout.")
    @Nullable
    Path output;

    @Mixin(name = "Engine")
    EngineOptions engine = new EngineOptions();

    @Option(
            names = "--start-at",
            paramLabel = "TIME",
            converter = StartTime.Converter.class,
            description = "With an engine, when all shards begin: 2026-05-01T12:00:00Z, or +10m from now. Default +5m."
                    + " $DOWNBEAT_START_AT overrules it later.")
    @Nullable
    StartTime startAt;

    @Mixin(name = "Load")
    LoadOptions load = new LoadOptions();

    @Mixin(name = "Asking")
    AskingOptions asking = new AskingOptions();

    @Mixin(name = "Objectives")
    ObjectiveOptions objective = new ObjectiveOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        engine.check();
        if (startAt != null && (startAt.isTold() || !engine.isAny())) {
            throw new TypeConversionException("--start-at goes with --kubernetes, --slurm or --aws-batch: otherwise say"
                    + " it to each 'downbeat run --plan'");
        }
        if (QueueDemo.isMeant(target, asking.queue)) {
            throw new TypeConversionException("each shard would have an embedded queue of its own: name one");
        }
        PlanFile plan = plan();
        boolean hasSecrets = !Secrets.hide(plan.command()).equals(plan.command());
        if (hasSecrets) {
            engine.checkSecrets(plan);
            note("the plan holds a secret or a body of its command line: keep it as you keep those");
        }
        String text = engine.isAny() ? wrapped(plan, hasSecrets) : plan.text();
        return write(text, hasSecrets);
    }

    private PlanFile plan() throws IOException {
        RunCommand run = new RunCommand();
        run.load = load;
        run.asking = asking;
        run.objective = objective;
        run.spec = spec;
        try {
            load.shard = new Shard(0, shards);
            Job job = run.job(target); // all mistakes come to light, and it draws the seed
            return PlanMaker.plan(spec.commandLine().getParseResult(), BESIDE, load.wordsUnsaid(), job, shards);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        }
    }

    private String wrapped(PlanFile plan, boolean hasSecrets) {
        Instant start = startAt != null && startAt.at() != null
                ? startAt.at()
                : Instant.now().plus(DEFAULT_START_MINUTES, ChronoUnit.MINUTES);
        EngineJob job = new EngineJob(plan, engine, start.truncatedTo(ChronoUnit.SECONDS), hasSecrets);
        note("shards begin at " + job.start() + ", unless $DOWNBEAT_START_AT says otherwise");
        return engine.kubernetes ? job.kubernetes() : engine.slurm ? job.slurm() : job.awsBatch();
    }

    private int write(String text, boolean hasSecrets) {
        PrintWriter out = spec.commandLine().getOut();
        if (output == null) {
            out.print(text);
            out.flush();
            return out.checkError() ? ExitCode.NOTHING : ExitCode.MET;
        }
        try {
            if (hasSecrets) {
                PrivateFile.write(output, text);
            } else {
                Files.writeString(output, text);
            }
            return ExitCode.MET;
        } catch (IOException broken) {
            note("-o " + output + " was not written: " + Errors.ofFile(broken));
            return ExitCode.NOTHING;
        }
    }

    private void note(String text) {
        spec.commandLine().getErr().println("downbeat plan: " + text);
        spec.commandLine().getErr().flush();
    }
}
