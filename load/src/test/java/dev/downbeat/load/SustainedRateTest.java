package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.capacity.RateSearch;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a search in virtual time found: a service of one request at a time, 500 each second. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SustainedRateTest {
    private static final long SECOND = 1_000_000_000L;

    private static SweepReport report(int budgetSeconds, String objective) throws IOException {
        SearchPlan plan = new SearchPlan(
                100,
                2_000,
                10 * SECOND,
                budgetSeconds * SECOND,
                ServiceLevelObjective.withDefaults(List.of(ServiceLevelObjective.parse(objective))),
                SearchPlan.PRECISION,
                OptionalLong.empty());
        SimulatedService service =
                new SimulatedService(new ServiceLaw.Exponential(SECOND / 500), 1, Integer.MAX_VALUE, List.of(), false);
        long[] seed = {1};
        RateSearch search = new RateSearch(
                plan,
                (perSecond, nanos) -> {
                    Rate rate = new Rate(Math.round(perSecond * 1_000), 1_000 * SECOND);
                    RunPlan run = RunPlan.builder(new Workload.Open(new Poisson(rate, seed[0]++)))
                            .duration(Duration.ofNanos(nanos))
                            .interval(Duration.ofNanos(plan.stretchNanos()))
                            .drain(Duration.ofSeconds(2))
                            .build();
                    return new Simulation(run, service, RetryPolicy.none(), seed[0])
                            .run(Progress.none())
                            .result();
                },
                step -> {});
        return new SweepReport(
                search.run(),
                "orders",
                SweepReport.load(plan, true, "1"),
                List.of(),
                "1",
                "0.1.0",
                Map.of("code", Map.of("name", "com.acme.Orders.main")),
                false);
    }

    @Test
    void it_is_what_the_command_line_says_of_the_same_search() throws IOException {
        SweepReport report = report(300, "p90<25ms");
        SustainedRate found = new SustainedRate(report, Optional.empty());
        assertThat(found.perSecond()).isPresent().isEqualTo(report.capacity().sustainablePerSecond());
        assertThat(found.perSecond().orElse(0)).isBetween(300.0, 500.0);
        assertThat(found.tooHighPerSecond().orElse(0))
                .isGreaterThan(found.perSecond().orElse(0));
        assertThat(found.sentence())
                .isEqualTo("orders: " + new SweepView(report).headline())
                .startsWith("orders: Sustains ")
                .contains(" with p90 < 25 ms and errors < 1 %, but not ");
        assertThat(found).hasToString(found.sentence());
        assertThat(found.text()).contains(new SweepView(report).headline(), "SUSTAINABLE", "Poisson arrivals");
    }

    @Test
    void each_rate_is_a_step_with_its_verdict_reason_and_times() throws IOException {
        SustainedRate found = new SustainedRate(report(300, "p90<25ms"), Optional.empty());
        assertThat(found.steps())
                .hasSizeGreaterThan(3)
                .isSortedAccordingTo((one, other) -> Double.compare(one.perSecond(), other.perSecond()));
        SustainedRate.Step first = found.steps().get(0);
        assertThat(first).hasToString("100/s: ok");
        assertThat(first.verdict()).isEqualTo(Verdict.MET);
        assertThat(first.reason()).isEmpty();
        assertThat(first.answeredPerSecond()).isBetween(80.0, 120.0);
        assertThat(first.response().p(90).orElseThrow()).isLessThan(Duration.ofMillis(25));
        assertThat(found.steps())
                .filteredOn(step -> step.perSecond() >= found.tooHighPerSecond().orElseThrow())
                .isNotEmpty()
                .allSatisfy(step -> {
                    assertThat(step.verdict()).isEqualTo(Verdict.MISSED);
                    assertThat(step.toString()).contains("/s: ").endsWith(", " + step.reason());
                });
    }

    /** A test that asks for a rate must not pass by a single lucky look. */
    @Test
    void a_rate_that_was_met_once_is_not_sustained_yet() throws IOException {
        SustainedRate found = new SustainedRate(report(12, "p90<25ms"), Optional.empty());
        assertThat(found.perSecond()).isEmpty();
        assertThat(found.steps().get(0).verdict()).isEqualTo(Verdict.MET);
        assertThat(found.isComplete()).isFalse();
        assertThat(found.sentence()).startsWith("orders: Not confirmed: 100/s met p90 < 25 ms and errors < 1 % once");
    }

    @Test
    void no_rate_is_sustained_if_all_are_too_high() throws IOException {
        SustainedRate found = new SustainedRate(report(900, "p90<1ms"), Optional.empty());
        assertThat(found.perSecond()).isEmpty();
        assertThat(found.tooHighPerSecond()).isPresent();
        assertThat(found.isComplete()).isTrue();
        assertThat(found.sentence()).startsWith("orders: No rate was sustained with p90 < 1 ms and errors < 1 %: at ");
    }

    @Test
    void every_extension_is_a_format_and_a_saved_search_is_read_back(@TempDir Path folder) throws IOException {
        SustainedRate found = new SustainedRate(report(12, "p90<25ms"), Optional.empty());
        for (String extension : List.of("txt", "html", "json", "md", "xml", "downbeat")) {
            found.save(folder.resolve("made/found." + extension));
        }
        assertThat(folder.resolve("made/found.txt")).hasContent(found.text());
        assertThat(Files.readString(folder.resolve("made/found.json"))).contains("\"kind\": \"sweep\"");
        SweepReport read = SweepFile.read(folder.resolve("made/found.downbeat"));
        assertThat(new SustainedRate(read, Optional.empty()).text()).isEqualTo(found.text());
        assertThatThrownBy(() -> found.save(folder.resolve("found.hlog")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the file extension must be .txt, .html, .json, .md, .xml or .downbeat, but the file was"
                        + " found.hlog");
        assertThatThrownBy(() -> found.save(folder.resolve("made/found.txt/inside.txt")))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("inside.txt cannot be written: ");
    }
}
