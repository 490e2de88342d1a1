package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;
import dev.downbeat.testing.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Ctrl-Z test with databases: real servers, a real SIGSTOP of all their processes. The percentiles are the law's as
 * long as the run itself was not paused, which a busy machine does and its own health tells.
 */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DatabaseFreezeTest {
    private static final int PER_SECOND = 500;
    private static final Duration RUN = Duration.ofSeconds(8);
    private static final double TOLERANCE = 0.03;

    @TempDir
    Path folder;

    @Test
    void a_freeze_of_PostgreSQL_shows_by_the_closed_form() throws Exception {
        try (RealServer server = new Postgres(folder)) {
            check(server);
        }
    }

    @Test
    void a_freeze_of_MariaDB_shows_by_the_closed_form() throws Exception {
        try (RealServer server = new Mariadb(folder)) {
            check(server);
        }
    }

    private static void check(RealServer server) throws Exception {
        server.execute("create table marks (id int primary key)");
        JdbcTarget target = Runs.target(
                server.url(),
                "insert into marks values ({{x}})",
                Runs.options(10).withWrites());
        Runs.of(target, Runs.plan(4 * PER_SECOND, Duration.ofSeconds(1))); // both sides warm up
        server.execute("truncate marks");
        CompletableFuture<Long> freeze = server.freeze(Duration.ofSeconds(2), Duration.ofMillis(2_700));
        RunResult result = Runs.of(target, Runs.plan(PER_SECOND, RUN));
        double frozenNanos = freeze.get();

        int count = PER_SECOND * (int) RUN.toSeconds();
        assertThat(result.ledger()).isEqualTo(new Ledger(count, count, 0, 0, 0, 0, 0));
        assertThat(server.count("select count(*) from marks")).isEqualTo(count);

        // Of n requests those that were due in the freeze waited for its end: the k-th slowest for all but k gaps
        // of it.
        Distribution response = result.recording().response();
        double gapNanos = 1e9 / PER_SECOND;
        double p99 = frozenNanos - 0.01 * count * gapNanos;
        double lateNanos = result.health().largestHiccupNanos();
        System.out.printf(
                "frozen %.3f s: p50 %.2f ms, p99 %.1f ms (must be %.1f), max %.1f ms, own pause %.1f ms%n",
                frozenNanos / 1e9,
                response.valueAtPercentile(50) / 1e6,
                response.valueAtPercentile(99) / 1e6,
                p99 / 1e6,
                response.maxNanos() / 1e6,
                lateNanos / 1e6);
        assertThat((double) response.maxNanos()).isCloseTo(frozenNanos, within(TOLERANCE * frozenNanos + lateNanos));
        assertThat((double) response.valueAtPercentile(99)).isCloseTo(p99, within(TOLERANCE * p99 + lateNanos));
        // Two thirds met no freeze.
        assertThat((double) response.valueAtPercentile(50)).isCloseTo(0, within(20e6 + lateNanos));
        // At p80 the freeze is still seen, and so is what it takes to work off what had gathered.
        double p80 = frozenNanos - 0.2 * count * gapNanos;
        assertThat((double) response.valueAtPercentile(80))
                .isCloseTo(p80, within(TOLERANCE * frozenNanos + 300e6 + lateNanos));
    }
}
