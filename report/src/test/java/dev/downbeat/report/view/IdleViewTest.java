package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.IdleResult;
import dev.downbeat.exchange.IdleResult.Ending;
import dev.downbeat.exchange.IdleResult.Probe;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.view.position.IdleView;
import dev.downbeat.report.view.position.IdleView.IdleReport;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.RunFixture;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IdleViewTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000;

    private static Probe probe(Ending ending, String reason) {
        return new Probe(SECOND, false, ending, reason, SECOND, 0, 1_000_000, 1_000_000);
    }

    private static IdleView view(Probe... probes) {
        return new IdleView(IdleReport.of(
                new IdleResult("http://localhost/", Instant.EPOCH, 2 * SECOND, List.of(probes), true),
                List.of("downbeat", "idle"),
                "0.1.0"));
    }

    private static String headline(IdleView view) {
        return view.page().head().headline();
    }

    @Test
    void a_first_request_that_failed_says_nothing_about_idle_connections() {
        IdleView view = view(Stream.concat(
                        Stream.generate(() -> probe(Ending.KEPT, "")).limit(9),
                        Stream.of(probe(Ending.NOT_KEPT, "timed out")))
                .toArray(Probe[]::new));
        assertThat(headline(view)).isEqualTo("Connections idle for 1.00 s can still be used.");
        assertThat(view.page().answers()).isEmpty();
    }

    @Test
    void without_any_first_answer_the_failure_is_the_finding() {
        assertThat(headline(view(probe(Ending.NOT_KEPT, "refused")))).isEqualTo("Connections are not kept: refused.");
        assertThat(headline(view(probe(Ending.KEPT, ""), probe(Ending.NOT_KEPT, ""))))
                .isEqualTo("Connections are not kept: closed with its first response.");
    }

    /** Idle for some seconds; seen to end after as many milliseconds, if it did. */
    private static Probe idle(long seconds, boolean probed, Ending ending, String reason, long endedMillis) {
        return new Probe(
                seconds * SECOND,
                probed,
                ending,
                reason,
                endedMillis * MS,
                3 * MS,
                5 * MS,
                ending == Ending.KEPT ? (1 + seconds) * MS : 0);
    }

    private static Probe kept(long seconds) {
        return idle(seconds, false, Ending.KEPT, "", seconds * 1_000);
    }

    private static Probe lost(Ending ending, String reason) {
        return idle(30, false, ending, reason, 20_000);
    }

    private static Optional<String> advice(IdleView view) {
        return view.page().answers().stream()
                .filter(answer -> answer.label().equals("to do"))
                .map(Page.AnsweredQuestion::summary)
                .findFirst();
    }

    @Test
    void how_idle_connections_are_lost_is_the_finding() {
        assertThat(headline(view(kept(10), lost(Ending.CLOSED, ""))))
                .isEqualTo("Idle connections are closed after 20.0 s by the other side (FIN).");
        assertThat(headline(view(kept(10), lost(Ending.BROKEN, "reset"))))
                .isEqualTo("Idle connections break after 20.0 s: reset.");
        assertThat(headline(view(kept(10), lost(Ending.BROKEN_ON_USE, "reset"))))
                .isEqualTo("Connections idle for more than 10.0 s, at most 30.0 s, fail on their next use: reset.");
        assertThat(headline(view(kept(10), lost(Ending.SILENT, "timed out"))))
                .isEqualTo("Idle connections are dropped silently between 10.0 s and 30.0 s: a request on one gets no"
                        + " response.");
        assertThat(headline(view(lost(Ending.SILENT, "timed out"))))
                .isEqualTo("Idle connections are dropped silently within 30.0 s: a request on one gets no response.");
        assertThat(headline(view())).isEqualTo("No connection was left idle to the end.");
    }

    /** After 30 s one is kept and three are lost, two of which broke. */
    @Test
    void the_usual_end_of_the_first_idle_time_with_a_loss_is_named() {
        IdleView view = view(
                kept(10),
                kept(20),
                kept(30),
                idle(30, false, Ending.CLOSED, "", 21_000),
                idle(30, false, Ending.BROKEN, "reset", 25_000),
                idle(30, false, Ending.BROKEN, "pipe", 24_000),
                kept(60));
        assertThat(headline(view)).isEqualTo("Idle connections break after 24.0 s: reset.");
        assertThat(advice(view))
                .contains(
                        "let clients close connections that were idle for 10.0 s (here: --max-idle 10s): a request sent"
                                + " during the close fails or is retried");
        Table table = (Table) view.page().sections().get(0).blocks().get(0);
        assertThat(table.rows())
                .extracting(row -> row.stream().map(Cell::text).toList())
                .containsExactly(
                        List.of("10.0 s", "", "1 of 1", "11.0 ms", ""),
                        List.of("20.0 s", "", "1 of 1", "21.0 ms", ""),
                        List.of(
                                "30.0 s",
                                "",
                                "1 of 4",
                                "31.0 ms",
                                "1 closed after 21.0 s (FIN); 2 broken after 24.0 s (reset)"),
                        List.of("60.0 s", "", "1 of 1", "61.0 ms", ""));
        assertThat(view.page().head().about()).containsExactly("7 connections at the same time");
        assertThat(view.page().head().partial()).isEmpty();
    }

    /** The server closes after 2 s; connections idle for just as long are used while it does. */
    @Test
    void a_longer_idle_time_shows_when_connections_are_closed() {
        IdleView used = view(
                kept(1),
                idle(2, false, Ending.BROKEN_ON_USE, "reset", 2_000),
                idle(4, false, Ending.CLOSED, "", 2_010),
                idle(8, false, Ending.CLOSED, "", 2_020));
        assertThat(headline(used)).isEqualTo("Idle connections are closed after 2.01 s by the other side (FIN).");
        assertThat(advice(used))
                .contains(
                        "let clients close connections that were idle for 1.00 s (here: --max-idle 1s): a request sent"
                                + " during the close fails or is retried");
        assertThat(headline(view(
                        kept(1),
                        idle(2, false, Ending.BROKEN, "reset", 2_100),
                        idle(4, false, Ending.BROKEN, "reset", 2_000))))
                .isEqualTo("Idle connections break after 2.00 s: reset.");
        assertThat(headline(view(
                        kept(1),
                        idle(2, false, Ending.SILENT, "timed out", 2_000),
                        idle(8, false, Ending.CLOSED, "", 5_000))))
                .as("another end, later than the first")
                .startsWith("Idle connections are dropped silently between 1.00 s and 2.00 s");
    }

    /** A connection that is used just before its limit is kept by luck: with that setting, requests meet the close. */
    @Test
    void the_advised_idle_time_stays_clear_of_the_close() {
        String race = ": a request sent during the close fails or is retried";
        assertThat(advice(view(kept(2), kept(4), kept(8), idle(16, false, Ending.CLOSED, "", 7_960))))
                .contains("let clients close connections that were idle for 4.00 s (here: --max-idle 4s)" + race);
        assertThat(advice(view(kept(8), idle(16, false, Ending.CLOSED, "", 8_020))))
                .as("all kept ones are too close to it")
                .contains("let clients close connections that were idle for 6.40 s (here: --max-idle 6.4s)" + race);
        assertThat(advice(view(kept(1), idle(2, false, Ending.BROKEN, "reset", 1_250))))
                .contains("let clients close connections that were idle for 1.00 s (here: --max-idle 1s)" + race);
    }

    @Test
    void a_loss_that_only_a_request_shows_can_be_prevented_by_probes() {
        for (Ending ending : List.of(Ending.SILENT, Ending.BROKEN_ON_USE)) {
            assertThat(advice(view(kept(10), lost(ending, "reset"))))
                    .contains(
                            "let clients close connections that were idle for 10.0 s (here: --max-idle 10s), or enable TCP keep-alive probes at a shorter interval");
        }
        assertThat(advice(view(kept(10)))).as("nothing was lost").isEmpty();
        assertThat(advice(view(lost(Ending.CLOSED, "")))).as("nothing was kept").isEmpty();
    }

    @Test
    void connections_that_the_kernel_probed_have_rows_and_a_finding_of_their_own() {
        IdleView view = view(
                idle(30, true, Ending.KEPT, "", 30_000),
                idle(10, true, Ending.KEPT, "", 10_000),
                kept(10),
                lost(Ending.SILENT, "timed out"));
        assertThat(view.page().head().about())
                .containsExactly("4 connections at the same time, 2 of them probed by the kernel");
        assertThat(view.page().answers())
                .extracting(Page.AnsweredQuestion::label)
                .as("the headline is not repeated")
                .containsExactly("with probes", "to do");
        assertThat(view.page().answers().get(0).summary()).isEqualTo("Connections idle for 30.0 s can still be used");
        Table table = (Table) view.page().sections().get(0).blocks().get(0);
        assertThat(table.rows())
                .extracting(row -> row.get(0).text() + " " + row.get(1).text())
                .containsExactly("10.0 s ", "30.0 s ", "10.0 s yes", "30.0 s yes");
        assertThat(table.rows().get(1).get(4).text()).isEqualTo("1 without a response when used");
    }

    @Test
    void programs_read_every_finding_and_the_advice() throws IOException {
        assertThat(json(view(idle(30, true, Ending.KEPT, "", 30_000), kept(10), lost(Ending.SILENT, "timed out"))))
                .contains("\"headline_with_probes\": \"Connections idle for 30.0 s can still be used.\"")
                .contains(
                        "\"advice\": \"let clients close connections that were idle for 10.0 s (here: --max-idle 10s)");
        assertThat(json(view(kept(10))))
                .contains("\"headline_with_probes\": null", "\"advice\": null")
                .contains("\"headline_with_probes\": \"no connection was probed\"")
                .contains("\"advice\": \"no idle time with kept connections comes before one with losses\"");
    }

    private static String json(IdleView view) throws IOException {
        StringBuilder json = new StringBuilder();
        Renderer.JSON.write(view, json);
        return json.toString().replaceAll("\\s+", " ");
    }

    @Test
    void reuse_saves_the_difference_of_the_medians() {
        assertThat(view(kept(1), kept(1), kept(3), idle(1, false, Ending.NOT_KEPT, "refused", 0))
                        .page()
                        .facts())
                .extracting(Page.Fact::text)
                .containsExactly(
                        "a first request takes 5.00 ms at the median, 3.00 ms of it for the new connection; on a reused connection 2.00 ms: reuse saves 3.00 ms");
        assertThat(view(kept(9)).page().facts())
                .extracting(Page.Fact::text)
                .allMatch(text -> text.endsWith("on a reused connection 10.0 ms: reuse saved nothing here"));
        assertThat(view(lost(Ending.CLOSED, "")).page().facts())
                .extracting(Page.Fact::text)
                .containsExactly("a first request takes 5.00 ms at the median, 3.00 ms of it for the new connection");
        assertThat(view(idle(1, false, Ending.NOT_KEPT, "refused", 0)).page().facts())
                .isEmpty();
    }

    @Test
    void every_connection_is_in_the_data() throws IOException {
        assertThat(json(view(kept(10), lost(Ending.BROKEN, "reset"))))
                .contains("\"first_request_ns\": 5000000", "\"new_connection_ns\": 3000000")
                .contains("\"second_request_ns\": 11000000", "\"complete\": true")
                .contains("\"idle_ns\": 10000000000, \"probed\": false, \"ending\": \"kept\", \"reason\": \"\","
                        + " \"ended_ns\": 10000000000, \"first_request_ns\": 5000000, \"second_request_ns\":"
                        + " 11000000")
                .contains("\"ending\": \"broken\", \"reason\": \"reset\", \"ended_ns\": 20000000000,"
                        + " \"first_request_ns\": 5000000, \"second_request_ns\": 0");
    }

    @Test
    void nothing_was_measured_only_if_no_first_request_was_answered() {
        assertThat(view(kept(1), probe(Ending.NOT_KEPT, "refused")).report().exitCode())
                .isEqualTo(ExitCode.MET);
        assertThat(view(probe(Ending.NOT_KEPT, "")).report().exitCode()).isEqualTo(ExitCode.MET);
        assertThat(view(probe(Ending.NOT_KEPT, "refused")).report().exitCode()).isEqualTo(ExitCode.NOTHING);
        IdleView cut = new IdleView(
                IdleReport.of(new IdleResult("x", Instant.EPOCH, SECOND, List.of(kept(1)), false), List.of(), "0.1.0"));
        assertThat(cut.page().head().partial()).contains("INCOMPLETE: it was interrupted");
    }

    @Test
    void a_row_of_a_name_has_its_rate_its_times_and_its_failures() {
        Recording recording = new RunFixture()
                .answered(999, 2 * MS)
                .failed(1, "HTTP 500", MS)
                .timedOut(2, SECOND)
                .result()
                .recording();
        List<Cell> cells = new NameRows(10).cells("a", recording);
        assertThat(cells)
                .extracting(Cell::text)
                .startsWith("a", "100/s", "2.00 ms")
                .endsWith("3 (0.299 %)");
        assertThat(cells.get(6).mark()).contains(Mark.BAD);
        assertThat(new NameRows(0).cells("a", recording).get(1).text()).isEmpty();
        Recording calm = new RunFixture().answered(100, 2 * MS).result().recording();
        assertThat(new NameRows(10).cells("a", calm).get(6)).isEqualTo(Cell.of("0"));
    }

    @Test
    void forty_names_are_shown_and_whole_sessions_last() {
        Recording one = new RunFixture().answered(1, MS).result().recording();
        Map<String, Recording> names = new LinkedHashMap<>();
        names.put(Recording.SESSION, one);
        for (int i = 0; i < 40; i++) {
            names.put("name " + i, one);
        }
        assertThat(NameRows.names(names)).hasSize(41).startsWith("name 0").endsWith("name 39", Recording.SESSION);
        assertThat(NameRows.rest(names)).isEmpty();
        names.put("more", one);
        assertThat(NameRows.names(names)).hasSize(41).doesNotContain("more");
        assertThat(NameRows.rest(names)).containsExactly("and 1 more name, in JSON");
        assertThat(NameRows.shown(Recording.SESSION)).isEqualTo("whole sessions");
        assertThat(NameRows.shown("whole sessions")).isEqualTo("'whole sessions'");
        assertThat(NameRows.shown("a")).isEqualTo("a");
    }

    @Test
    void a_name_without_planned_requests_has_a_row() {
        Recording failed = Recording.of(new Ledger(0, 0, 1, 0, 0, 0, 0), ResponseTimes.NONE, OutcomeCounts.NONE);
        assertThat(new NameRows(1).cells("a", failed).get(6).text()).isEqualTo("1 (100 %)");
    }
}
