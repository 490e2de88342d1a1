package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.testing.Replications;
import dev.downbeat.verdict.RunFixture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SavedRunTest {
    private static final long MS = RunFixture.MS;
    private static final long S = RunFixture.S;

    private static SavedRun read(String log) throws IOException {
        return SavedRun.read(new BufferedReader(new StringReader(log)), "x.hlog");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored"})
    void written_values_are_read_back(String sample) throws IOException {
        RunReport report = Samples.of(sample);
        SavedRun saved = read(Samples.text(new HistogramLogFile(), report));
        List<Interval> intervals = report.result().intervals();
        assertThat(saved.number("ledger.planned"))
                .hasValue(report.result().ledger().planned());
        assertThat(saved.isCorrected()).isTrue();
        assertThat(saved.isPartial()).isEqualTo(!report.result().isComplete());
        assertThat(saved.intervals()).hasSameSizeAs(intervals);
        for (int i = 0; i < intervals.size(); i++) {
            Recording before = intervals.get(i).recording();
            Recording after = saved.intervals().get(i).recording();
            assertThat(after.response()).isEqualTo(before.response());
            assertThat(after.service()).isEqualTo(before.service());
            assertThat(after.backlogWait()).isEqualTo(before.backlogWait());
            assertThat(after.censored()).isEqualTo(before.censored());
            assertThat(after.failed()).isEqualTo(before.failed());
            assertThat(saved.intervals().get(i).startNanos())
                    .isEqualTo(intervals.get(i).startNanos());
        }
    }

    /** Or a new version whose requests cannot be built would fail no more than its base. */
    @Test
    void requests_that_could_not_be_built_are_read_back_as_failures() throws IOException {
        RunReport report = Samples.report(
                new RunFixture().answered(300, 3 * MS).unbuilt(20, "no value").result());
        assertThat(report.result().recording().unbuilt()).isEqualTo(20);
        long failed = read(Samples.text(new HistogramLogFile(), report)).intervals().stream()
                .mapToLong(interval -> interval.recording().ledger().failed())
                .sum();
        assertThat(failed).isEqualTo(20);
    }

    /** A name may have what would end a tag; its failures must not be lost, or the next run would be said to fail more. */
    @Test
    void requests_by_name_are_read_back_with_their_names_and_failures() throws IOException {
        RunReport sample = Samples.censored();
        List<Interval> named = sample.result().intervals().stream()
                .map(interval -> new Interval(
                        interval.startNanos(),
                        interval.endNanos(),
                        interval.recording()
                                .withNames(Map.of(
                                        "place order, 100 %", interval.recording(),
                                        "plain", interval.recording()))))
                .toList();
        RunResult result = new RunResult(
                sample.result().plan(),
                sample.result().target(),
                sample.result().span(),
                sample.result().recording(),
                named,
                sample.result().lanes(),
                sample.result().health());
        SavedRun saved = read(Samples.text(new HistogramLogFile(), Samples.report(result)));
        for (int i = 0; i < named.size(); i++) {
            Recording all = named.get(i).recording();
            Recording recording = saved.intervals().get(i).recording();
            if (all.response().isEmpty()
                    && all.failed().isEmpty()
                    && all.censored().isEmpty()) {
                continue;
            }
            assertThat(recording.byName()).containsOnlyKeys("place order, 100 %", "plain");
            Recording after = recording.named("place order, 100 %");
            assertThat(after.response()).isEqualTo(all.response());
            assertThat(after.failed()).isEqualTo(all.failed());
            assertThat(after.censored()).isEqualTo(all.censored());
            assertThat(after.ledger().planned()).isEqualTo(recording.ledger().planned());
        }
    }

    @Test
    void a_saved_run_is_compared_as_the_run_itself() throws IOException {
        RunReport report = Samples.stall();
        ComparedRun saved = read(Samples.text(new HistogramLogFile(), report)).compared();
        ComparedRun kept = ComparedRun.of("x.hlog", report.analysis().observations(), report.verdict());
        assertThat(saved.ratePerSecond()).isEqualTo(kept.ratePerSecond());
        assertThat(saved.workload()).isEqualTo("open");
        assertThat(saved.stretches()).hasSameSizeAs(kept.stretches());
        assertThat(saved.doubts()).isEqualTo(kept.doubts());
    }

    /** A slow service lets them plan fewer requests before the end. */
    @Test
    void sessions_are_compared_by_the_rate_asked_for() throws IOException {
        Workload sessions = new Workload.PartlyOpen(new Constant(Rate.perSecond(10)), 3, ThinkTime.none());
        RunReport report = Samples.report(new RunFixture()
                .workload(sessions, Duration.ofSeconds(2))
                .answered(50, 2 * MS)
                .until(2 * S)
                .result());
        ComparedRun saved = read(Samples.text(new HistogramLogFile(), report)).compared();
        ComparedRun kept = ComparedRun.of("x.hlog", report.analysis().observations(), report.verdict());
        assertThat(saved.ratePerSecond()).isEqualTo(kept.ratePerSecond()).hasValue(30);
    }

    @Test
    void a_log_of_another_tool_is_read_with_a_doubt() throws IOException {
        StringBuilder log = new StringBuilder();
        Samples.text(new HistogramLogFile(), Samples.stall())
                .lines()
                .filter(line -> !line.startsWith("#") && !line.startsWith("Tag="))
                .forEach(line -> log.append(line).append('\n'));
        SavedRun saved = read(log.toString());
        assertThat(saved.facts()).doesNotContainKey("ledger.planned");
        assertThat(saved.compared().doubts()).extracting(Incomparable::code).containsExactly("uncorrected");
        assertThat(saved.compared().ratePerSecond()).isPresent();
    }

    /** A log's times have milliseconds. */
    @Test
    void intervals_within_a_millisecond_become_one_without_a_loss() throws IOException {
        RunResult sample = Samples.stall().result();
        Recording counted = sample.intervals().get(0).recording();
        List<Interval> brief = List.of(
                new Interval(0, MS / 5, counted),
                new Interval(MS / 5, MS / 2 - 1, counted),
                new Interval(MS / 2 - 1, 2 * S, counted),
                new Interval(2 * S, 2 * S + MS / 4, counted));
        RunResult result = new RunResult(
                sample.plan(),
                sample.target(),
                sample.span(),
                Recording.sum(List.of(counted, counted, counted, counted)),
                brief,
                sample.lanes(),
                sample.health());
        List<Interval> read = read(Samples.text(new HistogramLogFile(), Samples.report(result)))
                .intervals();
        assertThat(read).extracting(Interval::startNanos).containsExactly(0L, 2 * S);
        assertThat(read).extracting(Interval::endNanos).containsExactly(2 * S, 2 * S);
        assertThat(Recording.sum(read.stream().map(Interval::recording).toList())
                        .response())
                .isEqualTo(result.recording().response());
    }

    /** Its words are for readers, and a target's name may be alike. */
    @Test
    void how_a_run_ended_is_a_fact_of_the_log() throws IOException {
        RunResult stall = Samples.stall().result();
        for (RunSpan.Ending ending : RunSpan.Ending.values()) {
            RunResult result = new RunResult(
                    stall.plan(),
                    "INTERRUPTED",
                    RunSpan.of(stall.started(), 0, stall.durationNanos(), ending),
                    stall.recording(),
                    stall.intervals(),
                    stall.lanes(),
                    stall.health());
            String log = Samples.text(new HistogramLogFile(), Samples.report(result));
            assertThat(read(log).isPartial()).as(ending.name()).isEqualTo(!result.isComplete());
        }
    }

    /** Whose fact and checksum are taken away. */
    @Test
    void of_a_log_of_an_older_version_the_words_say_whether_it_is_partial() throws IOException {
        String log = Samples.text(new HistogramLogFile(), Samples.interrupted())
                .replace(" ending=interrupted", "")
                .replaceAll("#\\[? ?downbeat (end: crc32|log: checksum).*\\n", "");
        assertThat(log).contains(" INTERRUPTED after 3.8 s");
        assertThat(read(log).isPartial()).isTrue();
        assertThat(read(log.replace(" INTERRUPTED after", " BROKEN after")).isPartial())
                .isTrue();
        assertThat(read(log.replace(" INTERRUPTED after", " CUT OFF after")).isPartial())
                .isTrue();
        assertThat(read(log.replace(" INTERRUPTED after", " COMPLETE after")).isPartial())
                .isFalse();
    }

    @Test
    void an_unsound_or_partial_run_says_so() throws IOException {
        assertThat(read(Samples.text(new HistogramLogFile(), Samples.interrupted()))
                        .compared()
                        .doubts())
                .isNotEmpty();
    }

    /** What is ours is known of each percentile, so that it is subtracted; what is wrong with a whole run is not. */
    @Test
    void a_run_with_own_delay_is_compared_by_its_bounds_and_a_broken_one_is_unsound() throws IOException {
        RunFixture late = new RunFixture();
        for (int second = 1; second <= 12; second++) {
            late.answered(50, 6 * MS, 0, 4 * MS).until(second * S);
        }
        assertThat(doubts(late)).containsExactly("own_delay");
        assertThat(doubts(late.broke("x", 12 * S))).containsExactly("unsound");
    }

    @Test
    void of_a_run_in_which_nothing_was_reached_only_that_is_doubted() throws IOException {
        RunFixture refused = new RunFixture();
        for (int second = 1; second <= 12; second++) {
            refused.unconnected(50, 1, "connection refused", MS).until(second * S);
        }
        assertThat(doubts(refused)).containsExactly("nothing_answered");
        assertThat(doubts(refused.ended(RunSpan.Ending.INTERRUPTED, 12 * S))).contains("partial");
    }

    private static List<String> doubts(RunFixture run) throws IOException {
        return read(Samples.text(new HistogramLogFile(), Samples.report(run.result()))).compared().doubts().stream()
                .map(Incomparable::code)
                .toList();
    }

    /** A log has the times of each second, and what they show is seen again. */
    @Test
    void a_run_whose_level_jumped_is_compared_with_a_doubt() throws IOException {
        Workload load = new Workload.Open(new Constant(Rate.perSecond(200)));
        RunFixture steady = new RunFixture().workload(load, Duration.ofSeconds(60));
        RunFixture jumps = new RunFixture().workload(load, Duration.ofSeconds(60));
        for (int second = 1; second <= 60; second++) {
            steady.answered(200, 4 * MS).until(second * S);
            jumps.answered(200, (second <= 30 ? 4 : 12) * MS).until(second * S);
        }
        assertThat(doubts(steady.ended(RunSpan.Ending.COMPLETE, 60 * S))).isEmpty();
        assertThat(doubts(jumps.ended(RunSpan.Ending.COMPLETE, 60 * S))).containsExactly("unsteady");
    }

    @Test
    void a_log_that_is_cut_off_is_refused_wherever_it_is_cut() {
        String log = Samples.text(new HistogramLogFile(), Samples.stall());
        int start = log.indexOf("\"StartTimestamp\"");
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < Replications.of(400); i++) {
            String cut = log.substring(0, random.nextInt(start, log.length() - 200));
            assertThatThrownBy(() -> read(cut))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("x.hlog(: line [0-9]+ is corrupt or cut off| is cut off or was changed: .*"
                            + "| is not a histogram log: .*)");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "hello", "{\"schema\": 1}", "a,b,c,d", "0.0,1.0,2.0,HISTFAAAA", "Tag=x,,,,\u0000", "#\n#\n"})
    void an_invalid_log_gets_one_clear_line(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not a histogram log");
    }

    @Test
    void a_file_that_is_not_text_may_be_no_histogram_log(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("run.downbeat"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            assertThatThrownBy(() -> SavedRun.read(lines, "run.downbeat"))
                    .hasMessage(
                            "run.downbeat is not text, so it is not a histogram log or is corrupt: save a run with -o"
                                    + " NAME.hlog");
        }
    }
}
