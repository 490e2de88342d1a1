package dev.downbeat.capacity;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.capacity.RateSearch.SlowPhases;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which rates a search measures, in which order and for how long, if every rate gives a clear answer. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SearchPathTest {
    private static final SearchPlan PLAN = new SearchPlan(
            100,
            1_000,
            10 * S,
            3_600 * S,
            List.of(ServiceLevelObjective.parse("p90<25ms")),
            0.05,
            OptionalLong.empty());

    private final List<Double> rates = new ArrayList<>();
    private final List<Long> seconds = new ArrayList<>();

    /** A service that takes 2 ms up to this rate, and 50 ms for half of the requests beyond. */
    private Capacity search(double capacity) throws IOException {
        return search(capacity, PLAN);
    }

    private Capacity search(double capacity, SearchPlan plan) throws IOException {
        return new RateSearch(
                        plan,
                        (perSecond, nanos) -> {
                            rates.add(perSecond);
                            seconds.add(nanos / S);
                            return run(perSecond, nanos, nanos, perSecond > capacity);
                        },
                        step -> {})
                .run();
    }

    private static RunResult run(double perSecond, long nanos, long endNanos, boolean isSlow) {
        RunPlan plan = SearchOnPaper.runPlan(PLAN, perSecond, nanos, 1);
        RunFixture run = new RunFixture().workload(plan.workload(), Duration.ofNanos(nanos));
        long each = Math.round(perSecond * PLAN.stretchNanos() / S);
        for (long until = PLAN.stretchNanos(); until <= nanos; until += PLAN.stretchNanos()) {
            run.answered(isSlow ? each / 2 : each, 2 * MS);
            run.answered(isSlow ? each - each / 2 : 0, 50 * MS).until(until);
        }
        return run.ended(RunSpan.Ending.COMPLETE, endNanos).result();
    }

    /** 414 is the geometric mean of 338 and 506; 403 is less than 5 % above 393. */
    @Test
    void the_rate_rises_by_halves_is_bisected_and_both_ends_are_confirmed() throws IOException {
        Capacity found = search(400);
        assertThat(rates).containsExactly(100.0, 150.0, 225.0, 338.0, 506.0, 414.0, 374.0, 393.0, 403.0, 393.0, 403.0);
        assertThat(seconds).containsExactly(10L, 10L, 10L, 10L, 10L, 10L, 10L, 10L, 10L, 60L, 60L);
        assertThat(found.sustainablePerSecond()).hasValue(393);
        assertThat(found.tooHighPerSecond()).hasValue(403);
        assertThat(found.isConfirmed()).isTrue();
        assertThat(found.isCutShort()).isFalse();
        assertThat(found.missesSlowPhases()).isFalse();
    }

    @Test
    void a_service_that_carries_the_highest_rate_is_not_searched_beyond() throws IOException {
        Capacity found = search(5_000);
        assertThat(rates).containsExactly(100.0, 150.0, 225.0, 338.0, 506.0, 759.0, 1_000.0, 1_000.0);
        assertThat(found.sustainablePerSecond()).hasValue(1_000);
        assertThat(found.tooHighPerSecond()).isEmpty();
    }

    private static SearchPlan within(int budgetSeconds, double fromPerSecond, String slo) {
        SearchPlan plan = plan(fromPerSecond, 1_000, slo);
        return new SearchPlan(
                plan.fromPerSecond(),
                plan.toPerSecond(),
                plan.stepNanos(),
                budgetSeconds * S,
                plan.slos(),
                plan.precision(),
                plan.shuffle());
    }

    @Test
    void the_least_budget_of_a_confirmation_confirms_the_first_rate() throws IOException {
        Capacity found = search(5_000, within(50, 100, "p90<25ms"));
        assertThat(rates).containsExactly(100.0, 100.0);
        assertThat(found.isConfirmed()).isTrue();
        assertThat(found.isCutShort()).isTrue();
    }

    /** The last responses of each run take 2 s. With none, 759 would be measured, and 759 confirmed. */
    @Test
    void time_for_a_confirmation_and_the_last_responses_before_it_is_kept() throws IOException {
        SearchPlan plan = within(100, 100, "p90<25ms");
        Capacity found = new RateSearch(
                        plan,
                        (perSecond, nanos) -> {
                            rates.add(perSecond);
                            return run(perSecond, nanos, nanos + 2 * S, false);
                        },
                        step -> {})
                .run();
        assertThat(rates).containsExactly(100.0, 150.0, 225.0, 338.0, 506.0, 506.0);
        assertThat(found.isConfirmed()).isTrue();
        assertThat(found.isCutShort()).isTrue();
    }

    /** The first rate has too few requests for p99 in 10 s, but not in 30 s; the next one has enough in 10 s. */
    @Test
    void a_confirmed_rate_is_not_given_up_for_a_higher_one_that_cannot_be_confirmed() throws IOException {
        Capacity found = search(5_000, within(75, 32, "p99<25ms"));
        assertThat(rates).containsExactly(32.0, 32.0);
        assertThat(found.isConfirmed()).isTrue();
        assertThat(found.isCutShort()).isTrue();
        rates.clear();
        found = search(5_000, within(90, 32, "p99<25ms"));
        assertThat(rates).containsExactly(32.0, 32.0, 48.0, 48.0);
        assertThat(found.isConfirmed()).isTrue();
    }

    /** Rounded, the first would be 1,230, and the last but one 1,000. */
    @Test
    void rounding_neither_leaves_the_range_nor_measures_its_end_twice() throws IOException {
        search(5_000, plan(1_234, 3_000));
        assertThat(rates).containsExactly(1_234.0, 1_850.0, 2_780.0, 3_000.0, 3_000.0);
        rates.clear();
        search(5_000, plan(666.4, 1_000));
        assertThat(rates).containsExactly(666.4, 1_000.0, 1_000.0);
    }

    private static SearchPlan plan(double fromPerSecond, double toPerSecond) {
        return new SearchPlan(
                fromPerSecond, toPerSecond, 10 * S, 3_600 * S, PLAN.slos(), PLAN.precision(), OptionalLong.empty());
    }

    @Test
    void in_a_random_order_all_rates_are_measured_before_the_ends_are_narrowed() throws IOException {
        SearchPlan shuffled =
                new SearchPlan(100, 1_000, 10 * S, 3_600 * S, PLAN.slos(), PLAN.precision(), OptionalLong.of(1));
        Capacity found = search(400, shuffled);
        List<Double> ladder = List.of(100.0, 150.0, 225.0, 338.0, 506.0, 759.0, 1_000.0);
        assertThat(rates.subList(0, 7))
                .containsExactlyInAnyOrderElementsOf(ladder)
                .isNotEqualTo(ladder);
        assertThat(rates.subList(7, rates.size())).containsExactly(414.0, 374.0, 393.0, 403.0, 393.0, 403.0);
        assertThat(found.sustainablePerSecond()).hasValue(393);
        assertThat(found.tooHighPerSecond()).hasValue(403);
        List<Double> before = List.copyOf(rates);
        rates.clear();
        search(400, shuffled);
        assertThat(rates).as("the seed repeats the order").isEqualTo(before);
    }

    /** A double has no more than 53 digits. */
    @Test
    void each_look_at_a_rate_has_half_the_error_of_the_one_before() {
        assertThat(RateSearch.confidence(1)).isEqualTo(0.975);
        assertThat(RateSearch.confidence(2)).isEqualTo(0.9875);
        for (int look = 2; look <= 40; look++) {
            assertThat(RateSearch.confidence(look))
                    .as("look %d", look)
                    .isBetween(RateSearch.confidence(look - 1), Math.nextDown(1.0));
        }
        assertThat(RateSearch.confidence(100)).isBetween(RateSearch.confidence(40), Math.nextDown(1.0));
    }

    @Test
    void if_the_first_rate_fails_lower_ones_are_measured() throws IOException {
        search(50);
        assertThat(rates).containsExactly(100.0, 66.7, 44.5, 54.5, 49.2, 51.8, 50.5, 49.2, 50.5);
    }

    @Test
    void a_thirtieth_of_the_first_rate_is_the_lowest() throws IOException {
        Capacity found = search(1);
        assertThat(rates).containsExactly(100.0, 66.7, 44.5, 29.7, 19.8, 13.2, 8.8, 5.87, 3.91);
        assertThat(found.sustainablePerSecond()).isEmpty();
    }

    /** The lowest rate has the fewest requests: a still lower one says even less about a rare percentile. */
    @Test
    void rates_with_too_few_requests_are_measured_for_longer_and_no_lower_ones() throws IOException {
        Capacity found = search(18, plan(10, 30, "p99.9<30ms"));
        assertThat(rates).startsWith(10.0, 10.0, 15.0, 15.0, 22.5).allMatch(rate -> rate >= 10);
        assertThat(found.sustainablePerSecond().orElse(0)).isBetween(15.0, 18.0);
        assertThat(found.isConfirmed()).isTrue();
        rates.clear();
        SearchPlan plan = new SearchPlan(
                10, 30, 10 * S, 150 * S, plan(10, 30, "p99.9<30ms").slos(), PLAN.precision(), OptionalLong.empty());
        assertThat(search(18, plan).isCutShort()).as("a longer budget decides").isTrue();
        assertThat(rates).allMatch(rate -> rate >= 10);
    }

    private static SearchPlan plan(double fromPerSecond, double toPerSecond, String slo) {
        return new SearchPlan(
                fromPerSecond,
                toPerSecond,
                10 * S,
                3_600 * S,
                List.of(ServiceLevelObjective.parse(slo)),
                PLAN.precision(),
                OptionalLong.empty());
    }

    /** Seconds of a run, by their response times: n is 10 ms, s is 30 ms, and f is 30 ms of nine answers. */
    private static RunResult seconds(String each) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < each.length(); i++) {
            run.answered(each.charAt(i) == 'f' ? 9 : 10, each.charAt(i) == 'n' ? 10 * MS : 30 * MS)
                    .until((i + 1) * S);
        }
        return run.result();
    }

    private static long leastNanos(String... runs) {
        SlowPhases phases = new SlowPhases();
        for (String run : runs) {
            phases.add(seconds(run), 2 * S);
        }
        return phases.leastNanos();
    }

    /** Phases of 2 s and 4 s are 36 / 20 equal ones in 18 s: four come in 40 s. */
    @Test
    void a_run_is_long_enough_for_four_slow_phases_of_the_service() {
        assertThat(leastNanos("ssnnnnssnnnnnnssssnn")).isEqualTo(40 * S);
        assertThat(leastNanos("ssnnnnssnnnnnnssssnnss"))
                .as("the last one has no end")
                .isEqualTo(40 * S);
        assertThat(leastNanos("ssnnnnssnnnnnnssssnfn"))
                .as("nine answers are too few")
                .isEqualTo(40 * S);
        assertThat(leastNanos("ssnnnnssnnnn", "ssnnssssnn")).as("of two runs").isEqualTo(40 * S);
        assertThat(leastNanos("nnsnnn")).as("the start settles for 2 s").isEqualTo(16 * S);
        assertThat(leastNanos("nnnnnn")).isZero();
        assertThat(leastNanos()).isZero();
    }

    /** Twice the lower quartile of a run's seconds. */
    @Test
    void a_phase_is_slow_if_it_takes_twice_the_usual_time() {
        assertThat(phase(19)).isZero();
        assertThat(phase(21)).isEqualTo(32 * S);
    }

    private static long phase(int millis) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 8; i++) {
            run.answered(10, i == 4 ? millis * MS : 10 * MS).until((i + 1) * S);
        }
        SlowPhases phases = new SlowPhases();
        phases.add(run.result(), 0);
        return phases.leastNanos();
    }

    /** One second in 50 may be chance. */
    @Test
    void slow_phases_count_from_a_fiftieth_of_the_time_on() {
        assertThat(leastNanos("nn" + "s" + "n".repeat(49))).isZero();
        assertThat(leastNanos("nn" + "s" + "n".repeat(48))).isBetween(196 * S - 1, 196 * S);
    }
}
