package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.file.AtomicFile;
import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.report.file.RunPage;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * A file for a result. It is written next to its place and renamed, so readers only ever see complete files. Objects of
 * a store are written locally and then uploaded.
 *
 * @param object its place in an object store; empty for local files
 */
public record OutputFile(Path path, Kind kind, Optional<String> object) {
    /** The placeholder for a shard's number in a file name. */
    public static final String SHARD = "{shard}";

    OutputFile(Path path, Kind kind) {
        this(path, kind, Optional.empty());
    }

    /** The name as given by the user. */
    public String name() {
        return object.orElseGet(path::toString);
    }

    /** The file of one shard, if the name contains the placeholder. */
    public OutputFile ofShard(int shard) {
        String number = Integer.toString(shard);
        return new OutputFile(
                Path.of(path.toString().replace(SHARD, number)), kind, object.map(name -> name.replace(SHARD, number)));
    }

    /** The same file for a build that passes, or fails, if it is undecided. */
    public OutputFile ifUndecided(boolean passes) {
        Kind xml = passes ? Kind.XML_UNDECIDED_PASSES : Kind.XML_UNDECIDED_FAILS;
        return kind == Kind.XML ? new OutputFile(path, xml, object) : this;
    }

    /** Refuses an unwritable place before the run rather than after it. */
    public void check() {
        String problem = object.isPresent() ? storeProblem(object.get(), folder(path)) : "";
        refuse(name(), problem.isEmpty() ? problem() : problem);
    }

    public static void check(Path path) {
        refuse(path.toString(), problem(path));
    }

    private static void refuse(String name, String problem) {
        Refusal.when(!problem.isEmpty(), "-o " + name + " cannot be written: " + problem);
    }

    private static String storeProblem(String object, Path folder) {
        try {
            Files.createDirectories(folder);
            ObjectStore.check(object);
            return "";
        } catch (IOException closed) {
            return Messages.of(closed);
        }
    }

    private String problem() {
        String problem = problem(path);
        return problem.isEmpty() && kind == Kind.DOWNBEAT ? problemOfNewFile(journal()) : problem;
    }

    private static String problem(Path path) {
        if (Files.isDirectory(path)) {
            return "is a folder";
        }
        if (Files.exists(path) && !Files.isWritable(path)) {
            return "no permission to write it";
        }
        return AtomicFile.isRegular(path) ? problemOfNewFile(AtomicFile.place(path)) : "";
    }

    private static String problemOfNewFile(Path file) {
        Path folder = folder(file);
        if (!Files.isDirectory(folder)) {
            return "the folder " + folder + " does not exist";
        }
        if (!Files.isWritable(folder)) {
            return "no permission to write it";
        }
        Path beside = AtomicFile.beside(file.toAbsolutePath());
        try { // some folders, such as /proc, take no new files from anyone
            Files.write(beside, new byte[0]);
            Files.delete(beside);
            return "";
        } catch (IOException closed) {
            return "cannot create a file in " + folder;
        }
    }

