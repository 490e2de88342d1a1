package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found of a real proxy between us and a real server. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProxyTest {
    private static final String SELECT = "select 1";

    @TempDir
    static Path folder;

    private static Postgres server;

    @BeforeAll
    static void start() {
        server = new Postgres(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static JdbcTarget run(String url, String sql) throws Exception {
        JdbcTarget target = Runs.target(url, sql, Runs.options(8));
        RunResult result = Runs.of(target, Runs.plan(100, Duration.ofSeconds(3)));
        assertThat(result.ledger().answered()).isEqualTo(300);
        boolean isShared = result.counts().courses().containsKey(TargetCounts.SERVER_SESSIONS);
        assertThat(isShared).isEqualTo(target.proxy().stream().anyMatch(line -> line.contains("shares")));
        return target;
    }

    @Test
    void a_server_is_no_proxy() throws Exception {
        assertThat(run(server.url(), SELECT).proxy()).isEmpty();
    }

    @Test
    void sessions_are_kept_or_shared() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "session")) {
            assertThat(run(bouncer.url(), SELECT).proxy())
                    .containsExactly("proxy: keeps a server session for each connection");
        }
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction")) {
            assertThat(run(bouncer.url(), SELECT).proxy())
                    .singleElement()
                    .asString()
                    .matches("proxy: shares [123] server sessions? among 8 connections");
        }
    }

    /** Holds all three server sessions of a bouncer at once, and adds up a number of each. */
    private static long onSessions(PgBouncer bouncer, String sql) throws SQLException {
        List<Connection> users = new ArrayList<>();
        long all = 0;
        try {
            for (int i = 0; i < 3; i++) {
                Connection user = DriverManager.getConnection(bouncer.url());
                users.add(user);
                user.setAutoCommit(false);
                try (Statement statement = user.createStatement();
                        ResultSet row = statement.executeQuery(sql)) {
                    row.next();
                    all += row.getLong(1);
                }
            }
        } finally {
            for (Connection user : users) {
                user.rollback(); // PgBouncer would end the session of an open transaction
                user.close();
            }
        }
        return all;
    }

    /** The sessions that refuse their next user's writes. */
    private static long readOnlySessions(PgBouncer bouncer) throws SQLException {
        return onSessions(bouncer, "select current_setting('default_transaction_read_only')::boolean::int");
    }

    @Test
    void sessions_that_change_at_each_turn_are_shared_and_refuse_nobodys_writes_afterwards() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction", "server_round_robin = 1")) {
            assertThat(readOnlySessions(bouncer)).isZero();
            assertThat(run(bouncer.url(), SELECT).proxy())
                    .containsExactly("proxy: shares 3 server sessions among 8 connections");
            assertThat(readOnlySessions(bouncer)).isZero();
        }
    }

    @Test
    void a_pool_leaves_shared_sessions_as_they_are() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction")) {
            JdbcTarget target = Runs.target(bouncer.url(), SELECT, Runs.hikari(8, "hikari:maximumPoolSize=4"));
            assertThat(Runs.of(target).ledger().answered()).isEqualTo(100);
            assertThat(readOnlySessions(bouncer)).isZero();
        }
    }

    @Test
    void nothing_is_created_where_sessions_are_shared() throws Exception {
        String schemas = "select count(*) from pg_namespace where nspname like 'downbeat%'";
        JdbcOptions usual = Runs.options(2);
        JdbcOptions creating = new JdbcOptions(
                2,
                true,
                usual.maxRequests(),
                false,
                usual.expect(),
                usual.driverJars(),
                usual.pool(),
                usual.connectTimeout(),
                0,
                true);
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction")) {
            String sql = "-- create\ncreate table made (id int);\n-- name read\nselect * from made";
            assertThatThrownBy(() -> Runs.of(Runs.target(bouncer.url(), sql, creating)))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("--create needs sessions of its own, but the proxy shares them:"
                            + " give the address of the server");
            assertThat(server.count(schemas)).isZero();
        }
    }

    /** Refused before the load, and no session keeps a statement of the attempt. */
    @Test
    void a_proxy_that_confuses_the_statements_of_its_connections_gets_none() throws Exception {
        for (String turns : List.of("server_round_robin = 0", "server_round_robin = 1")) {
            for (int connections : new int[] {8, 3}) { // 3 is as many as the bouncer has sessions
                try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction", turns)) {
                    assertThat(onSessions(bouncer, "select count(*) from pg_backend_pid()"))
                            .isEqualTo(3);
                    assertThatThrownBy(
                                    () -> Runs.of(Runs.target(preparing(bouncer), SELECT, Runs.options(connections))))
                            .as(turns + " of " + connections)
                            .isInstanceOf(IOException.class)
                            .hasMessageEndingWith(
                                    "/postgres: the proxy shares sessions but confuses their prepared statements:"
                                            + " add prepareThreshold=0 to the URL");
                    assertThat(onSessions(bouncer, "select count(*) from pg_prepared_statements"))
                            .as(turns + " of " + connections)
                            .isZero();
                }
            }
        }
    }

    private static String preparing(PgBouncer bouncer) {
        return bouncer.url().replace("&prepareThreshold=0", "");
    }

    @Test
    void a_proxy_that_refuses_transactions_runs_single_statements_that_are_not_prepared() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "statement")) {
            assertThatThrownBy(() -> Runs.of(Runs.target(preparing(bouncer), SELECT, Runs.options(8))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("/postgres: the proxy shares sessions and refuses a transaction: FATAL: ")
                    .hasMessageEndingWith("; it may confuse prepared statements: add prepareThreshold=0 to the URL");
            run(bouncer.url(), SELECT);
        }
    }

    @Test
    void a_statement_that_the_script_prepares_for_the_next_user_is_named() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction")) {
            JdbcTarget target = Runs.target(
                    bouncer.url(),
                    "prepare mine as select 1; select 1",
                    Runs.options(8).withWrites());
            Runs.of(target, Runs.plan(100, Duration.ofSeconds(2)));
            assertThat(target.proxy())
                    .contains("proxy: state left on shared sessions:"
                            + " prepared statement mine ('prepare mine as select 1')");
        }
    }

    /** The server allows 40. */
    @Test
    void connections_that_share_sessions_may_be_more_than_the_server_has() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction")) {
            assertThat(Runs.of(Runs.target(bouncer.url(), SELECT, Runs.options(60)))
                            .ledger()
                            .answered())
                    .isEqualTo(100);
        }
    }

    @Test
    void a_setting_that_stays_for_the_next_user_is_named_with_its_statement() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction")) {
            assertThat(run(bouncer.url(), "set work_mem = '5MB'; select 1").proxy())
                    .contains("proxy: state left on shared sessions: setting work_mem ('set work_mem = '5MB'')");
        }
    }
}
