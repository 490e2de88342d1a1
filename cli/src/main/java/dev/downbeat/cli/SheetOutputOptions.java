package dev.downbeat.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where a sheet goes. */
final class SheetOutputOptions {
    private static final Set<OutputFile.Kind> KINDS =
            Set.of(OutputFile.Kind.HTML, OutputFile.Kind.MARKDOWN, OutputFile.Kind.JSON);

    @Option(names = "--json", description = "The sheet on stdout as JSON.")
    boolean json;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            converter = OutputFile.Converter.class,
            description = "Saves the sheet too, as .html, .md or .json; repeatable.")
    List<OutputFile> files = new ArrayList<>();

    @Option(
            names = {"-q", "--quiet"},
            description = "Nothing on stderr but errors.")
    boolean quiet;

    void check() {
        for (OutputFile file : files) {
            if (!KINDS.contains(file.kind())) {
                throw new TypeConversionException("-o " + file.name() + ": a sheet is saved as .html, .md or .json");
            }
            file.check();
        }
    }

    /** The same, for who writes. */
    OutputOptions toOutput() {
        return OutputOptions.of(json, quiet, files);
    }
}
