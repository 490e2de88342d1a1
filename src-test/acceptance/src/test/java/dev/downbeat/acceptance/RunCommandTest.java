package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.MeasuredFirst;
import dev.downbeat.testing.NeverExcused;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.testing.Timing;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The output of "downbeat run" without a target: the screen, the JSON and the other files. */
@Timing
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunCommandTest {
    private static final List<String> EXTENSIONS = List.of("html", "json", "hlog", "md", "csv");
    private static final List<String> STATISTICS =
            List.of("count", "mean_ns", "p50_ns", "p75_ns", "p90_ns", "p99_ns", "p99_9_ns", "p99_99_ns", "max_ns");

    @TempDir
    private static Path folder;

    private Cli.Ending demo;
    private ParsedJson saved;

    @MeasuredFirst
    void run_without_a_target() throws IOException {
        List<String> words = new ArrayList<>(List.of("run"));
        EXTENSIONS.forEach(
                extension -> words.addAll(List.of("-o", file(extension).toString())));
        demo = Cli.run(Duration.ofMinutes(1), words.toArray(String[]::new));
        saved = ParsedJson.parse(Files.readString(file("json")));
    }

    private Path file(String extension) {
        return folder.resolve("demo." + extension);
    }

    @Test
    void without_a_target_the_stall_makes_the_objective_missed() {
        assertThat(demo.code()).as(demo.out() + demo.err()).isEqualTo(99);
        assertThat(demo.hasStackTrace()).isFalse();
    }

    @Test
    void response_p99_is_far_above_service_p99() {
        assertThat(saved.at("response.p99_ns").whole())
                .isGreaterThan(10 * saved.at("service.p99_ns").whole());
        // the factor is shown only if the numbers are those of the service
        boolean isSound = saved.at("verdict.measurement").text().equals("sound");
        assertThat(demo.out()).containsPattern(isSound ? "(?m)^ *p99 .* x[0-9]+" : "(?m)^ *p99 .*MISSED");
    }

    @Test
    void the_verdict_is_in_its_row_and_a_complete_ledger_is_not_shown() {
        assertThat(demo.out())
                .containsPattern("(?m)^  p99 .* < 50 ms MISSED")
                .containsPattern("[0-9,]+ requests, [0-9.,]+/s answered, all 200, [0-9.]+ kB")
                .doesNotContain("planned ");
    }

    @Test
    void it_describes_the_stall_of_the_embedded_service() {
        assertThat(demo.out().replaceAll("\\s+", " "))
                .contains("stalled once")
                .as("the same number of requests in the event and in the explanation")
                .containsPattern(
                        "; ([0-9,]+) requests hit.*Independent callers keep coming: the stall hit \\1 requests\\.");
    }

    @Test
    @NeverExcused
    void the_ledger_in_the_JSON_adds_up() {
        ParsedJson ledger = saved.at("ledger");
        assertThat(ledger.at("planned").whole())
                .isPositive()
                .isEqualTo(ledger.at("answered").whole()
                        + ledger.at("failed").whole()
                        + ledger.at("timed_out").whole()
                        + ledger.at("in_flight").whole()
                        + ledger.at("never_sent").whole());
    }

    @Test
    @NeverExcused
    void the_JSON_has_every_key_of_schema_1() throws IOException {
        try (LoopbackServer server =
                LoopbackServer.start(LoopbackOptions.of(draft -> draft.delay = ServiceLaw.parse("1ms")))) {
            Cli.Ending ending = Cli.run(
                    Duration.ofMinutes(1), "run", server.uri(), "-R", "200", "-d", "1s", "--slo", "p99<5s", "--json");
            assertSchema(ending.json());
            assertThat(ending.code()).isIn(0, 98);
            assertThat(ending.json().at("command").items())
                    .extracting(ParsedJson::text)
                    .contains("run");
        }
        assertSchema(saved);
    }

    private static void assertSchema(ParsedJson json) {
        assertThat(json.at("schema").whole()).isEqualTo(1);
        assertThat(json.at("downbeat").text()).isNotBlank();
        assertThat(json.at("command").items()).isNotEmpty();
        assertThat(json.at("seed").text()).isNotBlank();
        assertThat(Instant.parse(json.at("started").text())).isBefore(Instant.now());
        assertThat(json.at("duration_ns").whole()).isPositive();
        assertThat(json.at("complete").truth()).isTrue();
        assertThat(json.at("plan").members()).containsKeys("workload", "arrivals", "rate_per_s", "target");
        assertThat(json.at("ledger").members())
                .containsKeys("planned", "answered", "failed", "timed_out", "in_flight", "never_sent");
        for (String series : List.of("response", "service", "lateness", "backlog_wait", "censored.lower_bound")) {
            assertThat(json.at(series).members()).as(series).containsKeys(STATISTICS.toArray(String[]::new));
        }
        assertThat(json.at("censored.count").whole()).isNotNegative();
        for (ParsedJson objective : json.at("objectives").items()) {
            assertThat(objective.members()).containsKeys("text", "status", "value_ns");
            assertThat(objective.at("status").text()).isIn("met", "missed", "undecided");
        }
        assertThat(json.at("verdict.measurement").text()).isIn("sound", "partly_sound", "unsound");
        assertThat(json.at("verdict.service").text()).isIn("met", "missed", "undecided", "none");
        for (ParsedJson reason : json.at("verdict.reasons").items()) {
            assertThat(reason.members()).containsKeys("code", "text");
        }
        assertThat(json.at("connections").members()).containsKeys("opened", "closed_by_server");
        assertThat(json.at("errors").members()).isNotNull();
        assertThat(json.at("environment").members()).isNotEmpty();
    }

    @Test
    @NeverExcused
    void times_in_the_JSON_are_whole_nanoseconds_and_every_null_has_a_reason() {
        Map<String, ParsedJson> leaves = saved.leaves();
        leaves.forEach((path, leaf) -> {
            if (path.endsWith("_ns") && !path.startsWith("unavailable") && !leaf.isNull()) {
                assertThat(leaf.whole()).as(path).isGreaterThanOrEqualTo(path.startsWith("position") ? 0 : -1);
            }
            boolean isListItem = path.startsWith("objectives[") || path.startsWith("intervals[");
            if (leaf.isNull() && !isListItem) {
                assertThat(saved.at("unavailable").members())
                        .as("why %s is null", path)
                        .containsKey(path.replaceAll("\\[\\d+]", "[]"));
            }
        });
    }

    @Test
    @NeverExcused
    void the_text_and_the_JSON_are_of_the_same_run() {
        String planned = String.format(
                java.util.Locale.ROOT, "%,d", saved.at("ledger.planned").whole());
        assertThat(demo.out()).contains(" " + planned + " requests, ");
    }

    @Test
    @NeverExcused
    void the_histogram_log_is_read_by_its_own_reader_and_holds_every_answer() throws IOException {
        long responses = 0;
        long services = 0;
        int intervals = 0;
        try (HistogramLogReader reader = new HistogramLogReader(file("hlog").toFile())) {
            for (EncodableHistogram next = reader.nextIntervalHistogram();
                    next != null;
                    next = reader.nextIntervalHistogram()) {
                long count = ((Histogram) next).getTotalCount();
                responses += next.getTag() == null ? count : 0;
                services += "service".equals(next.getTag()) ? count : 0;
                intervals += next.getTag() == null ? 1 : 0;
            }
        }
        assertThat(responses).isEqualTo(saved.at("ledger.answered").whole());
        assertThat(services).isEqualTo(saved.at("ledger.answered").whole());
        assertThat(intervals).isEqualTo(saved.at("intervals").items().size());
    }

    @Test
    @NeverExcused
    void the_table_of_intervals_has_a_whole_row_for_each_and_sums_to_the_ledger() throws IOException {
        List<String> lines = Files.readAllLines(file("csv"));
        List<String> head = List.of(lines.get(0).split(",", -1));
        List<String[]> rows =
                lines.stream().skip(1).map(line -> line.split(",", -1)).toList();
        assertThat(rows).hasSize(saved.at("intervals").items().size()).allMatch(row -> row.length == head.size());
        for (String fate : List.of("planned", "answered", "failed", "timed_out", "in_flight", "never_sent")) {
            int column = head.indexOf(fate);
            assertThat(rows.stream()
                            .mapToLong(row -> Long.parseLong(row[column]))
                            .sum())
                    .as(fate)
                    .isEqualTo(saved.at("ledger").at(fate).whole());
        }
    }

    @Test
    @NeverExcused
    void the_Markdown_holds_the_verdict_and_the_ledger() throws IOException {
        assertThat(Files.readString(file("md")))
                .containsIgnoringCase("measurement")
                .contains("planned")
                .contains("p99");
    }

    @Test
    void the_page_holds_the_verdict_and_the_percentiles_of_the_JSON() throws IOException {
        String page = Files.readString(file("html"));
        String p99 = dev.downbeat.time.DurationText.rounded(
                saved.at("response.p99_ns").whole());
        assertThat(page).containsIgnoringCase("missed").contains(">" + p99 + "<", "</html>");
    }

    @Test
    @NeverExcused
    void no_file_but_those_asked_for_is_left_behind() throws IOException {
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).toList())
                    .containsExactlyInAnyOrderElementsOf(EXTENSIONS.stream()
                            .map(extension -> "demo." + extension)
                            .toList());
        }
    }
}
