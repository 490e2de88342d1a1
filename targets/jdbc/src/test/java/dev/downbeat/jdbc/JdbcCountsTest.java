package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.ConnectionCounts;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JdbcCountsTest {
    private final JdbcCounts counts = new JdbcCounts();

    @Test
    void connections_that_were_not_closed_are_open_and_no_more_are_in_use() {
        counts.opened.add(10);
        counts.failed.add(4);
        counts.closedByServer.add(3);
        counts.closedByUs.add(2);
        assertThat(counts.connections(4)).isEqualTo(new ConnectionCounts(10, 0, 4, 0, 3, 2, 5, 4));
        assertThat(counts.connections(6)).isEqualTo(new ConnectionCounts(10, 0, 4, 0, 3, 2, 5, 5));
        assertThat(counts.connections(-1)).isEqualTo(new ConnectionCounts(10, 0, 4, 0, 3, 2, 5, 0));
    }

    @Test
    void what_did_not_happen_is_not_listed_except_for_rows_and_transactions() {
        assertThat(counts.targetCounts().byName()).isEqualTo(Map.of("rows", 0L, "transactions done", 0L));
        counts.rolledBack.add(1);
        counts.unsent.add(2);
        counts.loginCpuNanos.add(999);
        assertThat(counts.targetCounts().byName())
                .isEqualTo(Map.of(
                        "rows", 0L,
                        "transactions done", 0L,
                        "transactions rolled back", 1L,
                        "timed out before they were sent", 2L));
        counts.opened.add(3);
        counts.loginCpuNanos.add(4_001);
        assertThat(counts.targetCounts().count("CPU of logins in us")).isEqualTo(5);
        assertThat(counts.targetCounts().count("logins")).isEqualTo(3);
    }
}
