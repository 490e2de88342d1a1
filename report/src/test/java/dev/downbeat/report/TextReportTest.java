package dev.downbeat.report;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Lines;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.Renderer.TerminalStyle;
import dev.downbeat.report.view.RunFacts;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ShardRun;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.verdict.RunFixture;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TextReportTest {
    private static String text(RunFixture run, String... objectives) {
        return Samples.text(RunView.on(Renderer.TEXT), Samples.report(run.result(), objectives));
    }

    /** The words without the layout. */
    private static String words(RunFixture run, String... objectives) {
        return text(run, objectives).replaceAll("\\s+", " ");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void no_line_is_longer_than_eighty_columns_or_ends_in_a_space(String sample) {
        assertThat(Samples.text(RunView.on(Renderer.TEXT), Samples.of(sample)).lines())
                .allSatisfy(
                        line -> assertThat(line).hasSizeLessThanOrEqualTo(80).doesNotMatch(".*\\s"));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void colour_changes_no_word_and_no_column(String sample) {
        RunReport report = Samples.of(sample);
        String coloured = Samples.text(
                (run, out) -> new TerminalStyle(true, true, Lines.WIDTH).write(new RunView(run), out), report);
        assertThat(coloured).contains("\u001b[");
        String stripped = coloured.replaceAll("\u001b\\[[0-9;]*m", "").replaceAll("(?m) +$", "");
        assertThat(stripped).isEqualTo(Samples.text(RunView.on(Renderer.TEXT), report));
        assertThat(Samples.text(RunView.on(Renderer.TEXT), report)).doesNotContain("\u001b");
    }

    @Test
    void the_first_line_of_an_interrupted_run_says_so() {
        assertThat(text(new RunFixture().answered(10, MS).ended(RunSpan.Ending.INTERRUPTED, 3_812 * MS))
                        .lines()
                        .findFirst())
                .contains("INTERRUPTED after 3.8 s of 20 s: partial");
        assertThat(text(new RunFixture().answered(10, MS).broke("x", 3_812 * MS))
                        .lines()
                        .findFirst())
                .contains("BROKEN after 3.8 s of 20 s: partial");
    }

    @Test
    void lower_bounds_are_marked() {
        assertThat(text(new RunFixture().answered(900, MS).timedOut(100, S)))
                .containsPattern("p50 +1\\.00 ms")
                .containsPattern("p99 +≥ 1\\.00 s")
                .containsPattern("max +≥ 1\\.00 s")
                .contains("1,000 requests: 900 answered, 100 timed out (≥ marks lower bounds)");
    }

    @Test
    void the_ledger_adds_up_visibly() {
        assertThat(words(new RunFixture()
                        .answered(900, MS)
                        .failed(50, "x", MS)
                        .timedOut(20, S)
                        .timedOutUnsent(10, S)
                        .neverSent(20, S)))
                .contains(
                        "planned 1,000 = answered 900 + failed 50 + timed out 30 (10 of them unsent) + in flight 0 + never sent 20")
                .contains("; 50 failed requests are excluded");
    }

    @Test
    void a_ledger_that_does_not_add_up_is_not_shown_as_a_sum() {
        assertThat(text(new RunFixture().answered(10, MS).unplanned(1)))
                .contains("planned 10 IS NOT answered 11")
                .contains("UNSOUND")
                .contains("! 1: LEDGER MISMATCH");
    }

    /** The table has forty names, and none that no request has; the headline names three objectives. */
    @Test
    void the_short_screen_shows_each_missed_objective_that_has_no_row() throws IOException {
        Recording one = new RunFixture().answered(1_000, 9 * MS).result().recording();
        Map<String, Recording> names = new LinkedHashMap<>();
        List<String> objectives = new ArrayList<>();
        for (int i = 10; i < 70; i++) {
            names.put("name" + i, one);
            objectives.add("name" + i + ": p90<" + (i < 15 || i >= 60 ? "5ms" : "50ms"));
        }
        objectives.add("misspelt: errors<1%");
        RunResult run = new RunFixture().answered(60_000, 9 * MS).result();
        RunReport report = Samples.report(
                run.with(run.recording().withNames(names), run.intervals()), objectives.toArray(String[]::new));
        assertThat(new RunView(report)
                        .brief().answers().stream()
                                .flatMap(answer -> answer.checks().stream())
                                .map(Page.Check::name))
                .hasSize(11)
                .contains("name60: p90<5ms", "name69: p90<5ms", "misspelt: errors<1%");
    }

    @Test
    void a_percentile_that_the_data_cannot_carry_has_no_row_but_a_reason() {
        assertThat(text(new RunFixture().answered(499, MS), "p99<1s"))
                .doesNotContainPattern("p99 +1\\.00 ms")
                .contains("p99 is not shown: it needs 500 requests");
        assertThat(text(new RunFixture().answered(499, MS))).doesNotContain("not shown");
    }

    @Test
    void an_objective_brings_its_row() {
        assertThat(words(new RunFixture().answered(1_000, MS), "p75<2ms", "mean<2ms", "p50<1us", "p99.999<1s"))
                .containsPattern("p75 +1\\.00 ms +1\\.00 ms +< 2 ms +met")
                .containsPattern("mean +1\\.00 ms +1\\.00 ms +< 2 ms +met")
                .containsPattern("p50 +1\\.00 ms +1\\.00 ms +< 1 us +MISSED")
                .containsPattern("undecided +p99.999 < 1 s: p99.999 needs 500,000 requests, got 1,000");
    }

    @Test
    void without_objectives_the_screen_says_how_to_set_one() {
        assertThat(text(new RunFixture().answered(10, MS)))
                .contains("none       no objective was set, such as p99<50ms");
    }

    @Test
    void percentiles_come_with_their_intervals_if_the_run_was_long_enough() {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(850, MS).answered(150, 3 * MS).until(second * S);
        }
        assertThat(words(run))
                .contains(
                        "95 % CI p50 1.00 ms to 1.00 ms, p90 3.00 ms to 3.00 ms, p95 3.00 ms to 3.00 ms, p99 3.00 ms");
        RunFixture wave = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            wave.answered(1_000, (1 + second * 7 % 20) * MS).until(second * S);
        }
        assertThat(words(wave))
                .containsPattern("p90 above [0-9.]+ ms.*; an upper bound of p[0-9.]+ needs a run of about [0-9.]+");
        assertThat(words(new RunFixture().answered(20_000, MS))).doesNotContain("95 % CI");
    }

    @Test
    void a_server_that_allows_no_streams_is_why_requests_were_not_sent() {
        RunFixture refused = new RunFixture().answered(10, MS).unconnected(5, 0, "refused", MS);
        assertThat(words(refused))
                .contains("5 of these unsent: got no connection")
                .doesNotContain("stream");
        assertThat(words(refused.counts(new TargetCounts(Map.of(TargetCounts.WITHOUT_STREAMS, 1L)))))
                .contains("5 of these unsent: the server allows no streams");
    }

    @Test
    void an_address_that_did_not_answer_before_the_run_is_named_with_the_reason() {
        TargetCounts counts = TargetCounts.NONE.withUnreached(Map.of("127.0.0.2:9702: connect timed out", 2L));
        assertThat(words(new RunFixture().answered(100, MS).counts(counts)))
                .contains("127.0.0.2:9702: connect timed out; another address of the host was used");
    }

    @Test
    void the_price_of_a_new_connection_is_shown() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            run.atPosition(1, 30 * MS).atPosition(2, 2 * MS).atPosition(3, 2 * MS);
        }
        assertThat(words(run))
                .contains("lookup p50 500 us, max 500 us; connect p50 1.00 ms", "TLS handshake p50 5.00 ms")
                .containsPattern("p50 of first requests 30\\.. ms, of later ones 2\\.0. ms");
    }

    @Test
    void the_login_of_a_new_connection_to_a_database_is_called_so_in_every_line() {
        RunFixture run = new RunFixture()
                .counts(new TargetCounts(Map.of(TargetCounts.LOGINS, 20L)))
                .answered(1_000, MS);
        for (int i = 0; i < 20; i++) {
            run.reconnected(1, 50 * MS, MS);
        }
        assertThat(words(run))
                .contains("login p50 50.0 ms", "(p99 and beyond):", "% login")
                .doesNotContain("TLS handshake");
        assertThat(Samples.text(RunView.on(Renderer.HTML), Samples.report(run.result())))
                .contains("login")
                .doesNotContain("TLS handshake");
    }

    /** The time of a proxy is not that of TLS. */
    @Test
    void a_handshake_through_a_proxy_names_the_tunnel() {
        RunFixture run = new RunFixture()
                .counts(new TargetCounts(Map.of(TargetCounts.TUNNELS, 20L)))
                .answered(1_000, MS);
        for (int i = 0; i < 20; i++) {
            run.reconnected(1, 50 * MS, MS);
        }
        assertThat(words(run))
                .contains("proxy tunnel and TLS handshake p50 50.0 ms", "% proxy tunnel and TLS handshake");
    }

    @Test
    void many_reasons_of_failure_are_cut_short_the_most_frequent_first() {
        RunFixture run = new RunFixture().answered(1, MS);
        for (int i = 1; i <= 11; i++) {
            run.failed(i, "HTTP " + (500 + i), MS);
        }
        assertThat(text(run))
                .contains("11 HTTP 511, 10 HTTP 510")
                .contains("and 3 more reasons")
                .doesNotContain("HTTP 503");
    }

    @Test
    void workloads_are_described_in_words() {
        Workload closed = new Workload.Closed(1, new ThinkTime.Exponential(100 * MS, 1));
        assertThat(text(new RunFixture().workload(closed, Duration.ofMinutes(5))))
                .contains("closed loop, 1 virtual user, exponential think time 100 ms, for 5m, 64\nconnections\n");
        Workload sessions = new Workload.PartlyOpen(new Poisson(Rate.perSecond(5), 1), 4, new ThinkTime.Constant(S));
        assertThat(text(new RunFixture().workload(sessions, Duration.ofSeconds(30))))
                .contains("partly open, sessions Poisson 5/s of 4 requests, constant think time 1 s, for");
    }

    @Test
    void what_other_threads_waited_for_while_the_generators_ran_is_no_pause_of_no_length() {
        RunResult ran = new RunFixture()
                .answered(1_000, MS)
                .health(new GeneratorHealth(10 * S, -1, 431 * MS, 2 * S, 0, 0, 0, 0, -1))
                .result()
                .with(new Interruptions(true, List.of(), List.of(), List.of(), MS, 0));
        assertThat(Samples.text(RunView.on(Renderer.TEXT), Samples.report(ran)).replaceAll("\\s+", " "))
                .contains("no pause of 50.0 ms or longer")
                .doesNotContain("longest pause");
    }

    /** Of 1,000 requests one was sent 5 ms late, and the others 20 us. */
    @Test
    void lateness_has_its_maximum_and_its_p99() {
        RunFixture run = new RunFixture().answered(999, 20_000, 0, MS).answered(1, 5 * MS, 0, MS);
        assertThat(PageReader.of(Samples.report(run.result(), "p99<1s"))
                        .section("verdict")
                        .getTextContent()
                        .replaceAll("\\s+", " "))
                .contains("late by at most 5.00 ms, p99 20.0 us");
    }

    private static ShardRun shard(int number, long latenessP99Nanos, String... doubts) {
        return new ShardRun(
                number,
                Instant.EPOCH,
                Optional.of(RunSpan.Ending.COMPLETE),
                20 * S,
                1_000 + number,
                900 + number,
                latenessP99Nanos,
                7 * MS,
                4 * MS,
                new GeneratorHealth(10 * S, 15 * S, 120 * MS, 2 * S, 0, 0, 0, 0, -1),
                8,
                List.of(doubts));
    }

    private static List<List<String>> shards(ShardRun... shards) {
        PageReader page = PageReader.of(Samples.report(
                new RunFixture().answered(1_000, MS).shards(shards).result()));
        return page.rows("shards");
    }

    @Test
    void each_shard_has_what_it_planned_and_what_it_went_through() {
        assertThat(shards(shard(2, 3 * MS, "it was late"), ShardRun.missing(1), shard(0, MS)))
                .containsExactly(
                        List.of("shard", "planned", "answered", "late p99", "late max", "pause", "CPU", "trust"),
                        List.of("0", "1,000", "900", "1.00 ms", "7.00 ms", "4.00 ms", "1.50 of 8", "✓ sound"),
                        List.of("1", "–", "–", "–", "–", "–", "–", "✗ missing"),
                        List.of("2", "1,002", "902", "3.00 ms", "7.00 ms", "4.00 ms", "1.50 of 8", "✗ doubtful"));
    }

    private static ShardRun ended(int number, RunSpan.Ending ending, long nanos) {
        return new ShardRun(
                number,
                Instant.EPOCH,
                Optional.of(ending),
                nanos,
                1_000,
                900,
                MS,
                MS,
                0,
                new GeneratorHealth(10 * S, 15 * S, 4 * MS, 2 * S, 0, 0, 0, 0, -1),
                8,
                List.of());
    }

    /** The monitor's own delays are no pauses, and of a killed process nothing is known. */
    @Test
    void a_shard_without_a_pause_of_its_generators_has_none_in_the_table() {
        assertThat(shards(ended(0, RunSpan.Ending.COMPLETE, 20 * S), ended(1, RunSpan.Ending.CUT_OFF, 4 * S)))
                .extracting(row -> row.get(5))
                .containsExactly("pause", "< 50.0 ms", "–");
    }

    @Test
    void a_sum_saved_before_has_neither_the_end_of_a_shard_nor_its_longest_pause() {
        ShardRun whole = ended(0, RunSpan.Ending.COMPLETE, 0);
        ShardRun cut = ended(1, RunSpan.Ending.INTERRUPTED, 0);
        RunFixture sum = new RunFixture().answered(1_000, MS).ended(RunSpan.Ending.INTERRUPTED, 21 * S);
        assertThat(new RunFacts(Samples.report(sum.shards(whole, cut).result())).partial())
                .isEqualTo("INTERRUPTED (shard 1 of 2): partial");
        assertThat(shards(whole, cut)).extracting(row -> row.get(5)).containsExactly("pause", "4.00 ms", "4.00 ms");
    }

    @Test
    void of_a_sum_of_which_some_shards_ended_early_these_are_partial() {
        ShardRun whole = ended(0, RunSpan.Ending.COMPLETE, 21 * S);
        for (RunSpan.Ending early : List.of(RunSpan.Ending.INTERRUPTED, RunSpan.Ending.CUT_OFF)) {
            ShardRun cut = ended(1, early, 4 * S);
            RunFixture sum = new RunFixture().answered(1_000, MS).ended(early, 21 * S);
            String word = RunFacts.word(early);
            assertThat(new RunFacts(Samples.report(sum.shards(whole, cut).result())).partial())
                    .isEqualTo(word + " (shard 1 of 2) after 4.0 s of 20 s: partial");
            assertThat(text(sum.shards(whole, cut))).doesNotContain("the run was stopped");
            assertThat(new RunFacts(Samples.report(sum.shards(cut, cut).result())).partial())
                    .isEqualTo(word + " after 21.0 s, 1.0 s after the load ended: partial");
            assertThat(new RunFacts(Samples.report(
                                    sum.shards(cut, ShardRun.missing(2)).result()))
                            .partial())
                    .startsWith(word + " after ");
        }
    }

    /** Doubtful and missing ones first, then by lateness. */
    @Test
    void of_many_shards_those_that_fared_worst_are_shown() {
        ShardRun[] all = new ShardRun[17];
        for (int i = 0; i < all.length; i++) {
            all[i] = i == 3 ? ShardRun.missing(3) : i == 5 ? shard(5, MS, "it was late") : shard(i, (i + 1) * MS);
        }
        List<List<String>> shown = shards(all);
        assertThat(shown).hasSize(17);
        assertThat(shown.stream().skip(1).map(row -> row.get(0)))
                .startsWith("5", "3", "16", "15")
                .doesNotContain("0");
        ShardRun[] fewer = Arrays.copyOf(all, 16);
        assertThat(shards(fewer).stream().skip(1).map(row -> row.get(0)))
                .hasSize(16)
                .startsWith("0", "1", "2", "3");
    }

    @Test
    void a_long_word_is_not_torn() throws IOException {
        StringBuilder out = new StringBuilder();
        String url = "http://" + "x".repeat(100);
        new Lines(out, Lines.WIDTH).paragraph("  target  ", "GET " + url + " now");
        assertThat(out.toString()).isEqualTo("  target  GET\n          " + url + "\n          now\n");
    }
}
