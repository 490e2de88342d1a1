package dev.downbeat.capacity;

import static dev.downbeat.capacity.SearchOnPaper.SECOND;
import static dev.downbeat.capacity.SearchOnPaper.engineQueue;
import static dev.downbeat.capacity.SearchOnPaper.plan;
import static dev.downbeat.capacity.SearchOnPaper.queue;
import static dev.downbeat.capacity.SearchOnPaper.search;
import static dev.downbeat.capacity.SearchOnPaper.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.capacity.Capacity.Unmeasured;
import dev.downbeat.capacity.RateSearch.RateMeasurement;
import dev.downbeat.run.RunResult;
import dev.downbeat.testing.Simulated;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches that do not come to their end. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class RateSearchCutShortTest {
    @Test
    void the_budget_is_kept_and_results_so_far_are_reported() {
        SearchPlan plan = new SearchPlan(
                100,
                5_000,
                10 * SECOND,
                45 * SECOND,
                List.of(ServiceLevelObjective.parse("p90<25ms")),
                0.05,
                OptionalLong.empty());
        List<Double> nanos = new ArrayList<>();
        RateMeasurement service = engineQueue(5, plan);
        Capacity capacity = search(plan, (perSecond, duration) -> {
            RunResult run = service.measure(perSecond, duration);
            nanos.add((double) run.durationNanos());
            return run;
        });
        assertThat(capacity.isCutShort()).isTrue();
        assertThat(capacity.isConfirmed()).isFalse();
        assertThat(nanos.stream().mapToDouble(Double::doubleValue).sum()).isLessThan(50e9);
        assertThat(capacity.sustainablePerSecond()).isPresent();
    }

    /** As the first, but nobody answers from the n-th run on. */
    private static RateMeasurement goneAt(int run, SearchPlan plan, Runnable before) {
        RateMeasurement service = engineQueue(5, plan);
        int[] runs = {0};
        return (perSecond, nanos) -> {
            if (runs[0]++ == run) {
                before.run();
                throw new IOException("connection refused");
            }
            return service.measure(perSecond, nanos);
        };
    }

    @ParameterizedTest(name = "at run {0}")
    @ValueSource(ints = {1, 3, 4})
    void measurements_before_the_service_died_are_the_answer(int run) {
        SearchPlan plan = plan(200, 5_000, 5, "p90<1s");
        Capacity found = search(plan, goneAt(run, plan, () -> {}));
        assertThat(found.isCutShort()).isTrue();
        assertThat(found.isConfirmed()).isFalse();
        assertThat(found.steps()).isNotEmpty();
        assertThat(found.steps().size()).isLessThanOrEqualTo(run);
        assertThat(found.unmeasured().orElseThrow().reason()).isEqualTo("connection refused");
        assertThat(found.unmeasured().orElseThrow().perSecond()).isBetween(100.0, 1_000.0);
    }

    /** The connection was refused to each request of a run, not to the first attempt to connect. */
    @Test
    void a_service_that_dies_between_two_runs_does_not_miss_the_objectives_at_the_next_rate() {
        SearchPlan plan = plan(200, 5_000, 5, "p90<1s");
        RateMeasurement service = engineQueue(5, plan);
        int[] runs = {0};
        Capacity found = search(
                plan,
                (perSecond, nanos) -> runs[0]++ < 2
                        ? service.measure(perSecond, nanos)
                        : new RunFixture().failed(900, "connection refused", 0).result());
        assertThat(found.steps()).hasSize(2);
        assertThat(found.tooHighPerSecond()).isEmpty();
        assertThat(found.unmeasured()).contains(new Unmeasured(450, "connection refused"));
    }

    /** Each of ever lower rates was once called too much. */
    @Test
    void a_service_that_fails_every_request_at_a_lower_rate_than_it_had_answered_is_broken() {
        SearchPlan plan = plan(200, 5_000, 5, "errors<1%");
        RateMeasurement service = engineQueue(5, plan);
        int[] runs = {0};
        Capacity found = search(plan, (perSecond, nanos) -> switch (runs[0]++) {
            case 0 -> service.measure(perSecond, nanos);
            case 1 ->
                new RunFixture()
                        .answered(200, 2_000_000)
                        .failedResponse(700, "HTTP 503", 0)
                        .result();
            default -> new RunFixture().failedResponse(900, "HTTP 503", 0).result();
        });
        assertThat(found.unmeasured().orElseThrow().reason()).isEqualTo("HTTP 503 for every request");
        assertThat(found.steps()).hasSize(2);
    }

    @Test
    void three_failures_at_a_rate_that_was_answered_do_not_end_the_search() {
        SearchPlan plan = plan(200, 5_000, 5, "errors<1%", 120);
        RateMeasurement service = queue(5, plan);
        int[] runs = {0};
        Capacity found = search(
                plan,
                (perSecond, nanos) -> runs[0]++ == 2
                        ? new RunFixture().failedResponse(3, "HTTP 503", 0).result()
                        : service.measure(perSecond, nanos));
        assertThat(found.unmeasured()).isEmpty();
    }

    /** It once ended the climb: "the limit was this machine". */
    @Test
    void a_step_in_which_no_request_was_due_is_measured_for_longer() {
        SearchPlan plan = plan(200, 5_000, 5, "errors<1%", 120);
        RateMeasurement service = queue(5, plan);
        List<Long> nanosOfRuns = new ArrayList<>();
        Capacity found = search(plan, (perSecond, nanos) -> {
            nanosOfRuns.add(nanos);
            return nanosOfRuns.size() == 1
                    ? new RunFixture().until(5 * SECOND).result()
                    : service.measure(perSecond, nanos);
        });
        assertThat(nanosOfRuns).startsWith(plan.stepNanos(), plan.longerNanos());
        assertThat(found.steps()).isNotEmpty().noneMatch(step -> step.outcome() == RateStep.StepOutcome.UNSOUND);
    }

    /** The end of a run often holds a single request, and 1 % of them fail. */
    @ParameterizedTest(name = "{0} in {1} ms")
    @CsvSource({"1, 10", "1, 1500", "20, 100"})
    void failures_in_the_drain_of_a_run_are_no_death_of_the_service(int count, long millis) {
        SearchPlan plan = plan(200, 200, 5, "errors<5%");
        RateMeasurement service = queue(5, plan);
        int[] runs = {0};
        Capacity found = search(
                plan,
                (perSecond, nanos) -> runs[0]++ > 0
                        ? service.measure(perSecond, nanos)
                        : new RunFixture()
                                .answered(900, 2_000_000)
                                .until(4 * SECOND)
                                .failed(count, "connection reset", 0)
                                .until(4 * SECOND + millis * 1_000_000)
                                .result());
        assertThat(found.isCutShort()).isFalse();
    }

    @Test
    void a_service_that_dies_during_a_run_does_not_miss_the_objectives_at_its_rate() {
        SearchPlan plan = plan(200, 5_000, 5, "errors<1%");
        RateMeasurement service = engineQueue(5, plan);
        int[] runs = {0};
        Capacity found = search(
                plan,
                (perSecond, nanos) -> runs[0]++ < 2
                        ? service.measure(perSecond, nanos)
                        : new RunFixture()
                                .answered(900, 2_000_000)
                                .until(2 * SECOND)
                                .failed(900, "connection refused", 0)
                                .until(4 * SECOND)
                                .result());
        assertThat(found.steps()).hasSize(2);
        assertThat(found.tooHighPerSecond()).isEmpty();
        assertThat(found.unmeasured()).contains(new Unmeasured(450, "connection refused"));
    }

    @Test
    void what_was_missed_is_said_in_a_sentence() {
        SearchPlan plan = plan(200, 200, 5, "errors<1%");
        RunResult failing = new RunFixture()
                .answered(900, 2_000_000)
                .until(2 * SECOND)
                .answered(900, 2_000_000)
                .failedResponse(100, "HTTP 503", 2_000_000)
                .until(4 * SECOND)
                .result();
        assertThat(search(plan, (perSecond, nanos) -> failing).steps().get(0).reason())
                .startsWith("errors: measured 10 %");
    }

    @Test
    void without_answers_in_the_first_run_there_is_no_result() {
        SearchPlan plan = plan(200, 5_000, 5, "p90<1s");
        assertThatThrownBy(() -> new RateSearch(plan, goneAt(0, plan, () -> {}), step -> {}).run())
                .isInstanceOf(IOException.class)
                .hasMessage("connection refused");
        RunResult refused = new RunFixture().failed(9, "connection refused", 0).result();
        assertThatThrownBy(() -> new RateSearch(plan, (perSecond, nanos) -> refused, step -> {}).run())
                .isInstanceOf(IOException.class)
                .hasMessage("connection refused");
    }

    private static Capacity endedAt(int run) throws IOException {
        SearchPlan plan = plan(200, 5_000, 5, "p90<1s");
        RateSearch[] search = {null};
        search[0] = new RateSearch(plan, goneAt(run, plan, () -> search[0].stop()), step -> {});
        return search[0].run();
    }

    @Test
    void who_ends_the_search_while_it_connects_keeps_what_was_measured() throws IOException {
        Capacity found = endedAt(3);
        assertThat(found.steps()).hasSize(3);
        assertThat(found.unmeasured().orElseThrow().reason()).isEqualTo("interrupted");
        assertThatThrownBy(() -> endedAt(0))
                .isInstanceOf(IOException.class)
                .hasMessage("no rate was measured: interrupted");
    }

    /** Its thread is interrupted; the connection that it was opening says so in its own words. */
    @Test
    void a_search_interrupted_while_it_connects_does_not_blame_the_service() throws IOException {
        SearchPlan plan = plan(200, 5_000, 5, "p90<1s");
        Capacity found = new RateSearch(
                        plan, goneAt(3, plan, () -> Thread.currentThread().interrupt()), step -> {})
                .run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(found.unmeasured().orElseThrow().reason()).isEqualTo("interrupted");
    }

    @Test
    void a_search_interrupted_between_rates_names_the_rate() throws IOException {
        SearchPlan plan = plan(200, 5_000, 5, "p90<1s");
        RateSearch[] search = {null};
        search[0] = new RateSearch(plan, engineQueue(5, plan), step -> search[0].stop());
        Capacity found = search[0].run();
        assertThat(found.steps()).hasSize(1);
        assertThat(found.unmeasured()).contains(new Unmeasured(300, "interrupted"));
    }
}
