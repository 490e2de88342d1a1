package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.jdbc.Dialect.ServerSession;
import dev.downbeat.jdbc.ProxyView.Way;
import java.lang.ref.WeakReference;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What follows from which session each connection has, on a clock of the test's own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProxyViewTest {
    private static final long EVERY = 250_000_000;

    private final ProxyView view = new ProxyView(
            Way.SHARES,
            List.of("setting usual"),
            SqlScript.parse("set work_mem = '5MB'; select 1").transactions());

    private void rounds(int from, int to, int connections, int sessions, List<String> state) {
        for (int round = from; round < to; round++) {
            for (int one = 0; one < connections; one++) {
                view.add(
                        "connection " + one,
                        new ServerSession("session " + (one + round) % sessions, state),
                        round * EVERY);
            }
        }
    }

    private long most(String name) {
        return new TargetCounts(new TreeMap<>(), new TreeMap<>(view.courses()))
                .all()
                .get(name + " (most)");
    }

    @Test
    void sessions_that_go_round_are_shared() {
        rounds(0, 20, 8, 3, List.of("setting usual"));
        assertThat(view.lines()).containsExactly("proxy: shares 3 server sessions among 8 connections");
        assertThat(most(TargetCounts.SERVER_SESSIONS)).isEqualTo(3);
    }

    @Test
    void readings_go_on_after_those_before_were_taken() {
        rounds(0, 20, 4, 4, List.of());
        view.courses();
        view.add("connection 0", new ServerSession("session 7", List.of()), 40 * EVERY);
        assertThat(view.courses()).isNotEmpty();
    }

    @Test
    void exclusive_sessions_are_pinned_by_their_remaining_state() {
        rounds(0, 4, 4, 4, List.of());
        for (int round = 4; round < 20; round++) {
            for (int one = 0; one < 4; one++) {
                view.add(
                        "connection " + one,
                        new ServerSession("session " + one, List.of("setting work_mem")),
                        round * EVERY);
            }
        }
        assertThat(view.lines())
                .containsExactly(
                        "proxy: shares 4 server sessions among 4 connections",
                        "proxy: 4 connections are pinned to a session: setting work_mem ('set work_mem = '5MB'')");
        assertThat(most(TargetCounts.PINNED)).isEqualTo(4);
    }

    @Test
    void a_session_shared_by_all_pins_none_and_passes_on_its_state() {
        rounds(0, 20, 8, 1, List.of("setting work_mem", "setting usual"));
        assertThat(view.lines())
                .containsExactly(
                        "proxy: shares 1 server session among 8 connections",
                        "proxy: state left on shared sessions: setting work_mem ('set work_mem = '5MB'')");
        assertThat(most(TargetCounts.PINNED)).isZero();
    }

    @Test
    void remaining_session_state_is_named_even_from_an_earlier_run() {
        ProxyView again = new ProxyView(
                Way.SHARES,
                List.of("setting work_mem", "setting usual"),
                SqlScript.parse("set work_mem = '5MB'; select 1").transactions());
        again.add("connection", new ServerSession("session", List.of("setting work_mem", "setting usual")), 0);
        assertThat(again.lines())
                .contains("proxy: state left on shared sessions: setting work_mem ('set work_mem = '5MB'')");
    }

    @Test
    void one_session_per_connection_is_reported_as_such() {
        assertThat(new ProxyView(Way.KEEPS, List.of(), List.of()).lines())
                .containsExactly("proxy: keeps a server session for each connection");
        assertThat(new ProxyView(Way.DIRECT, List.of(), List.of()).lines()).isEmpty();
    }

    /** A reading is made at most every half second, of the sessions of the last second. */
    @Test
    void sessions_are_read_twice_a_second_and_counted_for_a_second() {
        ServerSession first = new ServerSession("s1", List.of());
        ServerSession second = new ServerSession("s2", List.of());
        view.add("a", first, 0);
        view.add("b", second, 499_999_999);
        view.add("b", second, 500_000_000);
        view.add("b", second, 1_000_000_000);
        view.add("b", second, 1_500_000_000);
        assertThat(view.courses().get(TargetCounts.SERVER_SESSIONS))
                .extracting(TargetCounts.Reading::atNanos, TargetCounts.Reading::value)
                .containsExactly(
                        tuple(0L, 1L), tuple(500_000_000L, 2L), tuple(1_000_000_000L, 2L), tuple(1_500_000_000L, 1L));
        assertThat(view.courses()).isEmpty();
    }

    @Test
    void a_connection_is_pinned_from_its_third_probe_on_while_it_is_open() {
        ServerSession own = new ServerSession("own", List.of());
        ServerSession other = new ServerSession("other", List.of());
        for (int round = 0; round < 2; round++) {
            view.add("a", own, 2 * round * EVERY);
            view.add("b", other, 2 * round * EVERY);
        }
        assertThat(view.lines()).hasSize(1);
        view.add("a", own, 4 * EVERY);
        assertThat(view.lines())
                .endsWith("proxy: 1 connection is pinned to a session, for no reason visible at the server");
        view.add("b", other, 6 * EVERY);
        assertThat(view.lines())
                .endsWith("proxy: 2 connections are pinned to a session, for no reason visible at the server");
        view.forget("a");
        view.add("b", other, 8 * EVERY);
        assertThat(view.lines()).as("one connection shares with nobody").hasSize(1);
    }

    @Test
    void a_closed_connection_is_not_kept() {
        Object closed = new Object();
        WeakReference<Object> seen = new WeakReference<>(closed);
        view.add(closed, new ServerSession("session", List.of()), 0);
        view.add("other", new ServerSession("session", List.of()), EVERY);
        view.forget(closed);
        closed = null;
        for (int i = 0; i < 100 && seen.get() != null; i++) {
            System.gc();
        }
        assertThat(seen.get()).isNull();
        assertThat(view.lines()).containsExactly("proxy: shares 1 server session among 2 connections");
    }

    @Test
    void a_session_that_another_used_since_is_not_pinned_though_that_one_is_closed() {
        ServerSession session = new ServerSession("session", List.of());
        view.add("a", session, 0);
        view.add("b", session, EVERY);
        view.forget("b");
        view.add("c", new ServerSession("other", List.of()), 2 * EVERY);
        for (int round = 3; round < 9; round++) {
            view.add("a", session, round * EVERY);
        }
        assertThat(most(TargetCounts.PINNED)).isZero();
    }

    /** Three hours: the peak and the end are kept. */
    @Test
    void the_readings_of_a_long_run_are_thinned() {
        for (int round = 0; round < 4 * 3_600 * 3; round++) {
            int sessions = round == 7_001 ? 3 : 1;
            for (int one = 0; one < sessions; one++) {
                view.add("connection " + one, new ServerSession("session " + one, List.of()), round * EVERY);
            }
        }
        view.add("connection 1", new ServerSession("session 1", List.of()), 4 * 3_600 * 3 * EVERY + 2 * EVERY);
        List<TargetCounts.Reading> readings = view.courses().get(TargetCounts.SERVER_SESSIONS);
        assertThat(readings.size()).isBetween(1_000, 2_001);
        assertThat(readings).isSortedAccordingTo(Comparator.comparingLong(TargetCounts.Reading::atNanos));
        assertThat(readings)
                .extracting(TargetCounts.Reading::value)
                .contains(3L)
                .endsWith(2L);
    }

    @Test
    void a_long_statement_is_cut() {
        for (int length : new int[] {60, 61}) {
            String sql = "set work_mem = '" + "5".repeat(length - 17) + "'";
            ProxyView again =
                    new ProxyView(Way.SHARES, List.of(), SqlScript.parse(sql).transactions());
            again.add("connection", new ServerSession("session", List.of("setting work_mem")), 0);
            assertThat(again.lines())
                    .contains("proxy: state left on shared sessions: setting work_mem ('"
                            + (length == 60 ? sql : sql.substring(0, 57) + "...") + "')");
        }
    }
}
