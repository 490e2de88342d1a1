package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.PartTimes;
import dev.downbeat.jdbc.JdbcOptions.RowsExpected;
import dev.downbeat.jdbc.SqlScript.SqlStatement;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The target with a real PostgreSQL: the ledger against the server's own count. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PostgresTest {
    private static final Ledger ALL_ANSWERED = new Ledger(100, 100, 0, 0, 0, 0, 0);
    private static final String MARK = "insert into marks values ({{x}})";

    @TempDir
    static Path folder;

    private static Postgres server;

    @BeforeAll
    static void start() throws Exception {
        server = new Postgres(folder);
        server.execute("create table t (id int primary key, a int)");
        server.execute("insert into t select x, x % 7 from generate_series(0, 999) x");
        server.execute("create table marks (id int primary key)");
        server.execute("create schema other");
        server.execute("create type other.\"Mood\" as enum ('well')");
        server.execute("create domain code as char(3)");
        server.execute("create table kinds (day date, at timestamptz, ids int[], doc jsonb, raw bytea, id uuid,"
                + " mood other.\"Mood\", amount numeric, ok boolean, gap interval, address inet, code code)");
        server.execute(
                "insert into kinds values ('2026-11-28', '2026-11-28 01:02:03+00', '{1,NULL,3}', '{\"a\": [1, null]}',"
                        + " '\\x00ff', '123e4567-e89b-12d3-a456-426614174000', 'well', 12.5, true, '1 day 2 hours', '10.0.0.1', 'abc')");
        server.execute("create function sneak() returns int language sql as 'insert into marks values (-1); select 1'");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void clear() throws SQLException {
        server.execute("truncate marks");
    }

    private static JdbcOptions writing() {
        return Runs.options(8).withWrites();
    }

    @Test
    void a_text_takes_the_type_of_the_column() throws Exception {
        JdbcOptions options = Runs.options(8).withExpect(RowsExpected.parse("rows=1"));
        RunResult result = Runs.of(Runs.target(server.url(), "select * from t where id = {{x}}", options));
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(result.connections().opened()).isEqualTo(8);
        assertThat(server.sessions()).isZero();
    }

    @Test
    void a_statement_is_one_round_trip_whatever_types_its_values_have() throws Exception {
        SqlStatement statement = SqlScript.parse(
                        "select a::text from t where id = {{id}} and {{day}}::date > {{text}}::date")
                .transactions()
                .get(0)
                .statements()
                .get(0);
        List<String> types;
        try (Connection asked = DriverManager.getConnection(server.url());
                PreparedStatement prepared = asked.prepareStatement(statement.sql())) {
            types = Dialect.POSTGRESQL.types(prepared, statement.parameters().size(), statement.limits());
        }
        assertThat(types).containsExactly("int4", "date", "date");
        try (CountingRelay relay = new CountingRelay(server.port());
                Connection connection =
                        DriverManager.getConnection(server.url().replace(":" + server.port(), ":" + relay.port()));
                PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
            long before = relay.sent();
            for (int i = 0; i < 30; i++) {
                Object[] values = {Integer.toString(i), "2026-11-27", "2026-11-26"};
                for (int place = 1; place <= values.length; place++) {
                    Dialect.POSTGRESQL.bind(prepared, place, values[place - 1], types);
                }
                try (ResultSet rows = prepared.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                }
            }
            assertThat(relay.sent() - before).isEqualTo(30);
        }
    }

    private static RunResult runWith(Object value, String sql) throws IOException {
        JdbcOptions options = Runs.options(2).withExpect(RowsExpected.parse("rows=1"));
        return Runs.of(JdbcTarget.of(
                server.url(), SqlScript.parse(sql), options, parameters -> index -> new Object[] {value}, 1));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "day | 2026-11-28",
                "at | 2026-11-28 01:02:03+00",
                "ids | {1,NULL,3}",
                "doc | {\"a\": [1, null]}",
                "raw | \\x00ff",
                "id | 123e4567-e89b-12d3-a456-426614174000",
                "mood | well",
                "amount | 12.50",
                "ok | true",
                "gap | 1 day 02:00:00",
                "address | 10.0.0.1",
                "code | abc",
            })
    void a_text_takes_any_type(String column, String value) throws Exception {
        assertThat(runWith(value, "select * from kinds where " + column + " = {{x}}")
                        .ledger())
                .isEqualTo(ALL_ANSWERED);
    }

    static List<Object> objects() {
        return List.of(
                LocalDate.of(2026, 11, 28),
                OffsetDateTime.parse("2026-11-28T01:02:03Z"),
                new byte[] {0, (byte) 0xff},
                UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
                new BigDecimal("12.50"),
                true);
    }

    @ParameterizedTest
    @MethodSource("objects")
    void an_object_of_a_program_keeps_its_type(Object value) throws Exception {
        String column = value instanceof LocalDate
                ? "day"
                : value instanceof OffsetDateTime
                        ? "at"
                        : value instanceof byte[]
                                ? "raw"
                                : value instanceof UUID ? "id" : value instanceof BigDecimal ? "amount" : "ok";
        assertThat(runWith(value, "select * from kinds where " + column + " = {{x}}")
                        .ledger())
                .isEqualTo(ALL_ANSWERED);
    }

    @Test
    void a_missing_value_is_null() throws Exception {
        assertThat(runWith(null, "select 1 where {{x}}::int is null").ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(runWith("", "select 1 where nullif({{x}}, '')::int is null").ledger())
                .isEqualTo(ALL_ANSWERED);
    }

    @Test
    void a_table_that_a_transaction_creates_itself_need_not_exist_before() throws Exception {
        String sql = "create temp table fresh (a int) on commit drop; insert into fresh values ({{x}});"
                + " select * from fresh where a = {{x}}";
        assertThat(Runs.of(Runs.target(server.url(), sql, writing())).ledger()).isEqualTo(ALL_ANSWERED);
    }

    @Test
    void connections_of_other_users_are_in_use_whatever_we_may_see() throws Exception {
        server.execute("create role plain login");
        List<Connection> others = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                others.add(DriverManager.getConnection(server.url()));
            }
            String url = server.url().replace("user=postgres", "user=plain");
            assertThatThrownBy(() -> Runs.of(Runs.target(url, "select 1", Runs.options(20))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not 20");
        } finally {
            for (Connection other : others) {
                other.close();
            }
        }
    }

    @Test
    void a_session_that_the_server_ends_costs_one_request() throws Exception {
        String url = server.url() + "&options=-c%20idle_session_timeout=100";
        RunResult result = Runs.of(Runs.target(url, "select 1", Runs.options(1)), Runs.plan(3, Duration.ofSeconds(4)));
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().answered()).isPositive(); // what comes late, with others, shares a session
        assertThat(result.recording().failures().keySet())
                .hasSize(1)
                .allMatch(reason -> reason.startsWith("SQLSTATE 57P05"));
    }

    @Test
    void the_server_has_done_what_the_ledger_says() throws Exception {
        RunResult result = Runs.of(Runs.target(server.url(), MARK, writing()));
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(server.count("select count(*) from marks")).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hikari:maximumPoolSize=2"})
    void a_function_that_writes_is_refused_by_the_server_whatever_its_driver_says(String pool) throws Exception {
        JdbcOptions options = pool.isEmpty() ? Runs.options(2) : Runs.hikari(2, pool);
        String silent = server.url() + (server.url().contains("?") ? "&" : "?") + "readOnlyMode=ignore";
        RunResult result = Runs.of(Runs.target(silent, "select sneak()", options));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 0, 100, 0, 0, 0, 0));
        assertThat(result.recording().failures()).containsOnlyKeys("SQLSTATE 25006: write in a read-only transaction");
        assertThat(server.count("select count(*) from marks")).isZero();
    }

    @Test
    void a_new_connection_is_reported_in_parts() throws Exception {
        JdbcTarget target = Runs.target(server.url(), "select 1", Runs.noKeepAlive(4));
        RunResult result = Runs.of(target, Runs.plan(50, Duration.ofSeconds(1)));
        assertThat(result.ledger().answered()).isEqualTo(50);
        assertThat(result.recording().waits().connect().count()).isEqualTo(50);
        assertThat(result.recording().waits().handshake().count()).isEqualTo(50);
        assertThat(target.parts()).extracting(PartTimes.PartSummary::name).startsWith("lookup", "connect", "login");
        assertThat(target.parts().subList(0, 3))
                .as("each connection once, whether it was opened for a request or beforehand")
                .extracting(PartTimes.PartSummary::count)
                .containsOnly(result.connections().opened());
        assertThat(server.sessions()).isZero();
    }

    @Test
    void statements_that_time_out_are_cancelled_and_no_transaction_is_left() throws Exception {
        String sql = MARK + "; select pg_sleep(case when {{x}}::int % 10 = 3 then 60 else 0 end)";
        RunResult result = Runs.of(
                Runs.target(server.url(), sql, writing()),
                Runs.plan(100, Duration.ofSeconds(1)).timeout(Duration.ofSeconds(6)));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 90, 0, 10, 0, 0, 0));
        assertThat(result.counts().count("statements cancelled")).isEqualTo(10);
        assertThat(server.count("select count(*) from marks")).isEqualTo(90);
        assertThat(server.sessions()).isZero();
    }

    @Test
    void a_failure_after_the_timeout_is_not_a_cancellation() throws Exception {
        String stubborn = "do $$ begin perform pg_sleep(60); exception when query_canceled then"
                + " raise exception 'too late' using errcode = 'P0001'; end $$";
        RunResult result = Runs.of(
                Runs.target(server.url(), stubborn, writing()),
                Runs.plan(5, Duration.ofSeconds(1)).timeout(Duration.ofSeconds(3))); // each has begun to sleep by then
        assertThat(result.ledger().timedOut()).isEqualTo(5);
        long failed = result.counts().count("failed after their timeout");
        assertThat(failed).isPositive();
        assertThat(failed + result.counts().count("statements cancelled"))
                .as("on a busy machine a cancellation is repeated, and meets the handler of the first one")
                .isEqualTo(5);
    }

    @Test
    void transactions_running_at_the_end_are_rolled_back() throws Exception {
        String sql = MARK + "; select pg_sleep(case when {{x}}::int >= 98 then 30 else 0 end)";
        RunResult result = Runs.of(
                Runs.target(server.url(), sql, writing()),
                Runs.plan(100, Duration.ofSeconds(1)).drain(Duration.ofSeconds(2)));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 98, 0, 0, 0, 2, 0));
        assertThat(server.sessions()).isZero();
        assertThat(server.count("select count(*) from marks")).isEqualTo(98);
    }

    @Test
    void server_counts_match_the_ledger_after_a_stop_beyond_the_timeout() throws Exception {
        RunResult result = Runs.frozen(
                server,
                Runs.target(server.url(), MARK, writing()),
                Runs.plan(200, Duration.ofSeconds(4)).timeout(Duration.ofMillis(500)));
        Ledger ledger = result.ledger();
        assertThat(ledger.addsUp()).isTrue();
        assertThat(ledger.timedOut()).isGreaterThan(100);
        assertThat(ledger.answered()).isGreaterThan(100); // a busy machine may keep others waiting too long
        assertThat(ledger.failed() + ledger.inFlight() + ledger.neverSent()).isZero();
        assertThat(server.sessions()).isZero();
        long marks = server.count("select count(*) from marks");
        assertThat(marks).isEqualTo(result.counts().count("transactions done"));
        assertThat(marks).isEqualTo(ledger.answered() + result.counts().count("done after their timeout"));
    }

    @Test
    void a_session_that_is_killed_breaks_all_and_all_are_opened_again() throws Exception {
        CompletableFuture<Void> kill = server.killSession(Duration.ofMillis(500));
        RunResult result = Runs.of(Runs.target(server.url(), MARK, writing()), Runs.plan(200, Duration.ofSeconds(4)));
        kill.get();
        Ledger ledger = result.ledger();
        assertThat(ledger.addsUp()).isTrue();
        assertThat(ledger.failed()).isPositive();
        assertThat(ledger.answered()).isGreaterThan(100); // a busy machine may keep others waiting too long
        assertThat(result.connections().opened()).isGreaterThan(8);
        assertThat(result.connections().closedByServer()).isPositive();
        long marks = server.count("select count(*) from marks");
        // a commit whose answer the crash has swallowed is one that nobody can know of
        assertThat(marks).isBetween(ledger.answered(), ledger.answered() + 8);
        assertThat(server.sessions()).isZero();
    }

    @Test
    void more_connections_than_are_free_are_refused_before_the_load() {
        assertThatThrownBy(() -> Runs.of(Runs.target(server.url(), "select 1", Runs.options(60))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not 60");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1:1/postgres | select 1 | : Connection refused: start the server, or check host and port",
                "no-host.invalid/postgres | select 1 | : its host has no address: check it in the URL",
                "HERE/nowhere | select 1 | database \"nowhere\" does not exist (SQLSTATE 3D000): check the database's name",
                "HERE/postgres?sslmode=require | select 1 | not support SSL. (SQLSTATE 08004): check user, password and TLS",
                "HERE/postgres?sslmode=often | select 1 | sslmode value: often (SQLSTATE 08001): check host, port and TLS",
                "HERE/postgres | select * from nowhere | relation \"nowhere\" does not exist (SQLSTATE 42P01): create it",
                "HERE/postgres | select from where | near \"where\" (SQLSTATE 42601): correct the statement",
            })
    void unmeasurable_targets_are_refused_in_one_line_before_the_load(String to, String sql, String line) {
        String url = "jdbc:postgresql://" + to.replace("HERE", "127.0.0.1:" + server.port());
        String withUser = url + (url.contains("?") ? "&" : "?") + "user=postgres";
        assertThatThrownBy(() -> Runs.of(Runs.target(withUser, sql, Runs.options(2))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(line)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void a_server_that_says_nothing_is_refused_after_the_timeout() throws IOException {
        JdbcOptions usual = JdbcOptions.USUAL;
        JdbcOptions options = new JdbcOptions(
                1,
                true,
                usual.maxRequests(),
                false,
                usual.expect(),
                usual.driverJars(),
                usual.pool(),
                Duration.ofSeconds(1),
                0,
                false);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/postgres?user=postgres";
            assertThatThrownBy(() -> Runs.of(Runs.target(url, "select 1", options)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(": no answer in time: check host and port");
        }
    }

    @Test
    void a_wrong_password_is_refused_without_telling_the_user() throws Exception {
        server.execute("create role scott login password 'tiger'");
        server.askForPasswords("scott");
        String base = "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres";
        for (String url : new String[] {base + "?user=scott&password=lion", base + "?user=scott"}) {
            assertThatThrownBy(() -> Runs.of(Runs.target(url, "select 1", Runs.options(2))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in the URL")
                    .hasMessageContaining("~/.pgpass")
                    .message()
                    .doesNotContain("scott")
                    .doesNotContain("lion");
        }
        Path passwords = Files.writeString(folder.resolve("pgpass"), "127.0.0.1:*:*:scott:tiger\n");
        Files.setPosixFilePermissions(passwords, PosixFilePermissions.fromString("rw-------"));
        System.setProperty("org.postgresql.pgpassfile", passwords.toString());
        try {
            RunResult result = Runs.of(Runs.target(base + "?user=scott", "select 1", Runs.options(2)));
            assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        } finally {
            System.clearProperty("org.postgresql.pgpassfile");
        }
    }
}
