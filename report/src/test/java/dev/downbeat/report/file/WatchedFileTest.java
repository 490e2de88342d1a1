package dev.downbeat.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.record.KeptRequest;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Watched;
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
        return new KeptRequest(index, 3, at, at + 5, at + 7, at + 20, at + responseNanos, 4, 12, index % 2 == 0);
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
                new Watched(
                        "jvm:4711",
                        List.of(
                                new Event(EventKind.FULL_COLLECTION, 70 * MS, 80 * MS, "G1 Full"),
                                new Event(EventKind.SAFEPOINT, 69 * MS, 0, "")),
                        -5 * MS,
                        3_000 * MS,
                        100_000,
                        List.of("no flight recorder events of locks")),
                Watched.nothing("pid:1", "no such process")));
    }

    private Path saved() throws IOException {
        Path file = folder.resolve("a.downbeat");
        try (OutputStream out = Files.newOutputStream(file)) {
            RunFile.write(report(), out);
        }
        return file;
    }

    @Test
    void what_was_kept_and_seen_is_read_as_it_was_written() throws IOException {
        RunReport read = RunFile.read(saved());
        assertThat(read.result().kept()).isEqualTo(report().result().kept());
        assertThat(read.why()).isEqualTo(report().why());
        assertThat(read.why().tail()).isPresent();
    }

    /** A line of one of the entries is exchanged; the file is refused in one line that names the entry. */
    @ParameterizedTest(name = "{0}: {1} for {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "slowest.csv   | 12,1      | 12,2",
                "slowest.csv   | 7,3,12    | 7,-3,12",
                "slowest.csv   | 7,3,12    | 7,3,12,",
                "slowest.csv   | 7,3,12    | 7,3,",
                "slowest.csv   | 7,3,12    | 7,3,99999999999",
                "slowest.csv   | 70000000  | 99999999999999999999",
                "slowest.csv   | index     | place",
                "sample.csv    | (?m)^[0-9]+ | 0x10",
                "sample.csv    | (?m)^[0-9]+ | 700000000000",
                "watched.jsonl | 80000000  | -1",
                "watched.jsonl | full_coll | fool_coll",
                "watched.jsonl | 70000000  | 9000000000000000000",
                "watched.jsonl | 3000000000| -30000000000",
            })
    void what_cannot_have_been_is_refused(String entry, String what, String by) throws IOException {
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
                .hasMessageStartingWith(changed + ": garbled")
                .hasMessageNotContaining("\n");
    }

    @Test
    void of_more_events_than_are_kept_the_longest_are_and_a_note_says_so() {
        List<Event> many = LongStream.rangeClosed(1, Watched.MOST + 10)
                .mapToObj(i -> new Event(EventKind.LOCK_WAIT, i, i, ""))
                .toList();
        RunReport report = Samples.interrupted().with(List.of(new Watched("jvm:1", many, 0, MS, 0, List.of())));
        Watched watched = report.why().watched().get(0);
        assertThat(watched.events()).hasSize(Watched.MOST);
        assertThat(watched.events().get(0).lengthNanos()).isEqualTo(11);
        assertThat(watched.notes()).containsExactly("100,000 of 100,010 events of jvm:1 were kept, the longest");
    }
}