    private static Path folder(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    public interface Content {
        public void write(Appendable out) throws IOException;
    }

    /** The journal of a running measurement that will be saved here. */
    public Path journal() {
        return SavedFile.part(path);
    }

    /** The local file from which a saved run can be read; empty for other formats or places. */
    public Optional<Path> run() {
        return kind == Kind.DOWNBEAT && object.isEmpty() && Files.isRegularFile(path)
                ? Optional.of(path)
                : Optional.empty();
    }

    public void write(RunReport report) throws IOException {
        if (kind == Kind.DOWNBEAT) {
            writeBytes(out -> RunFile.write(report, out));
        } else {
            write(out -> kind.format().write(report, out));
        }
    }

    public void write(Content content) throws IOException {
        writeBytes(out -> {
            Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            content.write(writer);
            writer.flush();
        });
    }

    public void writeBytes(AtomicFile.Content content) throws IOException {
        if (object.isPresent()) {
            Files.createDirectories(path.toAbsolutePath().getParent()); // the end of the process removes empty ones
        }
        try {
            writeHere(content);
        } catch (RuntimeException | Error broken) { // a page may not fit into the memory where other formats do
            throw new IOException(broken + (broken instanceof LinkageError ? Messages.REPLACED : ""), broken);
        }
        if (object.isPresent()) {
            upload(object.get());
        }
    }

    private void upload(String to) throws IOException {
        try {
            BoundedWrite.run(to + ": no answer", () -> ObjectStore.put(to, path));
        } catch (IOException failed) {
            throw new NotUploaded(path, failed);
        }
        Files.delete(path);
    }

    /** A result that was written, but could not be uploaded. */
    public static final class NotUploaded extends IOException {
        private static final long serialVersionUID = 1L;

        NotUploaded(Path kept, IOException why) {
            super("the result is kept in " + kept + ": " + Messages.of(why), why);
        }
    }

    private void writeHere(AtomicFile.Content content) throws IOException {
        if (AtomicFile.isRegular(path)) {
            AtomicFile.write(path, content);
        } else {
            BoundedWrite.run("nothing read from the pipe", () -> AtomicFile.write(path, content));
        }
    }

    /** Parses a file name, whose extension chooses the format. */
    public static OutputFile parse(String text) {
        Kind kind = Kind.of(text);
        return ObjectStore.isObject(text)
                ? new OutputFile(ObjectStore.staged(text), kind, Optional.of(text))
                : new OutputFile(Path.of(text), kind);
    }

    public enum Kind {
        DOWNBEAT(".downbeat"),
        JSON(".json"),
        HLOG(".hlog"),
        HTML(".html"),
        MARKDOWN(".md"),
        CSV(".csv"),
        XML(".xml"),
        /** XML in which nothing undecided fails a build; only chosen by {@link OutputFile#ifUndecided}. */
        XML_UNDECIDED_PASSES(".xml"),
        XML_UNDECIDED_FAILS(".xml"),
        TXT(".txt");

        private static final String ACCEPTED = ".downbeat, .html, .json, .hlog, .md, .csv, .xml or .txt";
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
            Refusal.when(
                    name.endsWith(".hgrm"),
                    name + ": save .hlog, from which HdrHistogram's HistogramLogProcessor makes .hgrm");
            throw new TypeConversionException(
                    "the name of an output file must end in " + ACCEPTED + ", but was '" + name + "'");
        }

        public String ending() {
            return ending;
        }

        /** Resolved late, so that runs without files load no format's classes. */
        ReportFormat format() {
            return switch (this) {
                case HLOG -> new HistogramLogFile();
                case CSV -> new CsvReport();
                case HTML -> new RunPage();
                default ->
                    RunView.on(renderer()
                            .orElseThrow(() -> new IllegalStateException("a .downbeat file is binary, not text")));
            };
        }

        /** The format for results of any kind; empty for a format of runs only. */
        public Optional<Renderer> renderer() {
            return switch (this) {
                case JSON -> Optional.of(Renderer.JSON);
                case HTML -> Optional.of(Renderer.HTML);
                case MARKDOWN -> Optional.of(Renderer.MARKDOWN);
                case XML -> Optional.of(Renderer.JUNIT);
                case XML_UNDECIDED_PASSES -> Optional.of(Renderer.JUNIT_UNDECIDED_PASSES);
                case XML_UNDECIDED_FAILS -> Optional.of(Renderer.JUNIT_UNDECIDED_FAILS);
                case TXT -> Optional.of(Renderer.TEXT);
                case DOWNBEAT, HLOG, CSV -> Optional.empty();
            };
        }
    }

    /**
     * Writes a text readable by the owner only, from its first byte on. A new file replaces an existing one, which others
     * may have open, also where a link leads to it. Pipes, devices and open files are written to.
     */
    public static void writePrivately(Path file, String text) throws IOException {
        if (!AtomicFile.isRegular(file)) {
            AtomicFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
            return;
        }
        Path place = AtomicFile.place(file);
        Path beside = Files.createTempFile(place.getParent(), ".downbeat-", ".part"); // mode 0600 where supported
        try {
            Files.writeString(beside, text);
            Files.move(beside, place, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
