package dev.downbeat.cli.console;

import dev.downbeat.cli.file.OutputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options for the destination of results. */
public final class OutputOptions {
    @Option(names = "--json", description = "The result on stdout as JSON.")
    public boolean json;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            converter = OutputFile.Converter.class,
            description = {
                "Saves the result, too; repeatable. The extension",
                "is the format: .html .json .md .txt .xml (JUnit).",
                "For a run also .downbeat (all of it) .hlog .hgrm",
                ".csv. s3://BUCKET/NAME uploads it."
            })
    public List<OutputFile> files = new ArrayList<>();

    @Option(
            names = {"-q", "--quiet"},
            description = "Nothing on stderr but errors.")
    public boolean quiet;

    /** The options as if given on a command line. */
    public static OutputOptions of(boolean json, boolean quiet, List<OutputFile> files) {
        OutputOptions output = new OutputOptions();
        output.json = json;
        output.quiet = quiet;
        output.files = files;
        return output;
    }

    /** The same options with the shard's number in file names that have a placeholder. */
    public OutputOptions ofShard(int shard) {
        return of(json, quiet, files.stream().map(file -> file.ofShard(shard)).toList());
    }

    /** Refuses files that cannot be written or are named twice. */
    public void check() {
        Set<Path> seen = new HashSet<>();
        for (OutputFile file : files) {
            if (!seen.add(file.path().toAbsolutePath().normalize())) {
                throw new TypeConversionException("-o " + file.name() + " is given twice");
            }
            file.check();
        }
    }
}
