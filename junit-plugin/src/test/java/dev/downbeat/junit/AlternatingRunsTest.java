package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Services and machines on paper, in turns. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AlternatingRunsTest {
    private static final long MS = 1_000_000;
    private static final URI OWN = URI.create("http://127.0.0.1:1/");
    private static final URI BASE = URI.create("http://127.0.0.1:2/");
    private static final SimulatedService BEFORE =
            SimulatedService.of(new ServiceLaw.Exponential(5 * MS)).servers(8);
    private static final SimulatedService SLOWER =
            SimulatedService.of(new ServiceLaw.Exponential(10 * MS)).servers(8);

    /** Each run once, although several comparisons begin with it. */
    private static final Map<List<Object>, Machine.Observation> SEEN = new ConcurrentHashMap<>();

    private static ComparisonResult compared(SimulatedService now, double othersShare, long controlNanos) {
        return compared(now, othersShare, controlNanos, 5);
    }

    private static ComparisonResult compared(SimulatedService now, double othersShare, long controlNanos, int most) {
        return AlternatingRuns.compare(OWN, BASE, 5, most, 0.1, (service, turn) -> {
            SimulatedService simulated = service.equals(OWN) ? now : BEFORE;
            long seed = 10 * turn + service.getPort();
            return SEEN.computeIfAbsent(
                    List.of(simulated, othersShare, controlNanos, seed),
                    run -> RepeatedRunsTest.seen(simulated, othersShare, controlNanos, seed));
        });
    }

    /** So that neither build always follows the other, whose heap and caches it would find. */
    @Test
    void the_builds_take_turns_at_going_first_and_the_other_one_begins() {
        List<URI> order = new ArrayList<>();
        ComparisonResult found = AlternatingRuns.compare(OWN, BASE, 3, 3, 0.1, (service, turn) -> {
            assertThat(turn).isEqualTo(order.size() / 2);
            order.add(service);
            return RepeatedRunsTest.seen(service.equals(OWN) ? SLOWER : BEFORE, 0.02, 5 * MS, order.size());
        });
        assertThat(order).containsExactly(BASE, OWN, OWN, BASE, BASE, OWN);
        assertThat(found.sentence()).contains("only 3 turns were measured");
    }

    @Test
    void a_slower_build_on_a_quiet_machine_is_red() {
        ComparisonResult found = compared(SLOWER, 0.02, 5 * MS);
        assertThat(found.failsTest()).isTrue();
        assertThat(found.sentence())
                .contains("SLOWER than the other build in 5 turns")
                .doesNotContain("other processes used");
    }

    @Test
    void turns_are_doubled_within_the_budget_until_it_is_decided() {
        SimulatedService little =
                SimulatedService.of(new ServiceLaw.Exponential(5_700_000)).servers(8);
        assertThat(compared(little, 0.02, 5 * MS).sentence()).contains("undecided", "in 5 turns");
        assertThat(compared(little, 0.02, 5 * MS, 19).sentence()).contains("in 10 turns");
        ComparisonResult found = compared(little, 0.02, 5 * MS, 80);
        assertThat(found.failsTest()).as(found.sentence()).isTrue();
        assertThat(found.sentence()).containsPattern("SLOWER than the other build in (10|20|40|80) turns");
        assertThat(compared(SLOWER, 0.02, 5 * MS, 80).sentence()).contains("in 5 turns");
    }

    @Test
    void a_difference_that_other_processes_may_explain_passes_and_names_them() {
        ComparisonResult found = compared(SLOWER, 0.61, 48 * MS);
        assertThat(found.failsTest()).as(found.sentence()).isFalse();
        assertThat(found.sentence())
                .contains("undecided")
                .endsWith("; in one turn other processes used 61 % of the CPU; a 5 ms control call took 48 ms at p99");
    }

    @Test
    void a_service_that_took_the_cores_itself_stays_slower() {
        assertThat(compared(SLOWER, 0.05, 48 * MS).failsTest()).isTrue();
    }

    /** No turn is left without a stall, so only all requests can tell. */
    @Test
    void a_slower_build_is_red_though_both_stall_in_every_turn() {
        Stall each = Stall.parse("1s@5s");
        ComparisonResult found = AlternatingRuns.compare(
                OWN,
                BASE,
                5,
                5,
                0.1,
                (service, turn) -> RepeatedRunsTest.seen(
                        (service.equals(OWN) ? SLOWER : BEFORE).stall(each), 0.02, 5 * MS, 10 * turn + 1));
        assertThat(found.failsTest()).as(found.sentence()).isTrue();
        assertThat(found.sentence()).contains("SLOWER than the other build in 5 turns");
    }

    /** The machine kept a call of 5 ms waiting for 43 ms: a second of silence is not its doing. */
    @Test
    void a_build_that_stalls_stays_red_beside_busy_processes_of_others() {
        ComparisonResult found = compared(BEFORE.stall(Stall.parse("1s@5s")), 0.61, 48 * MS);
        assertThat(found.failsTest()).as(found.sentence()).isTrue();
        assertThat(found.sentence()).contains("than the other build in 5 turns");
    }
}
