package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Console.OutputOptions;
import dev.downbeat.cli.meet.MeetingPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The common base of all commands: the layout of their help, and access to their options. */
@Command(
        mixinStandardHelpOptions = true,
        addMethodSubcommands = false,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n")
abstract class AnyCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    /** A command with a result that is shown and saved. */
    abstract static class ResultCommand extends AnyCommand {
        @Mixin(name = "Output")
        OutputOptions output = new OutputOptions();

        @Override
        public final Integer call() throws IOException {
            output.refuseOver(this::filesRead); // reads the options, which limit lookups, before the first one
            output.check();
            return call(Console.of(spec, output));
        }

        /** The files that the command reads, which its result must not replace. */
        List<Path> filesRead() {
            return List.of();
        }

        /** Runs the command; returns the exit code. */
        abstract int call(Console console) throws IOException;
    }

    /** A command about shards that meet. */
    abstract static class MeetingCommand extends AnyCommand {
        @Parameters(paramLabel = "WHERE", description = "As after --meet: " + MeetingPlace.FORMS + ".")
        @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
        MeetingPlace where;

        @Option(names = "--plan", paramLabel = "FILE", description = "The plan of the shards. Default plan.json.")
        String plan = "plan.json";
    }
}
