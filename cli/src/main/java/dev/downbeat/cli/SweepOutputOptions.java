package dev.downbeat.cli;

import dev.downbeat.cli.OutputFile.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where the result of a search goes. */
final class SweepOutputOptions {
    private static final Set<Kind> TAKEN = EnumSet.of(Kind.DOWNBEAT, Kind.HTML, Kind.JSON);

    @Option(names = "--json", description = "The result on stdout as JSON.")
    boolean json;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            converter = OutputFile.Converter.class,
            description = {"Saves the result too; the ending chooses:", ".downbeat (all of it) .html .json; repeatable."
            })
    List<OutputFile> files = new ArrayList<>();

    @Option(
            names = {"-q", "--quiet"},
            description = "Nothing on stderr but errors.")
    boolean quiet;

    void check() {
        for (OutputFile file : files) {
            if (!TAKEN.contains(file.kind())) {
                throw new TypeConversionException(
                        "-o " + file.name() + ": a search is saved as .downbeat, .html or .json");
            }
            file.check();
        }
    }

    /** The same, for who writes. */
    OutputOptions toOutput() {
        return OutputOptions.of(json, quiet, files);
    }
}
