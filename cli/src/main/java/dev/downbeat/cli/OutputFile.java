package dev.downbeat.cli;

import dev.downbeat.report.ReportFormat;
import dev.downbeat.report.RunReport;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A file that a result is saved to. It is written beside its place and then renamed, so that whoever finds it finds all
 * of it.
 *
 * @param path where
 * @param kind how
 */
record OutputFile(Path path, Kind kind) {
    /** Refuses a place that cannot be written to: better before a run than after it. */
    void check() {
        Path folder = folder();
        String problem = problem(folder);
        if (!problem.isEmpty()) {
            throw new TypeConversionException("-o " + path + " cannot be written: " + problem);
        }
    }

    private String problem(Path folder) {
        if (!Files.isDirectory(folder)) {
            return "the folder " + folder + " does not exist";
        }
        if (Files.isDirectory(path)) {
            return "it is a folder";
        }
        boolean closed = Files.exists(path) && !Files.isWritable(path);
        return closed || !Files.isWritable(folder) ? "no permission to write it" : "";
    }

    private Path folder() {
        Path parent = path.toAbsolutePath().getParent();
        return parent == null ? path.toAbsolutePath() : parent;
    }

    /** Writes the whole report. */
    void write(RunReport report) throws IOException {
        write(out -> kind.format().write(report, out));
    }

    /** What goes into a file. */
    interface Content {
        void write(Appendable out) throws IOException;
    }

    /** Writes all of it. */
    void write(Content content) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            writeTo(path, content); // a pipe or device: there is nothing to rename onto
            return;
        }
        Path beside = folder().resolve(PlanText.format(
                ".%s.%d.part", path.getFileName(), ProcessHandle.current().pid()));
        try {
            writeTo(beside, content);
            move(beside);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private void writeTo(Path file, Content content) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            content.write(out);
        }
    }

    private void move(Path beside) throws IOException {
        try {
            Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException otherwise) {
            Files.move(beside, path, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Reads a file name, whose ending chooses the format. */
    static final class Converter implements ITypeConverter<OutputFile> {
        @Override
        public OutputFile convert(String text) {
            return new OutputFile(Path.of(text), Kind.of(text));
        }
    }

    /** A format and the ending that chooses it. */
    enum Kind {
        JSON(".json"),
        HLOG(".hlog"),
        HGRM(".hgrm"),
        MARKDOWN(".md"),
        CSV(".csv");

        private static final String ACCEPTED = ".json, .hlog, .hgrm, .md or .csv";
        private final String ending;

        Kind(String ending) {
            this.ending = ending;
        }

        static Kind of(String name) {
            for (Kind kind : values()) {
                if (name.endsWith(kind.ending) && name.length() > kind.ending.length()) {
                    return kind;
                }
            }
            throw new TypeConversionException(
                    "the name of an output file must end in " + ACCEPTED + ", but was '" + name + "'");
        }

        ReportFormat format() {
            return Formats.of(this);
        }
    }
}
