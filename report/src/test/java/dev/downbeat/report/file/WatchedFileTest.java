package dev.downbeat.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.KeptRequests.Opening;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.Samples;
import dev.downbeat.report.SimulatedRun;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests in full and what happened in the service, in a saved run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatchedFileTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path folder;

    private static KeptRequest request(long index, long responseNanos) {
        long at = index * 10 * MS;
        Opening opening = index % 3 == 2 ? Opening.of(1, 2, 1) : Opening.unknown(4);
        return new KeptRequest(index, 3, at, at + 5, at + 7, at + 20, at + responseNanos, opening, 12, index % 2 == 0);
    }

    private static RunReport report() {
        RunReport report = Samples.interrupted();
        List<KeptRequest> all = LongStream.range(0, 200)
                .mapToObj(i -> request(i, i % 50 == 7 ? 80 * MS : 2 * MS + i))
                .toList();
        RunReport kept = new RunReport(
                report.result().with(KeptRequests.of(all.subList(0, 100), all)),
                report.verdict(),
                report.command(),
                report.seed(),
                report.version(),
                report.machine(),
                report.details());
        return kept.with(List.of(
                new WatchResult(
                        "jvm:4711",
                        List.of(
                                new Event(EventKind.FULL_COLLECTION, 70 * MS, 80 * MS, "G1 Full"),
                                new Event(EventKind.SAFEPOINT, 69 * MS, 0, "")),
                        -5 * MS,
                        3_000 * MS,
                        100_000,
                        List.of("no flight recorder events of locks")),
                WatchResult.nothing("pid:1", "no such process")));
    }

    private Path saved() throws IOException {
        Path file = folder.resolve("a.downbeat");
        try (OutputStream out = Files.newOutputStream(file)) {
            RunFile.write(report(), out);
        }
        return file;
    }

    @Test
    void kept_requests_and_events_are_read_as_written() throws IOException {
        RunReport read = RunFile.read(saved());
        assertThat(read.result().kept()).isEqualTo(report().result().kept());
        assertThat(read.why()).isEqualTo(report().why());
        assertThat(read.why().tail()).isPresent();
    }

    /** Schema 1 had two tables in nanoseconds, the second with only the index of requests in the first. */
    @Test
    void tables_of_schema_1_are_read() throws IOException {
        String header = "index,name,position,answered,intended_ns,lateness_ns,backlog_wait_ns,first_byte_ns,reading_ns,"
                + "new_connection_ns\n";
        List<KeptRequest> slowest =
                RequestsCsv.readSchema1(header + "1,3,12,0,10000000,5,2,13,2000001,4\n", "slowest.csv", List.of());
        assertThat(slowest).containsExactly(request(1, 2 * MS + 21));
        assertThat(RequestsCsv.readSchema1(header + "0,3,12,1,0,5,2,13,7,4\n1\n", "sample.csv", slowest))
                .containsExactly(request(0, 27), request(1, 2 * MS + 21));
        for (String line : List.of("2", "1,", "x", "1,2,3", "0,3,12,1,0.5,5,2,13,7,4")) {
            assertThatThrownBy(() -> RequestsCsv.readSchema1(header + line + "\n", "sample.csv", slowest))
                    .isInstanceOf(IOException.class)
                    .hasMessage("corrupt: line 2 of its sample.csv is malformed");
        }
    }

    /** Before the parts of a new connection were kept. */
    @Test
    void requests_without_the_parts_of_their_connection_are_still_read() throws IOException {
        String header = "kept,index,name,position,answered,intended_us,lateness_us,backlog_wait_us,first_byte_us,"
                + "reading_us,new_connection_us\n";
        KeptRequests kept = RequestsCsv.read(header + "slowest,1,3,12,0,10000,0.005,0.002,0.013,2000.001,0.004\n", "a");
        assertThat(kept.slowest()).containsExactly(request(1, 2 * MS + 21));
        assertThatThrownBy(() -> RequestsCsv.read(header + "slowest,1,3,12,0,1,1,1,1,1,1,,,\n", "a"))
                .hasMessage("corrupt: line 2 of its a is malformed");
    }

    /** Durations that names or intervals add up to are in the file once; those that nothing adds up to are there. */
    @Test
    void durations_are_written_once_and_all_read() throws IOException {
        RunResult run = new SimulatedRun(200, 5, 200 * MS, 2_000 * MS).result();
        assertThat(RunFile.LeftOutTimes.without(run).recording().times()).isEqualTo(ResponseTimes.NONE);
        for (RunResult each :
                List.of(run, Samples.named().result(), Samples.interrupted().result())) {
            assertThat(RunFile.LeftOutTimes.filledIn(RunFile.LeftOutTimes.without(each)))
                    .isEqualTo(each);
        }
    }

    /** When the run is called off, no request ends any more, and a session is still in its think time. */
    @Test
    void whole_sessions_are_no_requests_of_an_interval() throws IOException {
        CorrectedRecorder recorder = new CorrectedRecorder(List.of("list", Recording.SESSION));
        Exchange exchange = new Exchange(0);
        recorder.planned(9);
        for (int i = 0; i < 9; i++) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = 3 * MS;
            exchange.firstByteAt = exchange.completedAt;
            recorder.completed(exchange);
        }
        Interval first = new Interval(0, 1_000 * MS, recorder.drain());
        exchange.name = 1;
        recorder.sessionCutOff(exchange, 700 * MS);
        List<Interval> intervals = List.of(first, new Interval(1_000 * MS, 1_020 * MS, recorder.drain()));
        RunResult run = new RunFixture()
                .result()
                .with(Recording.sum(intervals.stream().map(Interval::recording).toList()), intervals);
        assertThat(run.recording().censored().isEmpty()).isTrue();
        assertThat(RunFile.LeftOutTimes.filledIn(RunFile.LeftOutTimes.without(run)))
                .isEqualTo(run);
    }

    /** A line of one of the entries is exchanged; the file is refused in one line that names the entry. */
    @ParameterizedTest(name = "{0}: {1} for {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "requests.csv  | 12,1      | 12,2",
                "requests.csv  | 3,12      | -3,12",
                "requests.csv  | 3,12,1    | 3,12,1,",
                "requests.csv  | 3,12      | 3,",
                "requests.csv  | 3,12      | 3,99999999999",
                "requests.csv  | 70000,    | 99999999999999999999,",
                "requests.csv  | 70000,    | 900000000000000000,",
                "requests.csv  | 70000,    | 70000.1234,",
                "requests.csv  | 70000,    | 0x10,",
                "requests.csv  | both,     | neither,",
                "requests.csv  | index     | place",
                "watched.jsonl | 80000000  | -1",
                "watched.jsonl | full_coll | fool_coll",
                "watched.jsonl | 70000000  | 9000000000000000000",
                "watched.jsonl | 3000000000| -30000000000",
            })
    void impossible_results_are_refused(String entry, String what, String by) throws IOException {
        Path changed = folder.resolve("b.downbeat");
        try (ZipFile zip = new ZipFile(saved().toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(changed))) {
            for (ZipEntry each : zip.stream().toList()) {
                String text = new String(zip.getInputStream(each).readAllBytes(), StandardCharsets.UTF_8);
                String other = each.getName().equals(entry) ? text.replaceFirst(what, by) : text;
                assertThat(other.equals(text)).isEqualTo(!each.getName().equals(entry));
                out.putNextEntry(new ZipEntry(each.getName()));
                out.write(other.getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThatThrownBy(() -> RunFile.read(changed))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(changed + ": corrupt")
                .hasMessageNotContaining("\n");
    }

    @Test
    void of_more_events_than_are_kept_the_longest_are_and_a_note_says_so() {
        List<Event> many = LongStream.rangeClosed(1, WatchResult.MOST + 10)
                .mapToObj(i -> new Event(EventKind.LOCK_WAIT, i, i, ""))
                .toList();
        RunReport report = Samples.interrupted().with(List.of(new WatchResult("jvm:1", many, 0, MS, 0, List.of())));
        WatchResult watched = report.why().watched().get(0);
        assertThat(watched.events()).hasSize(WatchResult.MOST);
        assertThat(watched.events().get(0).lengthNanos()).isEqualTo(11);
        assertThat(watched.notes()).containsExactly("100,000 of 100,010 events of jvm:1 were kept, the longest");
    }
}
