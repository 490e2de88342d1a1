package dev.downbeat.report.file;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.analysis.Finding;
import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.json.JsonReader.MemoryBudget;
import dev.downbeat.json.JsonText;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.NamedValues;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.file.tree.JsonTree;
import dev.downbeat.report.file.tree.RecordTree;
import dev.downbeat.report.file.tree.UntrustedFile;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.why.WatchResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A run in one file, {@code NAME.downbeat}: a zip from which every report can be made again. {@code plan.json},
 * {@code result.json}, {@code environment.json} and {@code intervals.jsonl} are read back; other entries are for people
 * and other programs.
 */
public final class RunFile {
    /** Incremented when a name is removed or a value changes its meaning, not when a name is added. */
    public static final int SCHEMA = 2;

    /** The slowest requests and a sample of all. */
    static final String REQUESTS = "requests.csv";

    /** The service's events. */
    static final String WATCHED = "watched.jsonl";

    /** The findings, within the result's entry. */
    static final String ANALYSIS = "analysis";

    /** Parts of a result that other entries contain. */
    private static final Set<String> WRITTEN_SEPARATELY = Set.of("plan", "intervals", "kept");

    /** The second day that zip allows: to the first the JDK adds a time that depends on the time zone. */
    private static final LocalDateTime EPOCH = LocalDateTime.of(1980, 1, 2, 0, 0);

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
        entry("summary.json", text(RunView.on(Renderer.JSON), report), zip);
        lines("incidents.jsonl", report.analysis().events(), zip);
        if (!result.kept().isEmpty()) {
            entry(REQUESTS, RequestsCsv.text(result.kept()), zip);
        }
        lines(WATCHED, report.why().watched(), zip);
        zip.finish();
    }

    /** Writes only what {@link #read} reads: neither individual requests nor explanations. */
    static void writeReadableParts(RunReport report, OutputStream out) throws IOException {
        ZipOutputStream zip = zip(out);
        readableParts(report, zip);
        zip.finish();
    }

    static ZipOutputStream zip(OutputStream out) {
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

    static void entry(String name, String text, ZipOutputStream zip) throws IOException {
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
        plan.put("note", HistogramLogFile.CORRECTED);
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
        Map<String, Object> result = RecordTree.membersExcept(WRITTEN_SEPARATELY, written);
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
        return UntrustedFile.read(file.toString(), () -> RunReading.read(file));
    }

    /**
     * Reads only what was known before the first request.
     *
     * @throws IOException as {@link #read}
     */
    public static RunHead head(Path file) throws IOException {
        return UntrustedFile.read(file.toString(), () -> RunReading.head(file));
    }

    /** Reads a run from a {@link RunFile}, or from the {@link RunJournal} of a run that was cut short. */
    static final class RunReading {
        /** The memory of an interval in bytes, without its counts. */
        private static final int INTERVAL_BYTES = 2_000;

        private static final int MAGIC_LENGTH = 2;

        /** Schema 1 had two entries for what is now one. */
        private static final String SLOWEST_1 = "slowest.csv";

        private static final String SAMPLE_1 = "sample.csv";

        private RunReading() {}

        static RunReport read(Path file) throws IOException {
            if (isZip(file)) {
                return new ZippedRun(file).read();
            }
            try (BufferedReader lines = Files.newBufferedReader(file)) {
                return new JournalledRun().read(lines);
            }
        }

        /** Reads only what was known before the first request. */
        static RunHead head(Path file) throws IOException {
            return isZip(file) ? new ZippedRun(file).head() : RunHead.of(read(file));
        }

        /** Whether it is a zip; otherwise it is a journal or a foreign file. */
        private static boolean isZip(Path file) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                String first = new String(in.readNBytes(MAGIC_LENGTH), StandardCharsets.ISO_8859_1);
                if (!first.equals("PK") && !first.startsWith("{")) {
                    throw new IOException("not a result saved with -o NAME.downbeat");
                }
                return first.equals("PK");
            }
        }

        private static RunHead head(Map<String, Object> plan, Object environment) throws IOException {
            JsonTree.checkSchema(plan, SCHEMA);
            Map<String, Object> members = new LinkedHashMap<>(plan);
            members.put("machine", environment);
            members.put("version", plan.getOrDefault("downbeat", ""));
            return RecordTree.read(RunHead.class, members);
        }

        /** A completed run. */
        private record ZippedRun(Path file) {
            RunHead head() throws IOException {
                try (UntrustedFile.Entries entries = new UntrustedFile.Entries(file)) {
                    return head(entries, new MemoryBudget());
                }
            }

            private static RunHead head(UntrustedFile.Entries entries, MemoryBudget budget) throws IOException {
                return RunReading.head(
                        object("plan.json", entries, budget),
                        JsonTree.parse(text("environment.json", entries), budget));
            }

            private static Map<String, Object> object(String name, UntrustedFile.Entries entries, MemoryBudget budget)
                    throws IOException {
                return JsonTree.asObject(JsonTree.parse(text(name, entries), budget));
            }

            private static String text(String name, UntrustedFile.Entries entries) throws IOException {
                return entries.text(name, "not a result saved with -o NAME.downbeat");
            }

            RunReport read() throws IOException {
                try (UntrustedFile.Entries entries = new UntrustedFile.Entries(file)) {
                    entries.check();
                    MemoryBudget budget = new MemoryBudget();
                    RunHead head = head(entries, budget);
                    Map<String, Object> members = new LinkedHashMap<>(object("result.json", entries, budget));
                    members.put("plan", RecordTree.tree(head.plan()));
                    List<Object> intervals = new ArrayList<>();
                    for (String line : text("intervals.jsonl", entries).lines().toList()) {
                        budget.take(INTERVAL_BYTES);
                        intervals.add(JsonTree.parse(line, budget));
                    }
                    members.put("intervals", intervals);
                    RunResult result = LeftOutTimes.filledIn(RecordTree.read(RunResult.class, members));
                    SumChecks.check(result);
                    RunResult whole = result.with(kept(entries));
                    RunReport report = PartialRun.report(head, analysis(whole, head, members), queue(members));
                    return entries.has(RunFile.WATCHED) ? report.with(watched(entries, budget)) : report;
                }
            }

            private static KeptRequests kept(UntrustedFile.Entries entries) throws IOException {
                if (entries.has(RunFile.REQUESTS)) {
                    return RequestsCsv.read(text(RunFile.REQUESTS, entries), RunFile.REQUESTS);
                }
                if (!entries.has(SLOWEST_1) || !entries.has(SAMPLE_1)) {
                    return KeptRequests.NONE; // written by a version that kept none
                }
                List<KeptRequest> slowest = RequestsCsv.readSchema1(text(SLOWEST_1, entries), SLOWEST_1, List.of());
                return KeptRequests.of(slowest, RequestsCsv.readSchema1(text(SAMPLE_1, entries), SAMPLE_1, slowest));
            }

            private static List<WatchResult> watched(UntrustedFile.Entries entries, MemoryBudget budget)
                    throws IOException {
                List<WatchResult> all = new ArrayList<>();
                for (String line : text(RunFile.WATCHED, entries).lines().toList()) {
                    all.add(RecordTree.read(WatchResult.class, JsonTree.parse(line, budget)));
                }
                SumChecks.check(all);
                return all;
            }

            /** The findings as saved. Nothing is judged again, unless an older version saved too little. */
            private static Analysis analysis(RunResult result, RunHead head, Map<String, Object> members)
                    throws IOException {
                Criteria criteria = PartialRun.criteria(head);
                if (members.containsKey(RunFile.ANALYSIS)) {
                    SavedAnalysis saved = RecordTree.read(SavedAnalysis.class, members.get(RunFile.ANALYSIS));
                    if (saved.found().isPresent()) {
                        SumChecks.check(saved.found().get());
                    }
                    return saved.of(result, criteria);
                }
                RunVerdict verdict = RunVerdict.of(Observations.of(result), head.objectives(), head.rigour());
                List<JudgedObjective> objectives = new ArrayList<>();
                if (members.get("objectives") instanceof List<?> all) {
                    for (Object one : all) {
                        objectives.add(RecordTree.read(JudgedObjective.class, one));
                    }
                }
                RunVerdict.Service service =
                        RecordTree.read(RunVerdict.Service.class, members.getOrDefault("service", "none"));
                return Analysis.judged(result, criteria, verdict.with(service, objectives));
            }

            private static Optional<QueueLengths> queue(Map<String, Object> members) throws IOException {
                return members.containsKey("queue")
                        ? Optional.of(RecordTree.read(QueueLengths.class, members.get("queue")))
                        : Optional.empty();
            }
        }

        /** A run that was cut short. */
        private static final class JournalledRun {
            private final PartialRun soFar = new PartialRun();

            RunReport read(BufferedReader lines) throws IOException {
                WholeLines whole = new WholeLines(lines);
                String first = whole.next();
                if (first.isEmpty()) {
                    throw new IOException("the run ended before its first interval was saved");
                }
                MemoryBudget budget = new MemoryBudget();
                Map<String, Object> plan = JsonTree.asObject(JsonTree.parse(first, budget));
                RunHead head = head(plan, plan.getOrDefault("environment", Map.of()));
                for (String line = whole.next(); !line.isEmpty(); line = whole.next()) {
                    add(JsonTree.object(line)); // each alone, since neighbours are merged in long runs
                }
                RunResult result = soFar.result(head, RunSpan.Ending.CUT_OFF, false);
                SumChecks.check(result);
                return PartialRun.report(head, Analysis.of(result, PartialRun.criteria(head)), Optional.empty());
            }

            private void add(Map<String, Object> line) throws IOException {
                if (!(line.get("intervals") instanceof List<?> joined)) {
                    soFar.add(RecordTree.read(Interval.class, line));
                    return;
                }
                if (line.containsKey("recording")) {
                    soFar.total(RecordTree.read(Recording.class, line.get("recording")));
                }
                for (Object interval : joined) {
                    soFar.keep(RecordTree.read(Interval.class, interval));
                }
            }
        }
    }

    /**
     * The saved verdict and findings of a run.
     *
     * @param found what they are based on; empty in files of older versions
     */
    public record SavedAnalysis(
            RunVerdict verdict, List<Finding> findings, RunOutcome outcome, Optional<Observations.Found> found) {
        static SavedAnalysis of(Analysis analysis) {
            return new SavedAnalysis(
                    analysis.verdict(),
                    analysis.findings(),
                    analysis.outcome(),
                    Optional.of(analysis.observations().found()));
        }

        Analysis of(RunResult result, Criteria criteria) {
            return Analysis.saved(Observations.of(result, found), criteria, verdict, findings, outcome);
        }
    }

    /**
     * Saves durations once: those of all requests are left out of an interval where its names add up to them, and those of
     * the run where its intervals do. They are a quarter of a file.
     */
    static final class LeftOutTimes {
        private LeftOutTimes() {}

        /** The result without the durations that {@link #filledIn} finds again. */
        static RunResult without(RunResult result) {
            return result.with(
                    overIntervals(result.recording(), result.intervals(), LeftOutTimes::omitIfEqual),
                    ofIntervals(result.intervals(), LeftOutTimes::omitIfEqual));
        }

        /** The result with durations that were left out. Files of schema 1 have all of them. */
        static RunResult filledIn(RunResult result) {
            List<Interval> intervals = ofIntervals(result.intervals(), LeftOutTimes::restoreFromSum);
            return result.with(overIntervals(result.recording(), intervals, LeftOutTimes::restoreFromSum), intervals);
        }

        private static ResponseTimes omitIfEqual(ResponseTimes own, ResponseTimes sum) {
            return own.equals(sum) ? ResponseTimes.NONE : own;
        }

        private static ResponseTimes restoreFromSum(ResponseTimes own, ResponseTimes sum) {
            return own.equals(ResponseTimes.NONE) ? sum : own;
        }

        private static List<Interval> ofIntervals(List<Interval> intervals, BinaryOperator<ResponseTimes> chosen) {
            return intervals.stream()
                    .map(interval -> {
                        Recording all = interval.recording();
                        return interval.with(all.with(
                                chosen.apply(all.times(), sum(all.requests().values()))));
                    })
                    .toList();
        }

        private static Recording overIntervals(
                Recording all, List<Interval> intervals, BinaryOperator<ResponseTimes> chosen) {
            List<Recording> parts = intervals.stream().map(Interval::recording).toList();
            Map<String, Recording> names = new LinkedHashMap<>();
            all.byName()
                    .forEach((name, one) -> names.put(
                            name,
                            one.with(chosen.apply(
                                    one.times(),
                                    sum(parts.stream()
                                            .map(part -> part.named(name))
                                            .toList())))));
            return all.with(chosen.apply(all.times(), sum(parts))).withNames(NamedValues.taking(names));
        }

        private static ResponseTimes sum(Collection<Recording> parts) {
            return ResponseTimes.sum(parts.stream().map(Recording::times).toList());
        }
    }

    /**
     * Reads complete lines of JSON; an incomplete last line is dropped. A line is followed by a tab and its checksum; files
     * of older versions have none. Not thread-safe.
     */
    static final class WholeLines {
        private static final int CHECKSUM_LENGTH = 9;

        private final BufferedReader in;
        private final long longest = UntrustedFile.memoryLimit();
        private final StringBuilder line = new StringBuilder();
        private boolean isFirst = true;
        private boolean hasSums;

        WholeLines(BufferedReader in) {
            this.in = in;
        }

        /** The line with its checksum and line feed. */
        static String withChecksum(String line) {
            return line + '\t' + UntrustedFile.sum(line) + '\n';
        }

        /** The next line without its end and checksum; empty if there is none. */
        String next() throws IOException {
            line.setLength(0);
            for (int c = in.read(); c >= 0; c = in.read()) {
                if (c == '\n') {
                    return checked(line.toString());
                }
                if (line.length() >= longest) {
                    throw new IOException("a line is longer than " + longest + " characters");
                }
                line.append((char) c);
            }
            return "";
        }

        private String checked(String whole) throws IOException {
            int tab = whole.length() - CHECKSUM_LENGTH;
            boolean hasSum = tab > 0 && whole.charAt(tab) == '\t';
            hasSums |= isFirst && hasSum;
            isFirst = false;
            if (!hasSums) {
                return whole;
            }
            String text = hasSum ? whole.substring(0, tab) : whole;
            if (!hasSum || !whole.substring(tab + 1).equals(UntrustedFile.sum(text))) {
                throw new IOException("corrupt: the checksum of a line is wrong");
            }
            return text;
        }
    }
}
