package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.Characterisation;
import dev.downbeat.capacity.Characteristics;
import dev.downbeat.capacity.RateMeasurement;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.capacity.Unmeasured;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.report.Samples;
import dev.downbeat.report.SchemaCheck;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.ServiceLaw;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.simulate.Stall;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.Slo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The sheet of a service that exists on paper only, so that each number on it is known: M/M/1 with 500/s. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SheetTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000;
    private static final SearchPlan PLAN = new SearchPlan(
            150,
            5_000,
            20 * SECOND,
            600 * SECOND,
            List.of(Slo.parse("p90<25ms"), Slo.parse("errors<1%")),
            0.05,
            OptionalLong.empty());

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static Characteristics measured;

    private static final List<Double> RATES = new ArrayList<>();

    /** Refuses what would wait behind forty others; stalls once in the calm run. */
    private static RateMeasurement service() {
        SimulatedService service = new SimulatedService(new ServiceLaw.Exponential(2 * MS), 1, 40, List.of(), false);
        long[] seeds = {1};
        return (perSecond, nanos) -> {
            RATES.add(perSecond);
            boolean calm = nanos == 30 * SECOND;
            RunPlan plan = RunPlan.builder(new Workload.Open(
                            new Poisson(new Rate(Math.round(perSecond * 1_000), 1_000 * SECOND), seeds[0]++)))
                    .duration(Duration.ofNanos(nanos))
                    .interval(Duration.ofNanos(PLAN.stretchNanos()))
                    .drain(Duration.ofSeconds(2))
                    .build();
            SimulatedService now = calm ? service.stall(Stall.parse("500ms@10s")) : service;
            return new Simulation(plan, now, RetryPolicy.none(), seeds[0])
                    .run(Progress.none())
                    .result();
        };
    }

    @BeforeAll
    static void measure() throws IOException {
        measured = new Characterisation(
                        PLAN, new Characterisation.Lengths(30 * SECOND, 10 * SECOND), service(), step -> {})
                .run();
    }

    static PositionReport serial(int runs, int requests, int closesAfter) {
        SplittableRandom random = new SplittableRandom(1);
        List<List<Exchange>> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            List<Exchange> exchanges = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.position = i % closesAfter + 1;
                exchange.connectNanos = exchange.position == 1 ? MS + random.nextLong(MS / 10) : 0;
                exchange.firstByteAt = exchange.connectNanos + 2 * MS + random.nextLong(MS);
                exchange.completedAt = exchange.firstByteAt + MS / 10;
                exchanges.add(exchange);
            }
            all.add(exchanges);
        }
        SerialPlan plan = new SerialPlan(runs, requests, 1, 1, true, Duration.ofSeconds(1), 1);
        long ended = (long) runs * ((requests - 1) / closesAfter);
        SerialResult result = new SerialResult(
                plan,
                "a service on paper",
                Instant.EPOCH,
                SECOND,
                MS,
                all,
                new ConnectionCounts(ended + runs, 0, 0, ended, 0, 0, runs, 0),
                new TreeMap<>(),
                true,
                new GeneratorHealth(SECOND, SECOND / 10, 0, 0, 0, 0, 0, 0, 0),
                List.of());
        MachineProfile machine =
                new MachineProfile(2, -1, "an OS", "1", "a", "a JVM", List.of("a GC"), 40, 30, 60_000, List.of(), "");
        return PositionReport.of(result, List.of("downbeat"), "0", machine);
    }

    private static SheetReport report() {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put("measured", "in virtual time");
        conditions.put("from", "a JVM");
        return new SheetReport(
                "a service on paper",
                conditions,
                Optional.of(measured),
                serial(40, 12, 1_000),
                Optional.of(serial(12, 180, 80)),
                List.of("downbeat", "sheet", "paper"),
                "0",
                Optional.empty());
    }

    private static String text(SheetReport report) throws IOException {
        StringBuilder out = new StringBuilder();
        Paper.TEXT.write(new SheetView(report), out);
        return out.toString();
    }

    @Test
    void calm_is_half_of_what_is_sustained_and_overload_a_quarter_above_what_is_not() {
        Capacity capacity = measured.capacity();
        double calm = RATES.get(RATES.size() - 2);
        double overload = RATES.get(RATES.size() - 1);
        assertThat(calm / capacity.sustainablePerSecond().orElseThrow()).isBetween(0.49, 0.51);
        assertThat(overload / capacity.tooHighPerSecond().orElseThrow()).isBetween(1.24, 1.26);
    }

    @Test
    void each_number_comes_with_the_ends_of_its_interval() throws IOException {
        for (SheetSection section : report().sections()) {
            for (SheetSection.Row row : section.rows()) {
                SheetValue value = row.value();
                if (value.low().isPresent() && value.high().isPresent()) {
                    assertThat(value.typical().orElseThrow())
                            .as(row.name() + " " + row.condition())
                            .isBetween(value.low().getAsDouble(), value.high().getAsDouble());
                }
            }
        }
        assertThat(text(report()).lines()).allMatch(line -> line.length() <= 80);
    }

    /** M/M/1 at half of the knee: the median is ln 2 / (mu - lambda), the 90th percentile ln 10 / (mu - lambda). */
    @Test
    void the_known_law_lies_within_the_intervals() {
        SheetSection rate = section("rate");
        double knee = 500 - Math.log(10) / 0.025;
        SheetValue sustainable = rate.rows().get(0).value();
        assertThat(sustainable.low().orElseThrow()).isLessThan(knee * 1.03);
        assertThat(sustainable.high().orElseThrow()).isGreaterThan(knee * 0.97);
        SheetValue connect = value("connection", "connect");
        assertThat(connect.typical().orElseThrow()).isBetween(1.0 * MS, 1.1 * MS);
        SheetValue first = value("connection", "first_request_cost");
        assertThat(first.low().orElseThrow()).isLessThan(1.05 * MS);
        assertThat(first.high().orElseThrow()).isGreaterThan(1.05 * MS);
    }

    @Test
    void what_a_stall_and_an_overload_do_is_told() throws IOException {
        assertThat(value("recovery", "stall").typical().orElseThrow()).isBetween(450.0 * MS, 600.0 * MS);
        SheetValue refused = value("errors", "failed_above");
        double rate = RATES.get(RATES.size() - 1);
        assertThat(1 - 500 / rate)
                .isBetween(refused.low().orElseThrow() - 0.03, refused.high().orElseThrow() + 0.03);
        assertThat(text(report()).replaceAll("\\s+", " ")).contains("Above its limit it says: ");
        assertThat(value("position", "requests_per_connection").typical().orElseThrow())
                .isEqualTo(80);
    }

    @Test
    void what_was_not_seen_is_said_to_be_so() throws IOException {
        Characteristics less = new Characteristics(
                measured.capacity(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Unmeasured(210, "connection refused")));
        SheetReport report = new SheetReport(
                "x",
                Map.of(),
                Optional.of(less),
                serial(2, 12, 1_000),
                Optional.of(serial(12, 180, 1_000)),
                List.of("downbeat"),
                "0",
                Optional.empty());
        assertThat(text(report).replaceAll("\\s+", " "))
                .contains("Not observed")
                .contains("Not enough data: fewer than 6 first requests")
                .contains("Nothing depends on the position of a request on its connection")
                .contains("! 1: PARTIAL: ended at 210/s: connection refused");
        assertThat(report.exitCode(false)).isEqualTo(ExitCode.UNSOUND);
        assertThat(report.exitCode(true)).isEqualTo(ExitCode.MET);
    }

    @Test
    void all_formats_have_the_same_numbers() throws IOException {
        SheetReport report = report();
        StringBuilder markdown = new StringBuilder();
        Paper.MARKDOWN.write(new SheetView(report), markdown);
        StringBuilder html = new StringBuilder();
        Paper.HTML.write(new SheetView(report), html);
        StringBuilder json = new StringBuilder();
        Paper.JSON.write(new SheetView(report), json);
        SheetValue connect = value("connection", "connect");
        assertThat(text(report)).contains(connect.highText());
        assertThat(markdown).contains("| " + connect.highText() + " |");
        assertThat(html).contains(">" + connect.highText() + "<").contains("id=\"curve\"");
        assertThat(json)
                .contains("\"kind\": \"sheet\"")
                .contains("\"high_ns\": " + Math.round(connect.high().orElseThrow()));
    }

    @Test
    void the_JSON_of_a_sheet_is_as_its_schema_says() throws IOException {
        SchemaCheck.hold("sheet", new SheetView(report()));
        SchemaCheck.hold(
                "sheet",
                new SheetView(new SheetReport(
                        "x",
                        Map.of(),
                        Optional.empty(),
                        serial(2, 12, 1_000),
                        Optional.empty(),
                        List.of("downbeat"),
                        "0",
                        Optional.of("interrupted"))));
        SchemaCheck.hold("sweep", new SweepView(sweep(measured.capacity())));
        SchemaCheck.hold("position", new PositionView(serial(12, 180, 80)));
    }

    private static SweepReport sweep(Capacity capacity) {
        return new SweepReport(capacity, "a service on paper", "open loop", List.of("downbeat", "sweep"), "7", "0");
    }

    /** Written anew as those of {@link GoldenFileTest}, which has the style and the script of all pages. */
    @Test
    void the_sheet_is_as_in_its_files() throws IOException {
        StringBuilder markdown = new StringBuilder();
        Paper.MARKDOWN.write(new SheetView(report()), markdown);
        StringBuilder html = new StringBuilder();
        Paper.HTML.write(new SheetView(report()), html);
        Samples.hold("sheet.txt", text(report()));
        Samples.hold("sheet.md", markdown.toString());
        Samples.hold("sheet.html", html.toString());
    }

    private static SheetSection section(String code) {
        return report().sections().stream()
                .filter(section -> section.code().equals(code))
                .findFirst()
                .orElseThrow();
    }

    private static SheetValue value(String section, String code) {
        return section(section).rows().stream()
                .filter(row -> row.code().equals(code))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
