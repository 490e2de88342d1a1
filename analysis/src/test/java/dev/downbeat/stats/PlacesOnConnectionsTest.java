package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.record.PartNames;
import dev.downbeat.stats.position.ConnectionLifetimes;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.Period;
import dev.downbeat.stats.position.PositionFinding;
import dev.downbeat.stats.position.PositionFinding.Closes;
import dev.downbeat.stats.position.PositionFinding.NewConnectionCosts.Opened;
import dev.downbeat.stats.position.PositionFinding.SpectrumStep;
import dev.downbeat.stats.position.PositionSearch;
import dev.downbeat.stats.position.PositionTable;
import dev.downbeat.stats.position.SerialRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of few values, whose findings and sentences can be told beforehand. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PlacesOnConnectionsTest {
    private static final Closes NOBODY = new Closes(0, 0, 0, Closes.HEADER);

    /** Answered, with a handshake on a new connection. */
    private static SerialRequest request(int position, long nanos) {
        return new SerialRequest(position, true, 0, 0, position == 1 ? 900 : 0, nanos, 0);
    }

    /** So many runs of 100 ns a request, and 900 ns for the handshake of each connection of {@code life} requests. */
    private static List<List<SerialRequest>> runs(int runs, int length, int life) {
        List<List<SerialRequest>> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            List<SerialRequest> requests = new ArrayList<>();
            for (int i = 0; i < length; i++) {
                requests.add(request(i % life + 1, 100));
            }
            all.add(requests);
        }
        return all;
    }

    private static List<String> codes(List<List<SerialRequest>> runs, Closes closes) {
        return PositionSearch.find(runs, closes, true, PartNames.HTTP).stream()
                .map(PositionFinding::code)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"5, 0", "6, 1"})
    void the_cost_of_a_connection_needs_six_of_each(int runs, int costs) {
        assertThat(FirstRequestCost.of(runs(runs, 2, 2)).stream()).hasSize(costs);
        assertThat(FirstRequestCost.of(runs(runs, 20, 20)).stream()).hasSize(costs);
        assertThat(FirstRequestCost.of(runs(20, 1, 1))).as("no others").isEmpty();
    }

    @Test
    void the_cost_of_a_connection_is_the_difference_of_medians_and_its_parts_add_up() {
        List<List<SerialRequest>> runs = runs(11, 5, 5);
        runs.get(0).set(0, SerialRequest.failed(1));
        FirstRequestCost cost = FirstRequestCost.of(runs).orElseThrow();
        assertThat(cost)
                .extracting(FirstRequestCost::first, FirstRequestCost::rest)
                .containsExactly(10L, 44L);
        assertThat(cost.costNanos()).isEqualTo(900);
        assertThat(cost.lowNanos()).isEqualTo(900);
        assertThat(cost.highNanos()).isEqualTo(900);
        assertThat(cost.partsNanos()).containsEntry(Part.HANDSHAKE, 900L).containsEntry(Part.FIRST_BYTE, 0L);
    }

    /** First requests take 1000 to 1010 ns, others 100 to 110: their ranks 2 and 10 of 11 are the ends. */
    @Test
    void the_interval_of_the_cost_is_put_together_from_both_medians() {
        List<List<SerialRequest>> runs = new ArrayList<>();
        for (int i = 0; i <= 10; i++) {
            runs.add(List.of(request(1, 100 + i), request(2, 100 + 2 * i)));
        }
        FirstRequestCost cost = FirstRequestCost.of(runs).orElseThrow();
        assertThat(cost.costNanos()).isEqualTo(1_005 - 110);
        assertThat((double) cost.lowNanos()).isCloseTo(895 - Math.hypot(4, 8), within(0.5));
        assertThat((double) cost.highNanos()).isCloseTo(895 + Math.hypot(4, 8), within(0.5));
        assertThat(cost.partsNanos()).containsEntry(Part.HANDSHAKE, 900L).containsEntry(Part.FIRST_BYTE, -5L);
    }

    @Test
    void a_connection_that_costs_nothing_is_not_spoken_of() {
        List<List<SerialRequest>> runs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            runs.add(List.of(request(1, 100 + i), request(2, 1_000 + i)));
        }
        assertThat(codes(runs, NOBODY)).isEmpty();
        runs.forEach(run ->
                assertThat(run.get(0).serviceNanos()).isEqualTo(run.get(1).serviceNanos()));
        List<List<SerialRequest>> quick = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            quick.add(List.of(request(1, i), request(2, 1_500 + i)));
        }
        assertThat(codes(quick, NOBODY)).as("it saves time").startsWith("first_request_cost");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 20, 0, 0, 0, closed_irregularly",
        "2, 20, 0, 0, 0, closed_irregularly",
        "3, 20, 0, 0, 0, closed",
        "3, 20, 3, 0, 0, closed_with_notice",
        "3, 20, 0, 3, 0, closed_without_notice",
        "3, 20, 0, 0, 3, closed_by_us"
    })
    void three_connections_that_ended_alike_are_a_rule(
            int runs, int life, long withNotice, long without, long byUs, String code) {
        assertThat(codes(runs(runs, life + 1, life), new Closes(withNotice, without, byUs, Closes.HEADER)))
                .contains(code);
    }

    @Test
    void what_matters_most_comes_first_and_connections_explain_the_period_of_runs() {
        assertThat(codes(runs(20, 180, 40), new Closes(80, 0, 0, Closes.HEADER)))
                .containsExactly("closed_with_notice", "first_request_cost", "step_explained");
        assertThat(PositionSearch.find(List.of(), NOBODY, true, PartNames.HTTP)).isEmpty();
    }

    @Test
    void a_request_without_an_answer_counts_where_its_connection_ended() {
        List<List<SerialRequest>> runs = runs(8, 50, 20);
        runs.get(0).set(19, SerialRequest.failed(20)); // the last on its connection
        runs.get(1).set(20, SerialRequest.failed(1)); // on a new one, which lives on
        runs.get(2).set(49, SerialRequest.failed(10)); // the last of its run
        runs.get(3).set(5, SerialRequest.failed(6)); // in its midst
        runs.get(4).set(6, SerialRequest.failed(7));
        runs.get(5).set(40, SerialRequest.failed(1)); // on a new one, after which comes another
        runs.get(5).set(41, request(1, 100));
        assertThat(PositionSearch.find(runs, new Closes(0, 8, 0, Closes.HEADER), true, PartNames.HTTP))
                .filteredOn(PositionFinding.ClosedAfter.class::isInstance)
                .singleElement()
                .satisfies(finding -> assertThat(((PositionFinding.ClosedAfter) finding).unanswered())
                        .isEqualTo(3));
    }

    @Test
    void a_step_is_explained_by_the_slow_places_of_short_runs_too() {
        List<List<SerialRequest>> runs = runs(20, 180, 80);
        runs.get(0).replaceAll(request -> SerialRequest.failed(request.position()));
        assertThat(PositionSearch.find(runs, NOBODY, true, PartNames.HTTP))
                .filteredOn(PositionFinding.StepInSpectrum.class::isInstance)
                .singleElement()
                .satisfies(finding -> {
                    PositionFinding.StepInSpectrum step = (PositionFinding.StepInSpectrum) finding;
                    assertThat(step.step().beyond()).as("19 runs answered").isCloseTo(1 / 60.0, within(1e-9));
                    assertThat(List.of(step.period(), step.slow(), step.length()))
                            .containsExactly(80, 3, 180);
                });
    }

    @Test
    void a_period_on_connections_is_reported_once_and_attributed_to_them() {
        List<List<SerialRequest>> runs = new ArrayList<>();
        for (int run = 0; run < 20; run++) {
            List<SerialRequest> requests = new ArrayList<>();
            for (int i = 0; i < 182; i++) {
                int position = i % 91 + 1;
                requests.add(request(position, position % 13 == 0 ? 2_000 : 100));
            }
            runs.add(requests);
        }
        assertThat(PositionSearch.find(runs, NOBODY, true, PartNames.HTTP))
                .filteredOn(PositionFinding.Periodic.class::isInstance)
                .singleElement()
                .satisfies(finding -> {
                    PositionFinding.Periodic periodic = (PositionFinding.Periodic) finding;
                    assertThat(periodic.onConnection()).isTrue();
                    assertThat(periodic.period().length()).isEqualTo(13);
                    assertThat(periodic.period().places()).containsExactly(13);
                });
    }

    @Test
    void parts_below_a_hundredth_of_the_cost_are_not_named() {
        FirstRequestCost cost = new FirstRequestCost(
                10_000, 9_000, 11_000, Map.of(Part.CONNECT, 2_000L, Part.HANDSHAKE, 8_001L, Part.LOOKUP, -99L), 9, 9);
        assertThat(new PositionFinding.NewConnectionCosts(cost, Opened.ANY, PartNames.HTTP).text())
                .isEqualTo("the first request on a connection takes 10.0 us more at the median (95 %: 9.00 us to"
                        + " 11.0 us), consisting of TLS handshake 8.00 us, connect 2.00 us");
        FirstRequestCost less = new FirstRequestCost(10_000, 9_000, 11_000, Map.of(Part.LOOKUP, -100L), 9, 9);
        assertThat(new PositionFinding.NewConnectionCosts(less, Opened.ANY, PartNames.HTTP).text())
                .endsWith("consisting of name lookup -100 ns");
        FirstRequestCost none = new FirstRequestCost(10_000, 9_000, 11_000, Map.of(Part.READING, 99L), 9, 9);
        assertThat(new PositionFinding.NewConnectionCosts(none, Opened.ANY, PartNames.HTTP).text())
                .endsWith("(95 %: 9.00 us to 11.0 us)");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, the server closes the connection without notice",
        "0, 3, : 3 ns more at the median. A request",
        "2, 0, a new connection. There were 2 without an answer: a request"
    })
    void silently_dropping_clients_get_a_warning(long unanswered, int extra, String words) {
        ConnectionLifetimes lives = new ConnectionLifetimes(1_000, 80, 80, 80, 1_000);
        Optional<Long> price = extra == 0 ? Optional.empty() : Optional.of((long) extra);
        assertThat(new PositionFinding.ClosedAfter(lives, new Closes(0, 9, 0, Closes.HEADER), unanswered, price).text())
                .contains(words)
                .contains("1,000 of 1,000 connections ended after exactly 80 requests")
                .contains("Requests 81, 161, 241, ... of a client");
    }

    @Test
    void the_sentence_of_a_period_names_its_first_four_requests() {
        Period one = new Period(16, List.of(5), 9, 3_000, 1_000, 1e-9);
        assertThat(new PositionFinding.Periodic(one, false, true, false).text())
                .startsWith("every 16th request takes 2.00 us more at the median (3.00 us, others 1.00 us): requests 5,"
                        + " 21, 37, 53 and so on.");
        Period three = new Period(16, List.of(5, 6, 9), 9, 3_000, 1_000, 1e-9);
        assertThat(new PositionFinding.Periodic(three, true, true, false).text())
                .startsWith("every 16th request on a connection takes")
                .contains("requests 5, 6, 9, 21 and so on.");
        assertThatThrownBy(() -> new Period(1, List.of(), 0, 0, 0, 1))
                .hasMessage("length must be at least 2, but was 1");
        assertThat(new Period(2, List.of(), 0, 0, 0, 1).extraNanos()).isZero();
    }

    /** A service of 10 ms that takes 30 ms more whenever its timer of 500 ms fires: every 47 requests, in one run. */
    @Test
    void few_runs_do_not_tell_a_timer_from_a_number_of_requests() {
        assertThat(ofATimer(1)).contains("requests, or by a timer: 10 runs would tell");
        assertThat(ofATimer(10)).doesNotContain("something the service does");
    }

    private static String ofATimer(int runs) {
        SplittableRandom random = new SplittableRandom(4);
        List<List<SerialRequest>> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            List<SerialRequest> requests = new ArrayList<>();
            double at = random.nextDouble() * 500;
            for (int i = 0; i < 500; i++) {
                double millis = 10 + 0.1 * random.nextDouble();
                millis += at + millis > 500 ? 30 : 0;
                at = at + millis > 500 ? at + millis - 500 : at + millis;
                requests.add(new SerialRequest(i + 1, true, 0, 0, 0, Math.round(millis * 1e6), 0));
            }
            all.add(requests);
        }
        return PositionSearch.find(all, new Closes(0, 0, 0, Closes.HEADER), true, PartNames.HTTP).stream()
                .map(PositionFinding::text)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void a_step_is_at_its_period_or_where_the_runs_end() {
        SpectrumStep step = new SpectrumStep(0.02, 1_000, 5_000);
        assertThat(new PositionFinding.StepInSpectrum(step, 0, 0, 100, Optional.empty()))
                .satisfies(found -> assertThat(found.code()).isEqualTo("step"))
                .satisfies(found -> assertThat(found.text())
                        .isEqualTo("the spectrum steps from 1.00 us to 5.00 us at 98 %, as if one in 50 requests were"
                                + " slow, at no fixed position"));
        assertThat(new PositionFinding.StepInSpectrum(step, 50, 2, 100, Optional.empty()).text())
                .endsWith("98 % = 1 - 1/50: it is every 50th request");
        assertThat(new PositionFinding.StepInSpectrum(step, 80, 2, 100, Optional.empty()).text())
                .endsWith("because 2 of 100 requests were slow. In a long run every 80th is slow, and the step is at"
                        + " 98.75 % = 1 - 1/80");
        assertThat(new PositionFinding.FirstsInSpectrum(80).text()).contains("98.75 % = 1 - 1/80");
        assertThat(new PositionFinding.FirstsInSpectrum(80).code()).isEqualTo("firsts_in_spectrum");
    }

    @Test
    void connections_that_ended_at_no_fixed_number_say_between_which() {
        Closes closes = new Closes(3, 2, 1, Closes.HEADER);
        assertThat(new PositionFinding.ClosedIrregularly(new ConnectionLifetimes(6, 20, 70, 20, 2), closes).text())
                .isEqualTo("6 connections ended after 20 to 70 requests, at no fixed number; closed by the server with"
                        + " notice 3, without 2, by Downbeat 1");
        assertThat(new PositionFinding.ClosedIrregularly(new ConnectionLifetimes(2, 20, 20, 20, 2), closes).text())
                .startsWith("2 connections ended after 20 requests each, too few connections to call that a rule");
    }

    private static Optional<SpectrumStep> step(int slow, long nanos) {
        return SpectrumStep.greatest(Distribution.of(new long[] {1_000, nanos}, new long[] {1_000 - slow, slow}));
    }

    @Test
    void a_step_is_as_far_out_as_what_is_slow() {
        for (int slow : new int[] {20, 50, 100, 300}) {
            SpectrumStep step = step(slow, 2_000).orElseThrow();
            assertThat(step.beyond()).isCloseTo(slow / 1_000.0, within(1e-9));
            assertThat(step.belowNanos()).isEqualTo(1_000);
            assertThat(step.aboveNanos()).isEqualTo(2_000);
        }
    }

    /** Ten requests must be beyond it, and by a half longer. */
    @ParameterizedTest
    @CsvSource({"10, 2000, 1", "8, 2000, 0", "100, 1501, 1", "100, 1500, 0", "650, 2000, 0"})
    void a_step_needs_ten_beyond_and_a_rise_by_half(int slow, long nanos, int steps) {
        assertThat(step(slow, nanos).stream()).hasSize(steps);
    }

    @Test
    void a_place_where_none_was_answered_has_no_row() {
        List<List<SerialRequest>> runs = runs(7, 6, 3);
        runs.forEach(run -> run.set(4, SerialRequest.failed(2)));
        assertThat(PositionTable.byPlaceInRun(runs).rows())
                .extracting(PositionTable.Row::place)
                .containsExactly(1, 2, 3, 4, 6);
        assertThat(PositionTable.byPositionOnConnection(runs).rows())
                .extracting(row -> row.place() + ": " + row.service().count())
                .containsExactly("1: 14", "2: 7", "3: 14");
        PositionTable.Row first =
                PositionTable.byPositionOnConnection(runs).rows().get(0);
        assertThat(first.intervals()).extracting(QuantileInterval::percentile).containsExactly(50.0, 75.0, 99.0);
        assertThat(first.intervals().get(0).valueNanos()).isEqualTo(1_000);
        assertThat(PositionTable.byPlaceInRun(List.of()).rows()).isEmpty();
    }
}
