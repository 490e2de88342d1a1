package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.RecordJson;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.testing.ParsedJson;
import dev.downbeat.verdict.RunFixture;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JsonReportTest {
    /** Objects whose names are data. */
    private static final Set<String> OPEN = Set.of("errors", "unavailable");

    private static String json(RunReport report) {
        return Samples.text(RunView.on(Renderer.JSON), report);
    }

    private static long number(String json, String path) {
        return ParsedJson.parse(json).at(path).whole();
    }

    /** Nearest rank over the raw times, computed without any histogram. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "p50_ns, 50",
        "p75_ns, 75",
        "p90_ns, 90",
        "p99_ns, 99",
        "p99_9_ns, 99.9",
        "p99_99_ns, 99.99",
        "max_ns, 100"
    })
    void percentiles_are_those_of_the_raw_times(String name, BigDecimal percentile) {
        String json = json(Samples.stall());
        long[][] times = Samples.stallTimes();
        long[] response = new long[times.length];
        long[] service = new long[times.length];
        for (int i = 0; i < times.length; i++) {
            long opening = i < 64 ? 30 * RunFixture.MS : 0;
            service[i] = times[i][1] + opening;
            response[i] = i < 64 ? service[i] : times[i][0] + times[i][1] + 20_000;
        }
        assertWithinOnePerMille(number(json, "response." + name), nearestRank(response, percentile));
        assertWithinOnePerMille(number(json, "service." + name), nearestRank(service, percentile));
    }

    private static long nearestRank(long[] times, BigDecimal percentile) {
        Arrays.sort(times);
        BigDecimal rank = percentile.multiply(BigDecimal.valueOf(times.length)).divide(BigDecimal.valueOf(100));
        return times[rank.setScale(0, RoundingMode.CEILING).intValueExact() - 1];
    }

    private static void assertWithinOnePerMille(long shown, long exact) {
        assertThat(shown).isBetween(exact, exact + exact / 1_000 + 1);
    }

    @Test
    void the_ledger_adds_up_in_the_file_too() {
        String json = json(Samples.censored());
        assertThat(number(json, "ledger.planned"))
                .isEqualTo(number(json, "ledger.answered")
                        + number(json, "ledger.failed")
                        + number(json, "ledger.timed_out")
                        + number(json, "ledger.in_flight")
                        + number(json, "ledger.never_sent"));
        assertThat(number(json, "censored.count")).isEqualTo(5_000);
        assertThat(ParsedJson.parse(json).at("response.p90_ns").isNull()).isTrue();
        assertWithinOnePerMille(number(json, "censored.lower_bound.p90_ns"), 5_003 * RunFixture.MS);
    }

    /** Those of all members, with [] for any element of an array. */
    private static Set<String> paths(String json) {
        Set<String> paths = new TreeSet<>();
        collect("", ParsedJson.parse(json).members(), paths);
        return paths;
    }

    private static void collect(String path, @Nullable Object value, Set<String> paths) {
        if (value instanceof Map<?, ?> object && !OPEN.contains(path)) {
            object.forEach((name, member) -> {
                String inner = path.isEmpty() ? name.toString() : path + "." + name;
                paths.add(inner);
                collect(inner, member, paths);
            });
        } else if (value instanceof List<?> array) {
            array.forEach(element -> collect(path + "[]", element, paths));
        }
    }

    @Test
    void a_key_is_never_missing() {
        Set<String> expected = paths(json(Samples.stall()));
        for (String sample : List.of("interrupted", "censored", "refused")) {
            Set<String> paths = paths(json(Samples.of(sample)));
            // a list may be empty
            assertThat(paths)
                    .as(sample)
                    .containsAll(expected.stream()
                            .filter(path -> !path.contains("[]"))
                            .toList());
        }
        assertThat(expected)
                .contains(
                        "schema",
                        "downbeat",
                        "command",
                        "seed",
                        "started",
                        "duration_ns",
                        "complete",
                        "plan.workload",
                        "plan.arrivals",
                        "plan.rate_per_s",
                        "plan.target",
                        "plan.connections",
                        "ledger.timed_out_unsent",
                        "lateness.p99_99_ns",
                        "backlog_wait.mean_ns",
                        "censored.lower_bound.p50_ns",
                        "objectives[].value_ns",
                        "verdict.reasons[].code",
                        "connections.handshake.max_ns",
                        "position.first.p50_ns",
                        "health.steal_ns",
                        "environment.cores",
                        "intervals[].p99_ns",
                        "unavailable");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void every_null_has_a_reason_and_every_reason_a_null(String sample) {
        String json = json(Samples.of(sample));
        Map<?, ?> unavailable = ParsedJson.parse(json).at("unavailable").members();
        Set<String> nulls = new TreeSet<>();
        nulls("", ParsedJson.parse(json).members(), nulls);
        assertThat(nulls).isEqualTo(new TreeSet<Object>(unavailable.keySet()));
        assertThat(unavailable.values())
                .allSatisfy(reason -> assertThat((String) reason).isNotBlank());
    }

    private static void nulls(String path, @Nullable Object value, Set<String> found) {
        if (value instanceof Map<?, ?> object) {
            object.forEach(
                    (name, member) -> nulls(path.isEmpty() ? name.toString() : path + "." + name, member, found));
        } else if (value instanceof List<?> array) {
            array.forEach(element -> nulls(path + "[]", element, found));
        } else if (value == null) {
            found.add(path);
        }
    }

    @Test
    void a_percentile_lies_in_its_interval() {
        String json = json(Samples.stall());
        for (String name : List.of("p50", "p75")) {
            assertThat(number(json, "response." + name + "_ns"))
                    .isBetween(
                            number(json, "response_confidence." + name + "_low_ns"),
                            number(json, "response_confidence." + name + "_high_ns"));
        }
        assertThat(ParsedJson.parse(json)
                        .at("response_confidence.p99_99_high_ns")
                        .isNull())
                .isTrue();
        assertThat(ParsedJson.parse(json(Samples.interrupted()))
                        .at("response_confidence.p50_low_ns")
                        .isNull())
                .isTrue();
    }

    @Test
    void failures_are_counted_by_reason() {
        assertThat(ParsedJson.parse(json(Samples.refused())).at("errors").members())
                .isEqualTo(Map.of("connection refused", 990L, "connection reset", 10L));
    }

    @Test
    void intervals_add_up_to_the_whole() {
        String json = json(Samples.stall());
        List<ParsedJson> intervals = ParsedJson.parse(json).at("intervals").items();
        long answered =
                intervals.stream().mapToLong(row -> row.at("answered").whole()).sum();
        assertThat(answered).isEqualTo(number(json, "response.count"));
        assertThat(intervals).hasSize(61);
    }

    @Test
    void any_text_is_written_so_that_it_reads_the_same() throws IOException {
        StringBuilder out = new StringBuilder();
        String text = "a\"b\\c\n\t\u0000\u001f \u2028\ud83d\ude00 \ud800 é/\u007f";
        RecordJson.write(Map.of(text, text), out);
        assertThat(ParsedJson.parse(out.toString()).members()).isEqualTo(Map.of(text, text));
    }

    private record Fraction(double value) {}

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0, 0.0",
        "2000, 2000.0",
        "1e9, 1000000000.0",
        "0.1234567, 0.123457",
        "1e-9, 0.0000000010",
        "4.1234e-7, 0.000000412",
        "Infinity, null",
        "681.8181818, 681.818182"
    })
    void fractions_have_six_decimals_or_three_digits_and_no_exponent(double value, String written) throws IOException {
        StringBuilder out = new StringBuilder();
        RecordJson.write(new Fraction(value), out);
        assertThat(out.toString()).startsWith("{\n  \"value\": " + written + ",\n");
    }

    @Test
    void details_of_the_plan_are_checked() {
        RunReport report = Samples.refused();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withDetail(report, "target", "x"))
                .withMessage("detail target must not be named like a part of every plan");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> withDetail(report, "share", 0.5))
                .withMessage("detail share must be a String, Long or Integer, but was 0.5");
        String json = json(withDetail(report, "method", "POST"));
        assertThat(ParsedJson.parse(json).at("plan.method").text()).isEqualTo("POST");
    }

    private static RunReport withDetail(RunReport report, String name, Object value) {
        Map<String, Object> details = new HashMap<>();
        details.put(name, value);
        return new RunReport(
                report.result(),
                report.verdict(),
                report.command(),
                report.seed(),
                report.version(),
                report.machine(),
                details);
    }
}
