package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.report.data.ReportFormat;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.PercentileSpectrum;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.report.file.RunPage;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.view.RunView;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A file that a result is saved to. It is written beside its place and then renamed, so that whoever finds it finds all
 * of it. One that belongs in an object store is written here first and then uploaded.
 *
 * @param path where, on this machine
 * @param kind how
 * @param object where in an object store; empty if it stays here
 */
public record OutputFile(Path path, Kind kind, Optional<String> object) {
    /** What stands for the number of the shard in a file's name. */
    public static final String SHARD = "{shard}";

    OutputFile(Path path, Kind kind) {
        this(path, kind, Optional.empty());
    }

    /** As the user named it. */
    public String name() {
        return object.orElseGet(path::toString);
    }

    /** The file of one shard, if its name says where the number goes. */
    public OutputFile ofShard(int shard) {
        String number = Integer.toString(shard);
        return new OutputFile(
                Path.of(path.toString().replace(SHARD, number)), kind, object.map(name -> name.replace(SHARD, number)));
    }

    /** Refuses a place that cannot be written to: better before a run than after it. */
    public void check() {
        Path folder = folder();
        String problem = object.isPresent() ? storeProblem(object.get(), folder) : "";
        problem = problem.isEmpty() ? problem(folder) : problem;
        if (!problem.isEmpty()) {
            throw new TypeConversionException("-o " + name() + " cannot be written: " + problem);
        }
    }

    private static String storeProblem(String object, Path folder) {
        try {
            Files.createDirectories(folder);
            ObjectStore.check(object);
            return "";
        } catch (IOException closed) {
            return Messages.ofFile(closed);
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
        return closed || !Files.isWritable(folder) ? "no permission to write it" : problemOfNewFile();
    }

    /** Some folders take no new file whoever asks, such as /proc. */
    private String problemOfNewFile() {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            return "";
        }
        Path beside = beside();
        try {
            Files.write(beside, new byte[0]);
            Files.delete(beside);
            return "";
        } catch (IOException closed) {
            return "no file can be made in " + folder();
        }
    }

    private Path beside() {
        return folder().resolve(PlanText.format(
                ".%s.%d.part", path.getFileName(), ProcessHandle.current().pid()));
    }

    private Path folder() {
        Path parent = path.toAbsolutePath().getParent();
        return parent == null ? path.toAbsolutePath() : parent;
    }

    /** What is written. */
    public interface Content {
        public void write(Appendable out) throws IOException;
    }

    /** What is written, byte by byte. */
    public interface Bytes {
        public void write(OutputStream out) throws IOException;
    }

    /** Where a run that is saved here is kept while it goes on. */
    public Path journal() {
        return path.resolveSibling(path.getFileName() + ".part");
    }

    /** The file on this machine from which a run that was written can be read; empty if it is of another kind, or elsewhere. */
    public Optional<Path> run() {
        return kind == Kind.DOWNBEAT && object.isEmpty() && Files.isRegularFile(path)
                ? Optional.of(path)
                : Optional.empty();
    }

    /** Writes the whole report. */
    public void write(RunReport report) throws IOException {
        if (kind == Kind.DOWNBEAT) {
            writeBytes(out -> RunFile.write(report, out));
        } else {
            write(out -> kind.format().write(report, out));
        }
    }

    /** Writes all of something. */
    public void write(Content content) throws IOException {
        writeBytes(out -> {
            Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            content.write(writer);
            writer.flush();
        });
    }

    /** Writes all of something that is no text. */
    public void writeBytes(Bytes content) throws IOException {
        writeHere(content);
        if (object.isPresent()) {
            upload(object.get());
        }
    }

    private void upload(String to) throws IOException {
        try {
            Upload.put(to, path);
        } catch (IOException failed) {
            throw new IOException("the result is kept in " + path + ": " + Messages.of(failed), failed);
        }
        Files.delete(path);
    }

    private void writeHere(Bytes content) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            writeTo(path, content); // a pipe or device: there is nothing to rename onto
            return;
        }
        Path beside = beside();
        try {
            writeTo(beside, content);
            move(beside);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    /** On the disk before it takes its name: a power cut must not leave an empty file where there was an older one. */
    private static void writeTo(Path file, Bytes content) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
            content.write(out);
            out.flush();
            if (Files.isRegularFile(file)) {
                channel.force(true);
            }
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
    public static final class Converter implements ITypeConverter<OutputFile> {
        @Override
        public OutputFile convert(String text) {
            Kind kind = Kind.of(text);
            return ObjectStore.Jar.isMeant(text)
                    ? new OutputFile(ObjectStore.staged(text), kind, Optional.of(text))
                    : new OutputFile(Path.of(text), kind);
        }
    }

    /** A format and the ending that chooses it. */
    public enum Kind {
        DOWNBEAT(".downbeat"),
        JSON(".json"),
        HLOG(".hlog"),
        HGRM(".hgrm"),
        HTML(".html"),
        MARKDOWN(".md"),
        CSV(".csv"),
        XML(".xml"),
        TXT(".txt");

        private static final String ACCEPTED = ".downbeat, .html, .json, .hlog, .hgrm, .md, .csv, .xml or .txt";
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

        /** What a name ends in. */
        public String ending() {
            return ending;
        }

        /** Chosen late: a run without files loads none of their classes. */
        ReportFormat format() {
            return switch (this) {
                case HLOG -> new HistogramLogFile();
                case HGRM -> new PercentileSpectrum();
                case CSV -> new CsvReport();
                case HTML -> new RunPage();
                default ->
                    RunView.on(paper().orElseThrow(
                                    () -> new IllegalStateException("a .downbeat file holds bytes, and not a text")));
            };
        }

        /** What a result of any kind is written on; empty for a format that takes runs only. */
        public Optional<Paper> paper() {
            return switch (this) {
                case JSON -> Optional.of(Paper.JSON);
                case HTML -> Optional.of(Paper.HTML);
                case MARKDOWN -> Optional.of(Paper.MARKDOWN);
                case XML -> Optional.of(Paper.JUNIT);
                case TXT -> Optional.of(Paper.TEXT);
                case DOWNBEAT, HLOG, HGRM, CSV -> Optional.empty();
            };
        }
    }
}
