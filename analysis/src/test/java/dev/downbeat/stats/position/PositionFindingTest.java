package dev.downbeat.stats.position;

import static dev.downbeat.stats.SimulatedService.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.record.PartNames;
import dev.downbeat.stats.SimulatedService;
import dev.downbeat.stats.position.PositionFinding.Closes;
import dev.downbeat.stats.position.PositionFinding.SpectrumStep;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class PositionFindingTest {
    private static final Closes ANNOUNCED = new Closes(200, 0, 0, Closes.HEADER);
    private static final Closes SILENT = new Closes(0, 200, 0, Closes.HEADER);

    @Test
    void a_close_after_80_requests_is_found_with_its_price_and_its_step() {
        List<PositionFinding> findings = PositionSearch.find(closingAfter80(1), ANNOUNCED, true, PartNames.HTTP);
        assertThat(findings)
                .extracting(PositionFinding::code)
                .containsExactly("closed_with_notice", "first_request_cost", "step_explained");
        assertThat(findings.get(0).text())
                .startsWith("200 of 200 connections ended after exactly 80 requests: the server announces it"
                        + " (`Connection: close`). Requests 81, 161, 241, ... of a client open a new"
                        + " connection: 3")
                .endsWith(" ms more at the median");
        assertThat(findings.get(1).text())
                .contains("consisting of TLS handshake 2")
                .contains("connect 1.97 ms")
                .contains("name lookup")
                .contains("wait for the first byte");
        assertThat(findings.get(2).text())
                .contains(" at 98.33 %, because 3 of 180 requests were slow. In a long run every 80th is slow,"
                        + " and the step is at 98.75 % = 1 - 1/80");
    }

    @Test
    void in_a_long_run_the_step_is_at_one_minus_one_eightieth() {
        List<List<SerialRequest>> runs = SimulatedService.runs(new SplittableRandom(1), 4, 16_000, () -> 80);
        assertThat(PositionSearch.find(runs, new Closes(796, 0, 0, Closes.HEADER), true, PartNames.HTTP))
                .last()
                .satisfies(step -> assertThat(step.text())
                        .endsWith(" at 98.75 %, and 98.75 % = 1 - 1/80: it is every 80th request"));
    }

    @Test
    void connections_dropped_without_a_word_are_another_finding() {
        List<List<SerialRequest>> runs = new ArrayList<>();
        for (List<SerialRequest> run : closingAfter80(2)) {
            List<SerialRequest> dropped = new ArrayList<>(run);
            dropped.set(79, SerialRequest.failed(80));
            runs.add(dropped);
        }
        PositionFinding finding =
                PositionSearch.find(runs, SILENT, true, PartNames.HTTP).get(0);
        assertThat(finding.code()).isEqualTo("closed_without_notice");
        assertThat(finding.text())
                .contains("the server closes the connection without notice")
                .contains(
                        "There were 100 without an answer: a request that leaves at that moment is lost or sent twice");
    }

    /** The whole search, with what connections tell: at most 1 % of 200 measurements. */
    @Test
    void a_close_after_a_random_number_is_not_called_periodic() {
        int measurements = Replications.of(100);
        int alarms = 0;
        for (int seed = 0; seed < measurements; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int least = 1 + random.nextInt(60);
            int choices = 40 + random.nextInt(120);
            List<List<SerialRequest>> runs =
                    SimulatedService.runs(random, 30, 180, () -> least + random.nextInt(choices));
            List<String> codes = PositionSearch.find(runs, ANNOUNCED, true, PartNames.HTTP).stream()
                    .map(PositionFinding::code)
                    .toList();
            assertThat(codes).as("seed " + seed).contains("closed_irregularly", "first_request_cost");
            boolean alarm = codes.stream()
                    .anyMatch(
                            List.of("period", "closed_with_notice", "step_explained", "firsts_in_spectrum")::contains);
            alarms += alarm ? 1 : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(measurements / 100);
    }

    @Test
    void the_rule_of_the_connections_speaks_of_the_spectrum_even_if_a_step_does_not_show() {
        SplittableRandom random = new SplittableRandom(1);
        List<List<SerialRequest>> runs = new ArrayList<>();
        for (List<SerialRequest> run : closingAfter80(1)) {
            List<SerialRequest> noisy = new ArrayList<>(run);
            for (int i = 0; i < noisy.size(); i++) {
                if (noisy.get(i).position() > 1 && random.nextInt(12) == 0) {
                    long slow = SimulatedService.around(random, 30 * MS);
                    noisy.set(i, new SerialRequest(noisy.get(i).position(), true, 0, 0, 0, slow, 0));
                }
            }
            runs.add(noisy);
        }
        List<PositionFinding> findings = PositionSearch.find(runs, ANNOUNCED, true, PartNames.HTTP);
        assertThat(findings)
                .extracting(PositionFinding::code)
                .contains("closed_with_notice", "firsts_in_spectrum")
                .doesNotContain("step_explained");
        assertThat(findings)
                .last()
                .satisfies(last -> assertThat(last.text()).contains("all beyond 98.75 % = 1 - 1/80 of the spectrum"));
    }

    @Test
    void a_period_of_16_requests_in_the_service_is_not_blamed_on_connections() {
        SplittableRandom random = new SplittableRandom(4);
        List<List<SerialRequest>> runs = new ArrayList<>();
        for (List<SerialRequest> run : SimulatedService.runs(random, 50, 180, () -> Integer.MAX_VALUE)) {
            List<SerialRequest> slow = new ArrayList<>(run);
            for (int i = 15; i < slow.size(); i += 16) {
                slow.set(i, new SerialRequest(i + 1, true, 0, 0, 0, SimulatedService.around(random, 9 * MS), 0));
            }
            runs.add(slow);
        }
        PositionFinding finding = PositionSearch.find(runs, new Closes(0, 0, 0, Closes.HEADER), true, PartNames.HTTP)
                .get(0);
        assertThat(finding.code()).isEqualTo("period");
        assertThat(finding.text())
                .startsWith("every 16th request takes ")
                .contains("requests 16, 32, 48, 64 and so on");
    }

    @Test
    void a_service_with_nothing_strange_gets_no_finding_but_the_cost_of_a_connection() {
        List<List<SerialRequest>> runs =
                SimulatedService.runs(new SplittableRandom(5), 30, 180, () -> Integer.MAX_VALUE);
        assertThat(PositionSearch.find(runs, new Closes(0, 0, 0, Closes.HEADER), true, PartNames.HTTP))
                .filteredOn(finding -> !(finding instanceof PositionFinding.StepInSpectrum))
                .extracting(PositionFinding::code)
                .containsExactly("first_request_cost");
        assertThat(PositionSearch.find(List.of(), new Closes(0, 0, 0, Closes.HEADER), true, PartNames.HTTP))
                .isEmpty();
    }

    /** As with the SDK's CRT and URLConnection clients: all time is the wait for the first byte, at places in the run. */
    private static List<List<SerialRequest>> unseen(List<List<SerialRequest>> runs) {
        return runs.stream()
                .map(run -> IntStream.range(0, run.size())
                        .mapToObj(i -> plain(i + 1, run.get(i).serviceNanos()))
                        .toList())
                .toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void of_a_client_that_does_not_report_its_connections_no_cause_is_claimed(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (IntSupplier life : List.<IntSupplier>of(() -> Integer.MAX_VALUE, () -> random.nextInt(70, 91), () -> 80)) {
            List<PositionFinding> findings = PositionSearch.find(
                    unseen(SimulatedService.runs(random, 60, 180, life)), ANNOUNCED, false, PartNames.HTTP);
            assertThat(findings).extracting(PositionFinding::code).contains("first_of_run");
            assertThat(findings)
                    .allSatisfy(found -> assertThat(found.text())
                            .doesNotContain("No connection ends there", "connections ended", "on a connection takes"));
        }
    }

    @Test
    void a_step_made_by_first_requests_says_so() {
        List<List<SerialRequest>> runs =
                SimulatedService.runs(new SplittableRandom(6), 60, 180, () -> Integer.MAX_VALUE);
        assertThat(PositionSearch.find(runs, new Closes(0, 0, 0, Closes.HEADER), true, PartNames.HTTP))
                .last()
                .satisfies(
                        step -> assertThat(step.text())
                                .matches(
                                        "the spectrum steps from .* at 99.44 %: one in 180 requests is the first on its connection"));
        assertThat(PositionSearch.find(unseen(runs), new Closes(0, 0, 0, Closes.HEADER), false, PartNames.HTTP))
                .last()
                .satisfies(step -> assertThat(step.text()).endsWith(": one in 180 requests is the first of its run"));
        SplittableRandom random = new SplittableRandom(7);
        List<List<SerialRequest>> irregular = SimulatedService.runs(random, 60, 180, () -> random.nextInt(70, 91));
        assertThat(PositionSearch.find(irregular, ANNOUNCED, true, PartNames.HTTP))
                .filteredOn(PositionFinding.StepInSpectrum.class::isInstance)
                .allSatisfy(step -> assertThat(step.text()).endsWith(" requests is the first on its connection"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_parts_of_the_first_request_add_up_to_its_cost(long seed) {
        FirstRequestCost cost = FirstRequestCost.of(closingAfter80(seed)).orElseThrow();
        assertThat(cost.partsNanos().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(cost.costNanos());
        assertThat((double) cost.costNanos()).isCloseTo(30.0 * MS, within(2.0 * MS));
        assertThat((double) cost.partsNanos().getOrDefault(Part.HANDSHAKE, 0L)).isCloseTo(25.0 * MS, within(2.0 * MS));
        assertThat((double) cost.partsNanos().getOrDefault(Part.CONNECT, 0L)).isCloseTo(2.0 * MS, within(0.4 * MS));
        assertThat(cost.lowNanos()).isLessThan(cost.costNanos());
        assertThat(cost.highNanos()).isGreaterThan(cost.costNanos());
    }

    @Test
    void the_interval_of_the_cost_holds_the_truth_in_95_of_100() {
        int held = 0;
        int rounds = Replications.of(400);
        for (int seed = 0; seed < rounds; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<List<SerialRequest>> runs = new ArrayList<>();
            for (int run = 0; run < 25; run++) {
                runs.add(List.of(plain(1, exponential(random, 10 * MS)), plain(2, exponential(random, MS))));
            }
            FirstRequestCost cost = FirstRequestCost.of(runs).orElseThrow();
            double truth = Math.log(2) * 9 * MS;
            held += cost.lowNanos() <= truth && truth <= cost.highNanos() ? 1 : 0;
        }
        double slack = Replications.slackPoints(95, 400);
        assertThat(100.0 * held / rounds).isBetween(93 - slack, 99 + slack);
    }

    @Test
    void a_table_has_a_row_for_each_place_with_its_intervals() {
        List<List<SerialRequest>> runs = closingAfter80(1);
        PositionTable inRun = PositionTable.byPlaceInRun(runs);
        assertThat(inRun.rows()).hasSize(180).allMatch(row -> row.service().count() == 100);
        assertThat(inRun.rows().get(80).intervals().get(0).lowNanos().orElseThrow())
                .isGreaterThan(20 * MS);
        assertThat(inRun.rows().get(79).intervals().get(0).highNanos().orElseThrow())
                .isLessThan(2 * MS);
        assertThat(inRun.rows().get(0).intervals().get(2).highNanos()).isEmpty();
        PositionTable onConnection = PositionTable.byPositionOnConnection(runs);
        assertThat(onConnection.rows()).hasSize(80);
        assertThat(onConnection.rows().get(0).service().count()).isEqualTo(300);
        assertThat(onConnection.rows().get(0).intervals().get(1).valueNanos()).isGreaterThan(25 * MS);
    }

    /** As with TLS sessions that only a client's later connections resume: the median of both lies anywhere between. */
    @Test
    void a_clients_first_connection_is_told_from_its_later_ones() {
        SplittableRandom random = new SplittableRandom(11);
        List<List<SerialRequest>> runs = new ArrayList<>();
        for (int run = 0; run < 12; run++) {
            runs.add(IntStream.range(0, 30)
                    .mapToObj(i -> new SerialRequest(
                            i % 20 + 1,
                            true,
                            0,
                            0,
                            i == 0 ? SimulatedService.around(random, 300 * MS) : 0,
                            SimulatedService.around(random, i == 20 ? 3 * MS : 2 * MS),
                            0))
                    .toList());
        }
        List<PositionFinding> findings = PositionSearch.find(runs, ANNOUNCED, true, PartNames.HTTP);
        assertThat(findings)
                .extracting(PositionFinding::code)
                .containsExactly("closed_with_notice", "first_request_cost", "first_request_cost", "step_of_firsts");
        assertThat(((PositionFinding.ClosedAfter) findings.get(0)).extraNanos().orElseThrow())
                .isBetween(MS / 4, 2 * MS);
        assertThat(FirstRequestCost.of(runs).orElseThrow().costNanos()).isBetween(200 * MS, 450 * MS);
        assertThat(findings.get(1).text()).startsWith("the first request on a client's first connection takes ");
        assertThat(findings.get(2).text()).startsWith("the first request on a later connection takes ");
        assertThat(findings.get(3).text()).endsWith(": one in 30 requests is the first of its run");
    }

    @Test
    void a_tail_that_is_long_everywhere_has_no_step() {
        SplittableRandom random = new SplittableRandom(9);
        Histogram histogram = Distribution.newHistogram();
        for (int i = 0; i < 100_000; i++) {
            histogram.recordValue((long) (MS * Math.pow(1 - random.nextDouble(), -0.7)));
        }
        assertThat(SpectrumStep.greatest(Distribution.of(histogram))).isEmpty();
    }

    @Test
    void impossible_values_are_refused() {
        assertThatThrownBy(() -> SerialRequest.failed(0)).hasMessage("position must be at least 1, but was 0");
        assertThatThrownBy(() -> new Closes(0, -1, 0, Closes.HEADER))
                .hasMessage("counts must be at least 0, but were 0, -1 and 0");
    }

    private static List<List<SerialRequest>> closingAfter80(long seed) {
        return SimulatedService.runs(new SplittableRandom(seed), 100, 180, () -> 80);
    }

    private static SerialRequest plain(int position, long nanos) {
        return new SerialRequest(position, true, 0, 0, 0, nanos, 0);
    }

    private static long exponential(SplittableRandom random, long mean) {
        return Math.round(-Math.log(1 - random.nextDouble()) * mean);
    }
}
