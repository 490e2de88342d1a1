package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.PartTimes;
import dev.downbeat.jdbc.JdbcOptions.RowsExpected;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The target with a real MariaDB: the ledger against the server's own count. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MariadbTest {
    private static final String MARK = "insert into marks values ({{x}})";

    @TempDir
    static Path folder;

    private static Mariadb server;

    @BeforeAll
    static void start() throws Exception {
        server = new Mariadb(folder);
        server.execute("create table marks (id int primary key)");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void clear() throws SQLException {
        server.execute("delete from marks");
    }

    private static JdbcOptions writing() {
        return Runs.options(4).withWrites();
    }

    @Test
    void the_server_has_done_what_the_ledger_says_and_a_connection_is_told_in_parts() throws Exception {
        JdbcTarget target = Runs.target(server.url(), MARK, writing());
        RunResult result = Runs.of(target);
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 100, 0, 0, 0, 0, 0));
        assertThat(server.count("select count(*) from marks")).isEqualTo(100);
        assertThat(target.parts()).extracting(PartTimes.PartSummary::name).startsWith("lookup", "connect", "login");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit {{x}}", "limit {{x}}, {{x}}", "limit {{x}} offset {{x}}"})
    void a_limit_is_a_number_and_other_values_are_texts(String limit) throws Exception {
        String sql = "select * from marks where concat({{x}}, '') = '' " + limit;
        RunResult result = Runs.of(Runs.target(server.url(), sql, Runs.options(2)));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 100, 0, 0, 0, 0, 0));
    }

    @Test
    void statements_that_time_out_are_cancelled() throws Exception {
        RunResult result = Runs.of(
                Runs.target(server.url(), MARK + "; select sleep(if({{x}} % 10 = 3, 5, 0))", writing()),
                Runs.plan(50, Duration.ofSeconds(1)).timeout(Duration.ofMillis(300)));
        assertThat(result.ledger()).isEqualTo(new Ledger(50, 45, 0, 5, 0, 0, 0));
        assertThat(server.count("select count(*) from marks")).isEqualTo(45);
    }

    @Test
    void server_counts_match_the_ledger_after_a_stop_beyond_the_timeout() throws Exception {
        RunResult result = Runs.frozen(
                server,
                Runs.target(server.url(), MARK, writing()),
                Runs.plan(100, Duration.ofSeconds(6)).timeout(Duration.ofMillis(500)));
        Ledger ledger = result.ledger();
        assertThat(ledger.addsUp()).isTrue();
        assertThat(ledger.timedOut()).isGreaterThan(50);
        long marks = server.count("select count(*) from marks");
        assertThat(marks).isEqualTo(result.counts().count("transactions done"));
        assertThat(marks).isEqualTo(ledger.answered() + result.counts().count("done after their timeout"));
    }

    @Test
    void all_results_of_a_procedure_are_read() throws Exception {
        server.execute("create or replace procedure three() begin select 1 union select 2; select 3; end");
        JdbcOptions options = writing().withExpect(RowsExpected.parse("rows=3"));
        RunResult result = Runs.of(Runs.target(server.url(), "call three()", options));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 100, 0, 0, 0, 0, 0));
    }

    @Test
    void connections_of_other_users_are_in_use_whatever_we_may_see() throws Exception {
        server.execute("create or replace user plain identified by ''");
        try (Connection other = DriverManager.getConnection(server.url());
                Connection plain =
                        DriverManager.getConnection(server.url().replace("/mysql?user=root", "/?user=plain"))) {
            long all = server.count("select @@max_connections");
            assertThat(Dialect.MARIADB.freeConnections(plain).orElseThrow()).isLessThanOrEqualTo(all - 1);
            assertThat(other.isClosed()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hikari:maximumPoolSize=2"})
    void a_write_is_refused_by_the_server_whatever_its_driver_says(String pool) throws Exception {
        server.execute("create or replace function sneak() returns int modifies sql data begin"
                + " insert into marks values (-1); return 1; end");
        JdbcOptions options = pool.isEmpty() ? Runs.options(2) : Runs.hikari(2, pool);
        String silent = server.url() + "&readOnlyPropagatesToServer=false"; // as drivers before 3.5 do
        RunResult result = Runs.of(Runs.target(silent, "select sneak()", options));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 0, 100, 0, 0, 0, 0));
        assertThat(server.count("select count(*) from marks")).isZero();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/mysql | /mysql | select * from nowhere | nowhere' doesn't exist (SQLSTATE 42S02): create it",
                "/mysql | /nowhere | select 1 | database 'nowhere' (SQLSTATE 42000): check the database's name in the URL",
                "?user | ?sslMode=trust&user | select 1 | ssl not enabled in the server (SQLSTATE 08000): check host, port and TLS",
            })
    void unmeasurable_targets_are_refused_in_one_line_before_the_load(String from, String to, String sql, String line) {
        assertThatThrownBy(() -> Runs.of(Runs.target(server.url().replace(from, to), sql, Runs.options(2))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(line);
    }
}
