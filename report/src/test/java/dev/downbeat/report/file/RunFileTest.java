package dev.downbeat.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.event.Incident;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.report.Samples;
import dev.downbeat.report.SimulatedRun;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunFileTest {
    private static final List<ReportFormat> FORMATS = List.of(
            RunView.on(Renderer.TEXT),
            RunView.on(Renderer.JSON),
            RunView.on(Renderer.MARKDOWN),
            new CsvReport(),
            RunView.on(Renderer.HTML),
            new HistogramLogFile(),
            RunView.on(Renderer.JUNIT));

    @TempDir
    private Path folder;

    private static RunReport simulated() {
        return Samples.report(
                new SimulatedRun(500, 20, 200_000_000, 8_000_000_000L).result(),
                "p90<5ms",
                "p99.9<=1.5s",
                "mean<10ms",
                "rate>=99.5%",
                "errors<0.1%");
    }

    private Path saved(RunReport report) throws IOException {
        Path file = folder.resolve("a.downbeat");
        try (OutputStream out = Files.newOutputStream(file)) {
            RunFile.write(report, out);
        }
        return file;
    }

    private Path journal(RunReport report, List<Interval> intervals, long mostBytes) throws IOException {
        Path file = folder.resolve("a.downbeat.part");
        try (RunJournal journal = RunJournal.begin(file, RunHead.of(report), mostBytes, FileChannel::tryLock)) {
            for (Interval interval : intervals) {
                journal.add(interval);
            }
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused", "simulated"})
    void every_view_of_what_was_saved_is_that_of_the_run_itself(String sample) throws IOException {
        RunReport report = sample.equals("simulated") ? simulated() : Samples.of(sample);
        RunReport read = RunFile.read(saved(report));
        for (ReportFormat format : FORMATS) {
            assertThat(Samples.text(format, read))
                    .as(format.getClass().getSimpleName())
                    .isEqualTo(Samples.text(format, report));
        }
        assertThat(read.result().recording()).isEqualTo(report.result().recording());
        assertThat(read.result().intervals()).isEqualTo(report.result().intervals());
        assertThat(read.verdict()).isEqualTo(report.verdict());
    }

    /** A later version may find other events: its tables would contradict the findings of this one. */
    @Test
    void what_happened_in_a_saved_run_is_not_looked_for_again() throws IOException {
        RunReport report = Samples.of("stall");
        Analysis analysis = report.analysis();
        Incident other = new Incident(
                3_000_000_000L, 1_000_000_000, 7, 0.5, 1_000_000_000, Incident.Cause.SERVICE_SLOW, 0, false, false, "");
        assertThat(analysis.events()).isNotEmpty().doesNotContain(other);
        RunReport earlier = new RunReport(
                Analysis.saved(
                        Observations.of(
                                report.result(), Optional.of(new Observations.Found(List.of(other), List.of()))),
                        Criteria.of(analysis.verdict()),
                        analysis.verdict(),
                        analysis.findings(),
                        analysis.outcome()),
                report.command(),
                report.seed(),
                report.version(),
                report.machine(),
                report.details());
        RunReport read = RunFile.read(saved(earlier));
        assertThat(read.analysis().events()).containsExactly(other);
        assertThat(Samples.text(RunView.on(Renderer.JSON), read))
                .isEqualTo(Samples.text(RunView.on(Renderer.JSON), earlier));
    }

    @Test
    void a_name_is_no_formula_of_a_spreadsheet() {
        assertThat(CsvReport.quoted("=1+1")).isEqualTo("\"'=1+1\"");
        assertThat(CsvReport.quoted("GET /a,\"b\"")).isEqualTo("\"GET /a,\"\"b\"\"\"");
        assertThat(CsvReport.quoted("")).isEqualTo("\"\"");
    }

    @Test
    void a_run_that_was_judged_with_more_rigour_is_so_again() throws IOException {
        RunResult result = new SimulatedRun(500, 20, 200_000_000, 8_000_000_000L).result();
        RunReport sure = Samples.report(result, new RequiredCertainty(true, true), "p99<50ms");
        assertThat(sure.verdict())
                .isNotEqualTo(Samples.report(result, "p99<50ms").verdict());
        assertThat(RunFile.read(saved(sure)).verdict()).isEqualTo(sure.verdict());
    }

    @Test
    void a_file_marks_the_default_error_limit_and_opens_with_any_other() throws IOException {
        for (ServiceLevelObjective errors : List.of(
                ServiceLevelObjective.defaults().get(0),
                ServiceLevelObjective.parse("errors<1%"),
                ServiceLevelObjective.saved("errors<0%"), // accepted by earlier versions
                ServiceLevelObjective.saved("rate>100%"))) {
            RunReport other = simulated();
            RunReport report = new RunReport(
                    Analysis.of(other.result(), Criteria.of(List.of(errors))),
                    other.command(),
                    other.seed(),
                    other.version(),
                    other.machine(),
                    other.details());
            assertThat(RunHead.of(RunFile.read(saved(report))).objectives()).containsExactly(errors);
        }
    }

    @ParameterizedTest(name = "cut off in interval {0}")
    @ValueSource(ints = {0, 1, 17, 42, 99})
    void a_run_that_was_cut_off_opens_and_says_so(int intervals) throws IOException {
        RunReport report = simulated();
        List<Interval> kept = report.result().intervals().subList(0, intervals);
        Path file = journal(report, kept, Long.MAX_VALUE);
        Files.writeString(file, "{\"start_ns\":20000000000,\"recor", java.nio.file.StandardOpenOption.APPEND);

        RunReport read = RunFile.read(file);
        assertThat(read.result().ending()).isEqualTo(RunSpan.Ending.CUT_OFF);
        int before = Math.max(0, intervals - 1);
        assertThat(read.result().intervals()).hasSize(intervals);
        assertThat(read.result().intervals().subList(0, before))
                .isEqualTo(kept.subList(0, before).stream()
                        .map(Interval::forTimeline)
                        .toList());
        assertThat(Interval.sum(read.result().intervals()).ledger())
                .as("the last one has what was in flight")
                .isEqualTo(read.result().ledger());
        assertThat(read.result().ledger().addsUp()).isTrue();
        assertThat(read.verdict().caveats()).anyMatch(caveat -> caveat.code().equals("cut_off") && caveat.isDoubt());
        assertThat(Samples.text(RunView.on(Renderer.TEXT), read)).startsWith("CUT OFF after ");
        for (ReportFormat format : FORMATS) {
            assertThat(Samples.text(format, read)).isNotEmpty();
        }
    }

    /** Whatever is on the disk: a byte less must never be an exception that nobody understands. */
    @Test
    void at_every_byte_a_journal_opens_or_says_that_nothing_had_been_kept() throws IOException {
        RunReport report = Samples.interrupted();
        byte[] all = Files.readAllBytes(journal(report, report.result().intervals(), Long.MAX_VALUE));
        int headLength = new String(all, StandardCharsets.UTF_8).indexOf('\n') + 1;
        Path cut = folder.resolve("cut.downbeat.part");
        for (int length = 0; length <= all.length; length += 7) {
            Files.write(cut, Arrays.copyOf(all, length));
            if (length < headLength) {
                assertThatThrownBy(() -> RunFile.read(cut))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith(cut + ": ");
            } else {
                assertThat(RunFile.read(cut).result().ledger().addsUp()).isTrue();
            }
        }
    }

    @Test
    void a_long_journal_is_joined_and_loses_nothing_of_the_whole() throws IOException {
        RunReport report = simulated();
        RunReport whole = RunFile.read(journal(report, report.result().intervals(), Long.MAX_VALUE));
        long wholeSize = Files.size(folder.resolve("a.downbeat.part"));
        Path joined = journal(report, report.result().intervals(), 20_000);
        RunReport read = RunFile.read(joined);
        assertThat(read.result().recording()).isEqualTo(whole.result().recording());
        assertThat(read.result().intervals()).isEqualTo(whole.result().intervals());
        assertThat(Files.readAllLines(joined).get(1)).startsWith("{\"recording\":");
        assertThat(wholeSize).isPositive();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(joined);
        }
    }

    @ParameterizedTest(name = "joined above {0} bytes")
    @ValueSource(longs = {Long.MAX_VALUE, 20_000, 10})
    void names_held_back_are_counted_once_when_the_journal_is_joined(long mostBytes) throws IOException {
        RunReport report = simulated();
        Distribution once = Distribution.of(new long[] {1_000_000}, new long[] {1});
        Recording one = report.result()
                .recording()
                .with(ResponseTimes.NONE.plus(new ResponseTimes(
                        once,
                        once,
                        once,
                        Distribution.empty(),
                        Distribution.empty(),
                        Distribution.empty(),
                        Distribution.empty())));
        Map<String, Recording> names = new LinkedHashMap<>();
        for (int i = 0; i < 90; i++) {
            names.put("n" + i, Recording.of(new Ledger(1, 1, 0, 0, 0, 0, 0), one.times(), OutcomeCounts.NONE));
        }
        List<Interval> intervals = report.result().intervals().subList(0, 6).stream()
                .map(interval -> interval.with(interval.recording().withNames(names)))
                .toList();
        for (int cutOffAfter = 1; cutOffAfter <= intervals.size(); cutOffAfter++) {
            RunReport read = RunFile.read(journal(report, intervals.subList(0, cutOffAfter), mostBytes));
            assertThat(read.result().recording().named("n0").ledger().answered())
                    .isBetween(cutOffAfter - 1L, (long) cutOffAfter);
        }
    }

    @Test
    void a_result_whose_names_have_more_requests_than_its_ledger_is_refused() throws IOException {
        RunReport report = simulated();
        Recording all = report.result().recording();
        RunResult twice = report.result()
                .with(all.withNames(Map.of("a", all, "b", all)), report.result().intervals());
        Path file = saved(Samples.report(twice));
        assertThatThrownBy(() -> RunFile.read(file)).hasMessageContaining("its request names have");
    }

    @Test
    void a_page_that_is_corrupt_is_named_itself() throws IOException {
        Path page = folder.resolve("page.html");
        Files.writeString(page, Samples.text(new RunPage(), Samples.stall()));
        String whole = Files.readString(page);
        int at = whole.lastIndexOf("zip\">") + 5;
        for (String changed : List.of(
                whole.substring(0, at) + "UEsD" + whole.substring(at + 400),
                whole.substring(0, at) + "?" + whole.substring(at),
                whole.substring(0, at))) {
            Files.writeString(page, changed);
            assertThatThrownBy(() -> RunPage.read(page))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(page + ": ")
                    .hasMessageNotContaining(".downbeat:");
        }
    }

    @Test
    void two_runs_cannot_write_the_same_journal() throws IOException {
        RunHead head = RunHead.of(Samples.interrupted());
        Path file = folder.resolve("a.part");
        try (RunJournal first = RunJournal.begin(file, head)) {
            assertThat(first.path()).isEqualTo(file);
            assertThatThrownBy(() -> RunJournal.begin(file, head)).hasMessageContaining("another run");
        }
        RunJournal.begin(file, head).discard();
        assertThat(file).doesNotExist();
    }

    /** Such as Lustre without -o flock, where a cluster's shards save their results. */
    @Test
    void a_file_system_without_locks_has_journals_too() throws IOException {
        RunReport report = Samples.interrupted();
        Path file = folder.resolve("a.downbeat.part");
        RunJournal.Locking none = channel -> {
            throw new IOException("No locks available");
        };
        try (RunJournal journal = RunJournal.begin(file, RunHead.of(report), 1, none)) { // which joins its intervals
            for (Interval interval : report.result().intervals()) {
                journal.add(interval);
            }
        }
        assertThat(RunFile.read(file).result().ledger())
                .isEqualTo(report.result().ledger());
    }

    @Test
    void a_run_that_begins_while_an_earlier_one_removes_its_journal_keeps_its_own() throws Exception {
        Path file = folder.resolve("run.downbeat.part");
        RunHead head = RunHead.of(Samples.interrupted());
        for (int i = 0; i < 500; i++) {
            RunJournal first = RunJournal.begin(file, head);
            CompletableFuture<RunJournal> next = CompletableFuture.supplyAsync(() -> whenFree(file, head));
            first.discard();
            assertThat(next.get().path()).exists();
            next.get().discard();
        }
    }

    private static RunJournal whenFree(Path file, RunHead head) {
        while (true) {
            try {
                return RunJournal.begin(file, head);
            } catch (RunJournal.Busy another) {
                Thread.onSpinWait();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    @Test
    void the_file_warns_against_correcting_it_again() throws IOException {
        Path file = saved(Samples.interrupted());
        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertThat(text(zip, "plan.json")).contains("do not correct again").contains("\"schema\":2");
            assertThat(text(zip, "summary.json"))
                    .isEqualTo(Samples.text(RunView.on(Renderer.JSON), Samples.interrupted()));
            assertThat(zip.stream().map(ZipEntry::getName).toList())
                    .containsExactly(
                            "plan.json",
                            "result.json",
                            "environment.json",
                            "intervals.jsonl",
                            "summary.json",
                            "incidents.jsonl");
        }
    }

    private static String text(ZipFile zip, String name) throws IOException {
        try (InputStream in = zip.getInputStream(Objects.requireNonNull(zip.getEntry(name), name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void a_bit_that_turned_is_noticed_in_every_entry_seed_11() throws IOException {
        byte[] whole = Files.readAllBytes(saved(Samples.interrupted()));
        Map<String, String> told = texts(folder.resolve("whole.downbeat"), whole);
        SplittableRandom random = new SplittableRandom(11);
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            byte[] turned = whole.clone();
            turned[random.nextInt(turned.length)] ^= (byte) (1 << random.nextInt(8));
            Path file = Files.write(folder.resolve("turned.downbeat"), turned);
            try {
                RunFile.read(file);
            } catch (IOException corrupt) {
                refused++;
                continue;
            }
            assertThat(List.copyOf(texts(file, turned).values()).equals(List.copyOf(told.values())))
                    .as("change %s: what is not noticed changes no entry", i)
                    .isTrue();
        }
        assertThat(refused).isGreaterThan(100);
    }

    private static Map<String, String> texts(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        Map<String, String> texts = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                texts.put(entry.getName(), text(zip, entry.getName()));
            }
        }
        return texts;
    }

    @Test
    void an_invalid_result_is_refused_in_one_clear_line() throws IOException {
        Path zip = folder.resolve("other.downbeat");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("hello.txt"));
        }
        assertThatThrownBy(() -> RunFile.read(zip)).hasMessageContaining("has no plan.json");
        byte[] whole = Files.readAllBytes(saved(Samples.interrupted()));
        Path half = Files.write(folder.resolve("half.downbeat"), Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> RunFile.read(half)).hasMessage(half + ": corrupt or cut off");
        Path text = Files.writeString(folder.resolve("text.downbeat"), "hello");
        assertThatThrownBy(() -> RunFile.read(text)).hasMessageContaining("not a result");
    }

    @Test
    void a_later_schema_is_refused_and_says_what_to_do() throws IOException {
        Path file = folder.resolve("later.downbeat.part");
        Files.writeString(file, "{\"schema\":3,\"downbeat\":\"9.1\",\"plan\":{\"new\":true}}\n");
        assertThatThrownBy(() -> RunFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("schema 3")
                .hasMessageContaining("up to 2")
                .hasMessageContaining("9.1");
    }

    /** The file was written once and is never written anew: whoever changes a name must go on reading the old one. */
    @Test
    void a_file_of_schema_1_is_read_for_ever() throws IOException {
        Path file = folder.resolve("kept.downbeat");
        try (InputStream in = Objects.requireNonNull(RunFileTest.class.getResourceAsStream("schema-1.zip"))) {
            Files.copy(in, file);
        }
        RunReport read = RunFile.read(file);
        assertThat(words(read))
                .isEqualTo(words(Samples.interrupted())
                        .replace("≥ 12.0 ms ≥ 12.0 ms", "≥ 12.0 ms ≥ 5.00 ms") // its ages since sent are unknown
                        // a file holds its verdict in the words of its day
                        .replace("measured between 0.263 % and 1.05 %", "was from 0.263 % to 1.05 %")
                        .replace("p99 needs 500 requests, got 379", "p99 needs 500 requests, there were 379"));
        assertThat(read.result().recording())
                .usingRecursiveComparison()
                .ignoringFields("times.censoredWithoutLateness", "times.unseenService") // younger than the file
                .isEqualTo(Samples.interrupted().result().recording());
        assertThat(read.result().interruptions().isWatched()).isFalse();
        assertThat(read.result().recording().responseWithoutOwnDelay().count())
                .isEqualTo(read.result().recording().responseAtLeast().count());
    }

    private static String words(RunReport report) throws IOException {
        return Samples.text(RunView.on(Renderer.TEXT), report).replaceAll("\\s+", " ");
    }
}
