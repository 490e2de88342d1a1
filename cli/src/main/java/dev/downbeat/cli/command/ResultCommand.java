package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.OutputOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that has a result, to be shown and saved. */
abstract class ResultCommand implements Callable<Integer> {
    @Mixin(name = "Output")
    OutputOptions output = new OutputOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public final Integer call() throws IOException {
        output.check();
        return call(Console.of(spec, output));
    }

    /**
     * Does it, now that its files can be written.
     *
     * @return the exit code
     * @throws IOException if there is no result
     */
    abstract int call(Console console) throws IOException;
}
