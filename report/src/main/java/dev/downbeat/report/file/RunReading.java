package dev.downbeat.report.file;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.json.JsonReader.JsonRoom;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.tree.ForeignFile;
import dev.downbeat.report.file.tree.JsonTree;
import dev.downbeat.report.file.tree.RecordTree;
import dev.downbeat.run.RunResult;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.why.Watched;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a run from a {@link RunFile}, or from the {@link RunJournal} of a run that was cut short. */
final class RunReading {
    /** The latest readable schema. */
    static final int SCHEMA = 2;

    /** The memory of an interval in bytes, without its counts. */
    private static final int OF_INTERVAL = 2_000;

    private static final int MAGIC = 2;

    /** Two entries of schema 1 for what is in one now. */
    private static final String SLOWEST_1 = "slowest.csv";

    private static final String SAMPLE_1 = "sample.csv";

    private RunReading() {}

    static RunReport read(Path file) throws IOException {
        if (isZip(file)) {
            return new Zip(file).read();
        }
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return new Journal().read(lines);
        }
    }

    /** Reads only what was known before the first request. */
    static RunHead head(Path file) throws IOException {
        return isZip(file) ? new Zip(file).head() : RunHead.of(read(file));
    }

    /** Whether it is a zip; otherwise it is a journal or a foreign file. */
    private static boolean isZip(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String first = new String(in.readNBytes(MAGIC), StandardCharsets.ISO_8859_1);
            if (!first.equals("PK") && !first.startsWith("{")) {
                throw new IOException("it is not a result saved with -o NAME.downbeat");
            }
            return first.equals("PK");
        }
    }

    private static RunHead head(Map<String, Object> plan, Object environment) throws IOException {
        Object schema = plan.getOrDefault("schema", 0L);
        if (!(schema instanceof Long number) || number < 1) {
            throw new IOException("it does not say which schema it has");
        }
        if (number > SCHEMA) {
            throw new IOException("it has schema " + number + ", and this Downbeat knows schemas up to " + SCHEMA
                    + ": use the version that wrote it (" + plan.getOrDefault("downbeat", "unknown")
                    + ") or a later one");
        }
        Map<String, Object> members = new LinkedHashMap<>(plan);
        members.put("machine", environment);
        members.put("version", plan.getOrDefault("downbeat", ""));
        return RecordTree.read(RunHead.class, members);
    }

    /** A completed run. */
    private record Zip(Path file) {
        RunHead head() throws IOException {
            try (ForeignFile.Entries entries = new ForeignFile.Entries(file)) {
                return head(entries, new JsonRoom());
            }
        }

        private static RunHead head(ForeignFile.Entries entries, JsonRoom room) throws IOException {
            return RunReading.head(
                    object("plan.json", entries, room), JsonTree.parse(text("environment.json", entries), room));
        }

        private static Map<String, Object> object(String name, ForeignFile.Entries entries, JsonRoom room)
                throws IOException {
            return JsonTree.asObject(JsonTree.parse(text(name, entries), room));
        }

        private static String text(String name, ForeignFile.Entries entries) throws IOException {
            return entries.text(name, "it is not a result saved with -o NAME.downbeat");
        }

        RunReport read() throws IOException {
            try (ForeignFile.Entries entries = new ForeignFile.Entries(file)) {
                entries.check();
                JsonRoom room = new JsonRoom();
                RunHead head = head(entries, room);
                Map<String, Object> members = new LinkedHashMap<>(object("result.json", entries, room));
                members.put("plan", RecordTree.tree(head.plan()));
                List<Object> intervals = new ArrayList<>();
                for (String line : text("intervals.jsonl", entries).lines().toList()) {
                    room.take(OF_INTERVAL);
                    intervals.add(JsonTree.parse(line, room));
                }
                members.put("intervals", intervals);
                RunResult result = LeftOutTimes.filledIn(RecordTree.read(RunResult.class, members));
                Sums.check(result);
                RunResult whole = result.with(kept(entries));
                RunReport report = RunSoFar.report(head, analysis(whole, head, members), queue(members));
                return entries.has(RunFile.WATCHED) ? report.with(watched(entries, room)) : report;
            }
        }

        private static KeptRequests kept(ForeignFile.Entries entries) throws IOException {
            if (entries.has(RunFile.REQUESTS)) {
                return RequestsCsv.read(text(RunFile.REQUESTS, entries), RunFile.REQUESTS);
            }
            if (!entries.has(SLOWEST_1) || !entries.has(SAMPLE_1)) {
                return KeptRequests.NONE; // written by a version that kept none
            }
            List<KeptRequest> slowest = RequestsCsv.readSchema1(text(SLOWEST_1, entries), SLOWEST_1, List.of());
            return KeptRequests.of(slowest, RequestsCsv.readSchema1(text(SAMPLE_1, entries), SAMPLE_1, slowest));
        }

        private static List<Watched> watched(ForeignFile.Entries entries, JsonRoom room) throws IOException {
            List<Watched> all = new ArrayList<>();
            for (String line : text(RunFile.WATCHED, entries).lines().toList()) {
                all.add(RecordTree.read(Watched.class, JsonTree.parse(line, room)));
            }
            Sums.check(all);
            return all;
        }

        /** The findings as saved. Nothing is judged again, unless an older version saved too little. */
        private static Analysis analysis(RunResult result, RunHead head, Map<String, Object> members)
                throws IOException {
            Wishes wishes = RunSoFar.wishes(head);
            if (members.containsKey(RunFile.ANALYSIS)) {
                SavedAnalysis saved = RecordTree.read(SavedAnalysis.class, members.get(RunFile.ANALYSIS));
                return saved.of(result, wishes);
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
            return Analysis.judged(result, wishes, verdict.with(service, objectives));
        }

        private static Optional<QueueLengths> queue(Map<String, Object> members) throws IOException {
            return members.containsKey("queue")
                    ? Optional.of(RecordTree.read(QueueLengths.class, members.get("queue")))
                    : Optional.empty();
        }
    }

    /** A run that was cut short. */
    private static final class Journal {
        private final RunSoFar soFar = new RunSoFar();

        RunReport read(BufferedReader lines) throws IOException {
            WholeLines whole = new WholeLines(lines);
            String first = whole.next();
            if (first.isEmpty()) {
                throw new IOException("nothing had been kept yet when it was cut off");
            }
            JsonRoom room = new JsonRoom();
            Map<String, Object> plan = JsonTree.asObject(JsonTree.parse(first, room));
            RunHead head = head(plan, plan.getOrDefault("environment", Map.of()));
            for (String line = whole.next(); !line.isEmpty(); line = whole.next()) {
                add(JsonTree.object(line)); // each alone, since neighbours are merged in long runs
            }
            RunResult result = soFar.result(head, RunResult.Ending.CUT_OFF);
            Sums.check(result);
            return RunSoFar.report(head, Analysis.of(result, RunSoFar.wishes(head)), Optional.empty());
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
