package dev.downbeat.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Results;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.render.TerminalColours;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.time.DurationText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScreenTest {
    private static final long SECOND = 1_000_000_000L;
    private static final RunSnapshot LIVE = new RunSnapshot(1_100, 5, 3, 20_000, 40_000);

    private static Terminal terminal(int columns, boolean unicode) {
        return new Terminal(true, true, columns, 24, unicode);
    }

    private static LiveTotals now(long elapsedNanos, RunSnapshot live, RunCounts.Snapshot seen) {
        return new LiveTotals(seen, live, elapsedNanos, List.of());
    }

    private static RunCounts.Snapshot seen() {
        RunCounts counted = new RunCounts();
        counted.interval(new Interval(0, SECOND, Results.recording(1_000, 0)));
        counted.interval(new Interval(SECOND, 2 * SECOND, Results.recording(90, 10)));
        return counted.snapshot();
    }

    @Test
    void the_screen_says_where_the_run_is_and_how_it_goes() {
        List<String> lines =
                new Screen(Results.job("p99<20ms"), terminal(110, true)).lines(now(14 * SECOND, LIVE, seen()));
        assertThat(lines.get(0)).isEqualTo("downbeat run   GET http://localhost:8080/orders");
        assertThat(lines.get(1))
                .startsWith("open loop, Poisson 2,000/s, 64 connections, seed 7f3a")
                .endsWith("14.0 s of 60 s   23 %");
        assertThat(String.join("\n", lines))
                .contains("on time: late by 0.02 ms now")
                .contains("done 1,100 (100/s at 2.0 s)   failed 10   in flight 5   waiting 3")
                .contains("p99<20ms: below it so far")
                .contains("10.0 ms at 0 s")
                .contains("▃▃");
    }

    @Test
    void fine_intervals_are_shown_as_whole_seconds() {
        RunCounts counted = new RunCounts();
        for (int i = 0; i < 12; i++) {
            counted.interval(new Interval(i * SECOND / 5, (i + 1) * SECOND / 5, Results.recording(10, 0)));
        }
        RunCounts.Snapshot seen = counted.snapshot();
        assertThat(seen.peaks().recent()).hasSize(2);
        assertThat(seen.lastNanos()).isEqualTo(SECOND);
        assertThat(seen.last().ledger().answered()).isEqualTo(50);
        assertThat(seen.total().ledger().answered()).isEqualTo(120);
    }

    /** What shards write each second must not grow with the run. */
    @Test
    void of_a_long_run_the_last_seconds_and_the_worst_are_kept() {
        RunCounts counted = new RunCounts();
        for (int i = 0; i < 500; i++) {
            counted.interval(new Interval(i * SECOND, (i + 1) * SECOND, Results.recording(i == 7 ? 10 : 1 + i % 2, 0)));
        }
        RunCounts.Peaks peaks = counted.snapshot().peaks();
        assertThat(peaks.recent()).hasSize(RunCounts.Peaks.MOST);
        assertThat(peaks.seconds()).isEqualTo(500);
        assertThat(peaks.worstAt()).isEqualTo(7);
        RunCounts.Peaks later = new RunCounts.Peaks(502, List.of(Long.MAX_VALUE, 1L), Long.MAX_VALUE, 500);
        assertThat(peaks.plus(later)).isEqualTo(later.plus(peaks));
        assertThat(peaks.plus(later).recent().subList(0, RunCounts.Peaks.MOST - 2))
                .isEqualTo(peaks.recent().subList(2, RunCounts.Peaks.MOST));
        assertThat(peaks.plus(later).worstAt()).isEqualTo(500);
    }

    @Test
    void a_missed_objective_is_a_word_and_not_a_colour() {
        List<String> lines = new Screen(Results.job("p99<2ms"), terminal(110, true)).lines(now(SECOND, LIVE, seen()));
        assertThat(String.join("\n", lines)).contains("p99<2ms: above it so far");
    }

    private static String screenOf(String objective, int answered) {
        RunCounts counted = new RunCounts();
        counted.interval(new Interval(0, SECOND, Results.recording(answered, 0)));
        Screen screen = new Screen(Results.job(objective), terminal(110, true));
        return String.join("\n", screen.lines(now(SECOND, new RunSnapshot(answered, 0, 0, 0, -1), counted.snapshot())));
    }

    /** Nobody knows yet how slow a request is that is still waiting. */
    @Test
    void waiting_requests_make_times_lower_bounds_and_no_objective_ok() {
        RunCounts counted = new RunCounts();
        counted.interval(new Interval(0, SECOND, Results.recording(1_000, 0)));
        RunSnapshot live = new RunSnapshot(1_050, 50, 0, 0, -1);
        Screen screen = new Screen(Results.job("p99<20ms"), terminal(110, true));
        String whole = line(screen.lines(now(SECOND, live, counted.snapshot())), "whole run");
        assertThat(whole).contains("≥10.0ms", "p99<20ms").doesNotContain("so far");
        assertThat(screen.line(now(SECOND, live, counted.snapshot()))).contains("p99 ≥ 10.0 ms, max ≥ 10.0 ms");
    }

    /** As in the report: a request that timed out took the service at least as long as it was waited for. */
    @Test
    void timeouts_are_lower_bounds_in_each_row() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(100);
        for (int i = 0; i < 100; i++) {
            Exchange exchange = new Exchange(0);
            exchange.begin(0, 0, 0);
            recorder.timedOut(exchange, SECOND);
        }
        RunCounts counted = new RunCounts();
        counted.interval(new Interval(0, SECOND, Results.recording(900, 0).plus(recorder.drain())));
        Screen screen = new Screen(Results.job(), terminal(110, true));
        List<String> lines = screen.lines(now(SECOND, RunSnapshot.NONE, counted.snapshot()));
        for (String row : List.of("last second", "whole run", "service")) {
            assertThat(line(lines, "  " + row)).contains("≥1.00s");
        }
    }

    /** A request in flight takes the service longer than it has so far; one that waits has not reached it. */
    @Test
    void requests_in_flight_are_lower_bounds_of_the_service() {
        RunCounts counted = new RunCounts();
        counted.interval(new Interval(0, SECOND, Results.recording(1_000, 0)));
        Screen screen = new Screen(Results.job(), terminal(110, true));
        assertThat(line(
                        screen.lines(now(SECOND, new RunSnapshot(1_050, 50, 0, 0, -1), counted.snapshot())),
                        "  service"))
                .contains("≥10.0ms");
        assertThat(line(
                        screen.lines(now(SECOND, new RunSnapshot(1_050, 0, 50, 0, -1), counted.snapshot())),
                        "  service"))
                .contains("10.0 ms")
                .doesNotContain("≥");
    }

    @Test
    void an_overload_shows_how_slow_what_has_ended_was() {
        RunSnapshot live = new RunSnapshot(1_064, 64, 3_000, 0, -1);
        RunCounts counted = new RunCounts();
        counted.interval(new Interval(0, SECOND, Results.recording(1_000, 0)));
        Screen screen = new Screen(Results.job("p50<2ms"), terminal(110, true));
        assertThat(line(screen.lines(now(SECOND, live, counted.snapshot())), "whole run"))
                .contains("≥5.00ms", "p50<2ms: above it so far");
    }

    @Test
    void a_run_that_waits_for_nothing_is_at_its_end() {
        RunSnapshot over = new RunSnapshot(1_100, 0, 0, 0, -1);
        Screen screen = new Screen(Results.job(), terminal(110, true));
        assertThat(screen.line(now(61 * SECOND, over, seen()))).startsWith("60.0 s of 60 s   100 %");
        assertThat(screen.line(now(61 * SECOND, LIVE, seen()))).startsWith("waiting for 8 more");
    }

    @Test
    void an_objective_that_includes_its_limit_is_met_at_the_limit_as_in_the_verdict() {
        Distribution response = Results.recording(1_000, 0).responseAtLeast();
        String limit = DurationText.format(response.valueAtPercentile(99)).replace(" ", "");
        assertThat(screenOf("p99<=" + limit, 1_000)).contains("p99<=" + limit + ": below it so far");
        assertThat(screenOf("p99<" + limit, 1_000)).contains("p99<" + limit + ": above it so far");
    }

    @Test
    void too_few_requests_do_not_make_an_objective_ok_but_may_miss_it() {
        assertThat(screenOf("p99<20ms", 499)).contains("p99<20ms").doesNotContain("so far");
        assertThat(screenOf("p99<20ms", 500)).contains("p99<20ms: below it so far");
        assertThat(screenOf("p99<2ms", 499)).contains("p99<2ms: above it so far");
    }

    @Test
    void eighty_columns_have_room_for_the_objective() {
        List<String> lines = new Screen(Results.job("p99.9<=2ms"), terminal(80, true)).lines(now(SECOND, LIVE, seen()));
        assertThat(String.join("\n", lines)).contains("p99.9<=2ms: above it so far");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 60, 80, 120, 200})
    void no_line_wraps_and_the_pictures_take_the_width(int columns) {
        RunCounts counted = new RunCounts();
        for (int second = 0; second < 60; second++) {
            counted.interval(new Interval(second * SECOND, (second + 1) * SECOND, Results.recording(1_000, 10)));
        }
        RunCounts.Snapshot seen = counted.snapshot();
        for (TerminalColours ink : TerminalColours.values()) {
            List<String> lines = new Screen(Results.job("p99<20ms"), terminal(columns, true), ink)
                    .lines(now(60 * SECOND, LIVE, seen));
            assertThat(lines).allMatch(line -> TerminalColours.visibleLength(line) < columns);
            String bars = lines.get(lines.indexOf(line(lines, "worst per second")) + (columns < 80 ? 2 : 1));
            assertThat(bars.strip()).hasSizeBetween(Math.min(60, columns - 4), columns - 4);
            assertThat(bars.length()).as("of 60 s").isGreaterThan((columns - 4) / 2);
        }
    }

    private static String line(List<String> lines, String part) {
        return lines.stream().filter(line -> line.contains(part)).findFirst().orElseThrow();
    }

    @Test
    void problems_have_the_colour_of_the_final_screen() {
        RunSnapshot late = new RunSnapshot(1_100, 5, 3, 20_000_000, 1_200_000_000);
        Screen coloured = new Screen(Results.job("p99<2ms"), terminal(110, true), TerminalColours.ANSI);
        String screen = String.join("\n", coloured.lines(now(SECOND, late, seen())));
        assertThat(screen)
                .contains(
                        TerminalColours.ANSI.bad("failed 10"),
                        TerminalColours.ANSI.bad("LATE:"),
                        TerminalColours.ANSI.bad("no response for 1.20 s"))
                .contains(
                        TerminalColours.ANSI.bad(": above it so far"),
                        TerminalColours.ANSI.bold("downbeat run   GET http://localhost:8080/orders"));
        assertThat(TerminalColours.plain(screen))
                .isEqualTo(String.join(
                        "\n",
                        new Screen(Results.job("p99<2ms"), terminal(110, true)).lines(now(SECOND, late, seen()))));
    }

    @Test
    void a_percentile_stands_there_once_the_run_has_the_requests_for_it() {
        assertThat(screenOf("p99<20ms", 499)).contains("p50", "max").doesNotContain("p99 ", "p99.9");
        assertThat(screenOf("p99<20ms", 500)).contains("     p99").doesNotContain("p99.9");
    }

    /** What came before them is forgotten. */
    @Test
    void the_last_seconds_are_shown_as_a_histogram() {
        RunCounts counted = new RunCounts();
        counted.interval(new Interval(0, SECOND, Results.recording(5_000, 0)));
        for (int second = 1; second <= RunCounts.RECENT_SECONDS; second++) {
            counted.interval(new Interval(second * SECOND, (second + 1) * SECOND, Results.recording(90, 10)));
        }
        RunCounts.Snapshot seen = counted.snapshot();
        assertThat(seen.recentResponses().count()).isEqualTo(5 * 90);
        List<String> lines = new Screen(Results.job(), terminal(80, true)).lines(now(6 * SECOND, LIVE, seen));
        int title = lines.indexOf(line(lines, "response times of the last 5 s"));
        assertThat(lines.get(title + 1)).contains("█");
        assertThat(lines.get(title + 2)).contains("1 ms");
    }

    @Test
    void a_terminal_without_unicode_gets_ascii() {
        List<String> lines = new Screen(Results.job(), terminal(80, false)).lines(now(SECOND, LIVE, seen()));
        assertThat(String.join("", lines)).matches("\\p{ASCII}*");
    }

    @Test
    void before_anything_has_ended_there_are_no_numbers() {
        List<String> lines = new Screen(Results.job("p99<20ms"), terminal(80, true))
                .lines(now(0, RunSnapshot.NONE, new RunCounts().snapshot()));
        assertThat(String.join("\n", lines))
                .contains("no response yet")
                .doesNotContain("NaN", "0 ns", "p99", "whole run");
        assertThat(new Screen(Results.job("p99<20ms"), terminal(80, true))
                        .line(now(SECOND, LIVE, new RunCounts().snapshot())))
                .doesNotContain("p50", "p99", "max");
    }

    @Test
    void after_its_duration_a_run_waits_for_what_is_out() {
        assertThat(String.join(
                        "\n", new Screen(Results.job(), terminal(80, true)).lines(now(61 * SECOND, LIVE, seen()))))
                .contains("waiting for 8 more");
    }

    @Test
    void before_its_start_and_after_its_end_no_run_claims_to_be_at_a_hundred_percent() {
        Screen screen = new Screen(Results.job(), terminal(80, true));
        assertThat(screen.line(now(LiveTotals.NOT_FIXED, RunSnapshot.NONE, new RunCounts().snapshot())))
                .startsWith("connecting   done 0");
        assertThat(screen.line(now(-12 * SECOND, RunSnapshot.NONE, new RunCounts().snapshot())))
                .startsWith("begins in 12.0 s   done 0");
        assertThat(screen.line(now(61 * SECOND, LIVE, seen()))).startsWith("waiting for 8 more   done 1,100");
    }

    @Test
    void without_repainting_one_line_is_printed() {
        String line = new Screen(Results.job(), terminal(80, true)).line(now(5 * SECOND, LIVE, seen()));
        assertThat(line)
                .startsWith("5.0 s of 60 s   8 %   done 1,100 (100/s at 2.0 s), failed 10, waiting 3, in flight 5")
                .contains("p99 ")
                .doesNotContain("\n");
    }

    @ParameterizedTest(name = "{0} rows of {1} columns")
    @CsvSource({"24, 80", "14, 80", "10, 80", "10, 40", "7, 40", "4, 40"})
    void what_is_painted_leaves_a_line_of_the_terminal_free_since_nobody_paints_over_what_scrolled_away(
            int rows, int columns) {
        List<String> lines = new Screen(Results.job(), new Terminal(true, true, columns, rows, true))
                .lines(now(5 * SECOND, LIVE, seen()));
        assertThat(lines).hasSizeBetween(2, rows - 1).anyMatch(line -> line.contains(" of 60 s"));
        assertThat(lines.stream().anyMatch(line -> line.contains("whole run"))).isEqualTo(rows >= 10);
    }

    @Test
    void during_a_stall_what_is_known_is_at_least_so_much() {
        RunSnapshot stalled = new RunSnapshot(1_100, 64, 3_000, 0, 1_200_000_000);
        String line = new Screen(Results.job(), terminal(80, false)).line(now(5 * SECOND, stalled, seen()));
        assertThat(line).contains("p99 >= 10.0 ms").endsWith(", no response for 1.20 s");
    }

    private static Interval second(int at, long... responseNanos) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.planned(responseNanos.length);
        Exchange exchange = new Exchange(0);
        for (long nanos : responseNanos) {
            exchange.begin(0, 0, 0);
            exchange.completedAt = nanos;
            exchange.outcome = Outcome.answered();
            recorder.completed(exchange);
        }
        return new Interval(at * SECOND, (at + 1) * SECOND, recorder.drain());
    }

    /** From 1 ms to 1 s, each decade has eight thirds of a bar. */
    @Test
    void the_worst_of_each_second_is_a_bar_on_a_logarithmic_scale() {
        RunCounts counted = new RunCounts();
        long milli = 1_000_000;
        counted.interval(second(0, milli));
        counted.interval(second(1, milli, 10 * milli));
        counted.interval(second(2));
        counted.interval(second(3, 100 * milli));
        counted.interval(second(4, 1_000 * milli));
        List<String> lines =
                new Screen(Results.job(), terminal(110, true)).lines(now(5 * SECOND, LIVE, counted.snapshot()));
        String title = line(lines, "worst per second");
        assertThat(title).contains(" at 4 s");
        assertThat(lines.get(lines.indexOf(title) + 1)).isEqualTo("  ▁▃ ▆█");
    }

    /** Two decades in 76 columns: 2 ms is 0.30 of 38 columns from 1 ms, and 20 ms as far from 10 ms. */
    @Test
    void a_column_of_the_histogram_is_a_part_of_a_decade_and_its_height_the_logarithm_of_its_count() {
        RunCounts counted = new RunCounts();
        counted.interval(second(0, 2_000_000, 2_000_000, 2_000_000, 20_000_000));
        List<String> lines = new Screen(Results.job(), terminal(80, true)).lines(now(SECOND, LIVE, counted.snapshot()));
        int title = lines.indexOf(line(lines, "response times of the last 5 s"));
        assertThat(lines.get(title + 1))
                .isEqualTo(" ".repeat(2 + 11) + "█" + " ".repeat(49 - 12) + "▅" + " ".repeat(76 - 50));
        assertThat(lines.get(title + 2)).isEqualTo("  1 ms" + " ".repeat(40 - 6) + "10 ms");
    }

    @Test
    void a_delay_is_late_from_ten_milliseconds_and_a_silence_a_stall_from_a_quarter_of_a_second() {
        Screen screen = new Screen(Results.job(), terminal(110, true));
        RunSnapshot borne = new RunSnapshot(1_100, 5, 3, 9_999_999, 249_999_999);
        assertThat(String.join("\n", screen.lines(now(SECOND, borne, seen()))))
                .contains("on time: late by 10.00 ms now, 10.00 ms at most")
                .doesNotContain("no response for");
        RunSnapshot late = new RunSnapshot(1_100, 5, 3, 10_000_000, 250_000_000);
        assertThat(String.join("\n", screen.lines(now(SECOND, late, seen()))))
                .contains("LATE: late by 10.00 ms now", "no response for 250 ms");
        assertThat(screen.line(now(60 * SECOND, LIVE, seen())))
                .as("its last moment")
                .doesNotContain("waiting for");
    }

    @Test
    void a_narrow_terminal_gets_fewer_percentiles_and_narrower_columns() {
        assertThat(names(60)).contains("p95");
        assertThat(names(59)).doesNotContain("p95").contains("p50", "p99", "max");
        assertThat(names(42)).startsWith(" ".repeat(13 + 6) + "p50");
        assertThat(names(41)).startsWith(" ".repeat(13 + 5) + "p50");
    }

    private static String names(int columns) {
        return line(new Screen(Results.job(), terminal(columns, true)).lines(now(SECOND, LIVE, seen())), " p50 ");
    }

    /** Erasing the screen from its first line on makes tmux keep what stood there, once for each frame. */
    @Test
    void a_repaint_goes_back_to_the_first_column_since_the_terminal_may_have_echoed_a_key() {
        Painter.Canvas canvas = new Painter.Canvas();
        assertThat(canvas.repaint(List.of("a", "b"))).isEqualTo("\u001b[?7la\u001b[K\nb\u001b[K\n\u001b[?7h");
        assertThat(canvas.repaint(List.of("c")))
                .isEqualTo("\r\u001b[2A\u001b[?7lc\u001b[K\n\u001b[K\n\u001b[1A\u001b[?7h");
        assertThat(canvas.erase()).isEqualTo("\r\u001b[1A\u001b[K\n\u001b[1A");
        assertThat(canvas.erase()).isEmpty();
    }

    @Test
    void a_terminal_follows_the_environment() {
        assertThat(Terminal.of(Map.of("COLUMNS", "120", "LANG", "de_DE.UTF-8"), true, true))
                .isEqualTo(new Terminal(true, true, 120, 24, true));
        assertThat(Terminal.of(Map.of("TERM", "dumb", "COLUMNS", "x"), true, true))
                .isEqualTo(new Terminal(true, false, 80, 24, false));
        assertThat(Terminal.of(Map.of("LC_ALL", "C", "LANG", "en_GB.UTF-8"), false, false)
                        .isUnicode())
                .isFalse();
        assertThat(Terminal.of(Map.of("LC_ALL", "", "LC_CTYPE", "de_DE.utf8"), false, false))
                .isEqualTo(new Terminal(false, false, 80, 24, true));
        assertThat(Terminal.of(Map.of("COLUMNS", "0", "LINES", "0"), true, true))
                .as("as some terminals say")
                .isEqualTo(new Terminal(true, true, 80, 24, false));
        assertThat(Terminal.of(Map.of("COLUMNS", "19", "LINES", "1"), true, true))
                .isEqualTo(new Terminal(true, true, 20, 2, false));
        assertThat(Terminal.of(Map.of("COLUMNS", "21", "LINES", "3"), new Terminal(false, true, 80, 24, true)))
                .isEqualTo(new Terminal(false, true, 21, 3, true));
    }

    @Test
    void colours_are_for_terminals_unless_overridden() {
        assertThat(Terminal.Colour.AUTO.isOn(Map.of(), true)).isTrue();
        assertThat(Terminal.Colour.AUTO.isOn(Map.of(), false)).isFalse();
        assertThat(Terminal.Colour.AUTO.isOn(Map.of("NO_COLOR", "1"), true)).isFalse();
        assertThat(Terminal.Colour.AUTO.isOn(Map.of("NO_COLOR", ""), true)).isTrue();
        assertThat(Terminal.Colour.AUTO.isOn(Map.of("CLICOLOR_FORCE", "1"), false))
                .isTrue();
        assertThat(Terminal.Colour.AUTO.isOn(Map.of("CLICOLOR_FORCE", "0"), false))
                .isFalse();
        assertThat(Terminal.Colour.AUTO.isOn(Map.of("TERM", "dumb"), true)).isFalse();
        assertThat(Terminal.Colour.ALWAYS.isOn(Map.of("NO_COLOR", "1"), false)).isTrue();
        assertThat(Terminal.Colour.NEVER.isOn(Map.of("CLICOLOR_FORCE", "1"), true))
                .isFalse();
    }
}
