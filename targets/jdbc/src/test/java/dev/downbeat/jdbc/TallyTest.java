package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.ConnectionCounts;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TallyTest {
    private final Tally tally = new Tally();

    @Test
    void connections_that_were_not_closed_are_open_and_no_more_are_in_use() {
        tally.opened.add(10);
        tally.failed.add(4);
        tally.closedByServer.add(3);
        tally.closedByUs.add(2);
        assertThat(tally.connections(4)).isEqualTo(new ConnectionCounts(10, 0, 4, 0, 3, 2, 5, 4));
        assertThat(tally.connections(6)).isEqualTo(new ConnectionCounts(10, 0, 4, 0, 3, 2, 5, 5));
        assertThat(tally.connections(-1)).isEqualTo(new ConnectionCounts(10, 0, 4, 0, 3, 2, 5, 0));
    }

    @Test
    void what_did_not_happen_is_not_listed_except_for_rows_and_transactions() {
        assertThat(tally.counts().byName()).isEqualTo(Map.of("rows", 0L, "transactions done", 0L));
        tally.rolledBack.add(1);
        tally.unsent.add(2);
        tally.loginCpuNanos.add(999);
        assertThat(tally.counts().byName())
                .isEqualTo(Map.of(
                        "rows", 0L,
                        "transactions done", 0L,
                        "transactions rolled back", 1L,
                        "timed out before they were sent", 2L));
        tally.opened.add(3);
        tally.loginCpuNanos.add(4_001);
        assertThat(tally.counts().count("CPU of logins in us")).isEqualTo(5);
        assertThat(tally.counts().count("logins")).isEqualTo(3);
    }
}
