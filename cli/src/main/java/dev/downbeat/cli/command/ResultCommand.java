package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.OutputOptions;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A command with a result that is shown and saved. */
abstract class ResultCommand extends AnyCommand {
    @Mixin(name = "Output")
    OutputOptions output = new OutputOptions();

    @Override
    public final Integer call() throws IOException {
        output.check();
        return call(Console.of(spec, output));
    }

    /**
     * Runs the command; its files have been checked.
     *
     * @return the exit code
     * @throws IOException if there is no result
     */
    abstract int call(Console console) throws IOException;
}
