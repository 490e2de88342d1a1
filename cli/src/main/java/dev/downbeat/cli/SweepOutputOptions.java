package dev.downbeat.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where the result of a search goes. */
final class SweepOutputOptions {
    @Option(names = "--json", description = "The result on stdout as JSON.")
    boolean json;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            converter = OutputFile.Converter.class,
            description = "Saves the result too, as .json; repeatable.")
    List<OutputFile> files = new ArrayList<>();

    @Option(
            names = {"-q", "--quiet"},
            description = "Nothing on stderr but errors.")
    boolean quiet;

    void check() {
        for (OutputFile file : files) {
            if (file.kind() != OutputFile.Kind.JSON) {
                throw new TypeConversionException("-o " + file.name() + ": a search is saved as .json");
            }
            file.check();
        }
    }

    /** The same, for who writes. */
    OutputOptions toOutput() {
        return OutputOptions.of(json, quiet, files);
    }
}
