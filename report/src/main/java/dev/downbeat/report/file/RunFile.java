package dev.downbeat.report.file;

import dev.downbeat.json.JsonText;
import dev.downbeat.report.data.ReportFormat;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.tree.ForeignFile;
import dev.downbeat.report.file.tree.RecordTree;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A run in one file, {@code NAME.downbeat}: a zip from which every report can be made again. {@code plan.json},
 * {@code result.json}, {@code environment.json} and {@code intervals.jsonl} are read back; other entries are for people
 * and other programs.
 */
public final class RunFile {
    /** Incremented when a name is removed or a value changes its meaning, not when a name is added. */
    public static final int SCHEMA = RunReading.SCHEMA;

    private static final String NOTE =
            "times count from the intended times: already corrected for coordinated omission, do not correct again";

    /** The slowest requests and a sample of all. */
    static final String REQUESTS = "requests.csv";

    /** The service's events. */
    static final String WATCHED = "watched.jsonl";

    /** The findings, within the result's entry. */
    static final String ANALYSIS = "analysis";

    /** Parts of a result that other entries contain. */
    private static final Set<String> ELSEWHERE = Set.of("plan", "intervals", "kept");

    /** The earliest time that zip allows. */
    private static final LocalDateTime EPOCH = LocalDateTime.of(1980, 1, 1, 0, 0);

    /** A quarter of the time of zlib's default, for a file that is 7 % larger. */
    private static final int COMPRESSION = 4;

    private RunFile() {}

    /**
     * Writes the whole run; does not close {@code out}.
     *
     * @throws IOException if {@code out} fails
     */
    public static void write(RunReport report, OutputStream out) throws IOException {
        ZipOutputStream zip = zip(out);
        RunResult result = report.result();
        readableParts(report, zip);
        entry("summary.json", text(RunView.on(Paper.JSON), report), zip);
        lines("incidents.jsonl", report.analysis().events(), zip);
        if (!result.kept().isEmpty()) {
            entry(REQUESTS, RequestsCsv.text(result.kept()), zip);
        }
        lines(WATCHED, report.why().watched(), zip);
        lines("exemplars.jsonl", result.recording().anatomy().exemplars(), zip);
        zip.finish();
    }

    /**
     * Writes only what {@link #read} reads, without individual requests and explanations, which are most of its size.
     */
    static void writeReadableParts(RunReport report, OutputStream out) throws IOException {
        ZipOutputStream zip = zip(out);
        readableParts(report, zip);
        zip.finish();
    }

    private static ZipOutputStream zip(OutputStream out) {
        ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
        zip.setLevel(COMPRESSION);
        return zip;
    }

    private static void readableParts(RunReport report, ZipOutputStream zip) throws IOException {
        RunResult result = LeftOutTimes.without(report.result());
        entry("plan.json", JsonText.of(plan(RunHead.of(report))) + "\n", zip);
        entry("result.json", JsonText.of(result(report, result)) + "\n", zip);
        entry("environment.json", JsonText.of(RecordTree.tree(report.machine())) + "\n", zip);
        lines("intervals.jsonl", result.intervals(), zip);
    }

    private static String text(ReportFormat format, RunReport report) throws IOException {
        StringBuilder text = new StringBuilder();
        format.write(report, text);
        return text.toString();
    }

    /** An entry with a fixed time, so that equal runs give equal files. */
    private static ZipEntry named(String name) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(EPOCH);
        return entry;
    }

    private static void entry(String name, String text, ZipOutputStream zip) throws IOException {
        zip.putNextEntry(named(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    private static void lines(String name, List<? extends Record> records, ZipOutputStream zip) throws IOException {
        if (records.isEmpty() && name.equals(WATCHED)) {
            return;
        }
        zip.putNextEntry(named(name));
        for (Record one : records) {
            zip.write((JsonText.of(RecordTree.tree(one)) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        zip.closeEntry();
    }

    static Map<String, Object> plan(RunHead head) {
        Map<String, Object> plan = new LinkedHashMap<>();
        plan.put("schema", SCHEMA);
        plan.put("note", NOTE);
        plan.put("downbeat", head.version());
        plan.put("command", head.command());
        if (!head.measurement().isEmpty()) {
            plan.put("measurement", head.measurement());
        }
        head.seed().ifPresent(seed -> plan.put("seed", seed));
        plan.put("started", head.started().toString());
        plan.put("target", head.target());
        plan.put("details", head.details());
        plan.put("objectives", RecordTree.tree(head.objectives()));
        plan.put("rigour", RecordTree.tree(head.rigour()));
        plan.put("plan", RecordTree.tree(head.plan()));
        return plan;
    }

    private static Map<String, Object> result(RunReport report, RunResult written) {
        Map<String, Object> result = RecordTree.membersExcept(ELSEWHERE, written);
        result.put(ANALYSIS, RecordTree.tree(SavedAnalysis.of(report.analysis())));
        report.queue().ifPresent(queue -> result.put("queue", RecordTree.tree(queue)));
        return result;
    }

    /**
     * Reads a run, or the journal of one that was cut short.
     *
     * @throws IOException if the file is invalid, corrupt, or of a later schema; its message is one clear line
     */
    public static RunReport read(Path file) throws IOException {
        return ForeignFile.read(file.toString(), () -> RunReading.read(file));
    }

    /**
     * Reads only what was known before the first request.
     *
     * @throws IOException as {@link #read}
     */
    public static RunHead head(Path file) throws IOException {
        return ForeignFile.read(file.toString(), () -> RunReading.head(file));
    }
}
