package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.file.ObjectStore;
import dev.downbeat.cli.shard.ShardFiles;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.caveat.Caveat.ShardCaveat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "merge",
        header = "Merges the results of all shards losslessly.",
        customSynopsis = "downbeat merge FILE... [OPTION...]",
        footer = {
            "",
            "Counts are added, and the verdict is that of the sum: percentiles are never",
            "averaged. One unsound shard makes the sum unsound."
        },
        exitCodeList = {
            "  0:merged; the objectives were met, or none was set",
            "  1:a report could not be written",
            "  2:invalid command line, or the files do not belong together: each reason is named",
            " 98:an objective is undecided, or a recording is damaged",
            " 99:an objective was missed",
            "130:a shard was stopped, as by downbeat stop, and none failed or was killed"
        })
public final class MergeCommand extends AnyCommand.ResultCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = {
                "Shard results, saved with -o NAME.downbeat; for a killed shard, NAME.downbeat.part.",
                "s3://BUCKET/FOLDER/ reads all of it."
            })
    List<String> files = new ArrayList<>();

    @Option(
            names = "--max-skew",
            paramLabel = "TIME",
            description = "Largest difference between the starts of shards, each by its own clock. Default 100ms.")
    Duration maxSkew = Duration.ofNanos(ShardCaveat.StartSkew.ALLOWED_NANOS);

    @Option(
            names = "--partial",
            description = "Merges the available shards if some are missing; the result is unsound.")
    boolean partial;

    @Option(names = "--accept-unsound", description = "Exits with 0 instead of 98.")
    boolean acceptUnsound;

    @Override
    int call(Console console) throws IOException {
        try (ObjectStore.LocalCopies copies = new ObjectStore.LocalCopies()) {
            return merge(copies.of(files), console);
        }
    }

    private int merge(List<Path> here, Console console) throws IOException {
        output.refuseOver(() -> here);
        ShardFiles shards = ShardFiles.of(here, partial, maxSkew);
        if (!shards.problems().isEmpty()) {
            shards.problems().forEach(console::error);
            return ExitCode.USAGE;
        }
        return console.report(shards.merged(false).accepting(acceptUnsound));
    }
}
