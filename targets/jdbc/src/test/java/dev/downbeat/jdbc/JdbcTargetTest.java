package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.MeasuredSystem;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;
import dev.downbeat.jdbc.ConnectionSource.DriverDataSource;
import dev.downbeat.jdbc.JdbcOptions.RowsExpected;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The target with an embedded database. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JdbcTargetTest {
    private static final String URL = "jdbc:h2:mem:test";
    private static final Ledger ALL_ANSWERED = new Ledger(100, 100, 0, 0, 0, 0, 0);

    private Connection keeper;

    @BeforeEach
    void fill() throws SQLException {
        keeper = DriverManager.getConnection(URL);
        execute("create table t (id int primary key, a int)");
        execute("insert into t select x, 0 from system_range(0, 49)");
        execute("create table marks (id int primary key)");
    }

    @AfterEach
    void drop() throws SQLException {
        execute("drop all objects");
        keeper.close();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = keeper.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(String sql) throws SQLException {
        try (Statement statement = keeper.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    private static JdbcOptions writing() {
        return Runs.options(4).withWrites();
    }

    @Test
    void the_demo_needs_nothing() throws IOException {
        JdbcTarget target =
                Runs.target("jdbc:demo", "select * from orders where id = mod({{x}}, 1000) + 1", Runs.options(4));
        RunResult result = Runs.of(target);
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(result.counts().count("rows")).isEqualTo(100);
        assertThat(target.parts())
                .extracting(PartTimes.PartSummary::name)
                .contains("login", "prepare", "statement", "rows");
        assertThat(part(target, "login").count()).isEqualTo(4);
        assertThat(part(target, "prepare").count()).as("once a connection").isBetween(1L, 4L);
        assertThat(part(target, "statement").count()).isEqualTo(100);
    }

    @Test
    void the_parts_of_a_warm_up_are_not_those_of_the_run() throws IOException {
        JdbcTarget target = Runs.target("jdbc:demo", "select 1", Runs.options(4));
        for (int run = 1; run <= 2; run++) {
            Runs.of(target, Runs.plan(400, Duration.ofMillis(250)).warmUp(Duration.ofMillis(100)));
            assertThat(part(target, "login").count()).isEqualTo(4 * run);
            assertThat(part(target, "statement").count()).isEqualTo(100 * run);
        }
    }

    private static PartTimes.PartSummary part(JdbcTarget target, String name) {
        return target.parts().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void the_server_has_done_what_the_ledger_says() throws Exception {
        RunResult result = Runs.of(Runs.target(URL, "insert into marks values ({{x}})", writing()));
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(count("select count(*) from marks")).isEqualTo(100);
        assertThat(result.counts().count("rows")).isEqualTo(100);
        assertThat(result.counts().count("transactions done")).isEqualTo(100);
    }

    @Test
    void nothing_stays_open() throws Exception {
        Runs.of(Runs.target(URL, "select 1", Runs.options(8)));
        assertThat(count("select count(*) from information_schema.sessions")).isEqualTo(1);
    }

    @Test
    void connections_are_opened_beforehand_and_kept() throws IOException {
        RunResult result = Runs.of(Runs.target(URL, "select 1", Runs.options(8)));
        assertThat(result.recording().waits().handshake().count()).isZero();
    }

    @Test
    void without_keep_alive_each_request_pays_a_login() throws IOException {
        RunResult result = Runs.of(Runs.target(URL, "select 1", Runs.noKeepAlive(4)));
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(result.recording().waits().handshake().count()).isEqualTo(100);
    }

    private static JdbcOptions with(int connections, long maxRequests, int idle, boolean creates) {
        JdbcOptions usual = JdbcOptions.USUAL;
        return new JdbcOptions(
                connections,
                true,
                maxRequests,
                false,
                Optional.of(RowsExpected.parse(idle > 0 ? "rows=" + (1 + connections + idle) : "rows=1")),
                List.of(),
                Optional.empty(),
                usual.connectTimeout(),
                idle,
                creates);
    }

    @Test
    void a_connection_is_replaced_after_so_many_requests() throws IOException {
        RunResult result = Runs.of(Runs.target(URL, "select 1", with(1, 10, 0, false)));
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(result.connections().opened()).isEqualTo(10);
        assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(10);
    }

    /** One of the sessions is the test's own. */
    @Test
    void idle_connections_are_held_open_during_the_load_and_closed_after_it() throws Exception {
        String sql = "select * from information_schema.sessions";
        assertThat(Runs.of(Runs.target(URL, sql, with(2, 1_000, 3, false))).ledger())
                .isEqualTo(ALL_ANSWERED);
        assertThat(count("select count(*) from information_schema.sessions")).isEqualTo(1);
    }

    @Test
    void what_a_script_creates_is_in_a_schema_of_its_own_that_can_be_removed() throws Exception {
        String sql = "-- create\ncreate table made (id int);\ninsert into made values (7);\n"
                + "-- name read\nselect * from made where id = 7";
        JdbcTarget target = Runs.target(URL, sql, with(2, 1_000, 0, true));
        assertThat(target.schema()).isEmpty();
        assertThat(Runs.of(target).ledger()).isEqualTo(ALL_ANSWERED);
        String name = target.schema().orElseThrow();
        assertThat(name).startsWith("downbeat_");
        assertThat(target.removal()).hasValue("drop schema " + name + " cascade");
        String there = "select count(*) from information_schema.schemata where lower(schema_name) = '" + name + "'";
        assertThat(count(there)).isEqualTo(1);
        target.cleanUp();
        assertThat(count(there)).isZero();
        assertThat(target.schema()).isEmpty();
        assertThat(target.removal()).isEmpty();
        target.cleanUp(); // there is nothing left to remove
        assertThatThrownBy(() -> Runs.target(URL, "select 1", with(2, 1_000, 0, true)))
                .hasMessageStartingWith("--create has nothing to create");
    }

    @Test
    void a_target_says_what_it_sends() {
        JdbcTarget one = Runs.target(URL, "select 1", Runs.options(1));
        assertThat(one.describe()).isEqualTo("jdbc:h2:mem:test, one statement");
        assertThat(one.names()).isEmpty();
        assertThat(Runs.target(URL, "select 1; select 2", Runs.options(1)).describe())
                .isEqualTo("jdbc:h2:mem:test, one transaction of 2 statements");
        JdbcTarget two = Runs.target("jdbc:demo", "select 1;\n-- name b\nselect 2", Runs.options(1));
        assertThat(two.describe()).isEqualTo("embedded database (H2), 2 named requests");
        assertThat(two.names()).containsExactly("request 1", "b");
        assertThat(Runs.target(URL, "-- name a\nselect 1", Runs.options(1)).names())
                .containsExactly("a");
    }

    @Test
    void a_statement_that_writes_is_quoted_in_one_short_line() {
        for (int columns : new int[] {60, 61}) {
            String sql = "delete\n from " + "t".repeat(columns - "delete from ".length());
            String shown = sql.replace("\n ", " ").substring(0, columns == 60 ? 60 : 57) + (columns == 60 ? "" : "...");
            assertThatThrownBy(() -> Runs.target(URL, sql, Runs.options(1))).hasMessageEndingWith(": " + shown);
        }
    }

    @Test
    void a_transaction_that_fails_leaves_nothing_behind() throws Exception {
        String sql = "insert into marks values ({{x}} + 1000); insert into marks values (mod({{x}}, 50))";
        RunResult result = Runs.of(Runs.target(URL, sql, writing()));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 50, 50, 0, 0, 0, 0));
        assertThat(result.recording().failures())
                .containsExactly(java.util.Map.entry("SQLSTATE 23505, code 23505: unique violation", 50L));
        assertThat(count("select count(*) from marks")).isEqualTo(100);
        assertThat(result.counts().count("transactions rolled back")).isEqualTo(50);
    }

    @Test
    void too_few_rows_are_a_failure_that_was_answered() throws IOException {
        JdbcOptions options = Runs.options(4).withExpect(RowsExpected.parse("rows>=1"));
        RunResult result = Runs.of(Runs.target(URL, "select * from t where id = {{x}}", options));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 50, 50, 0, 0, 0, 0));
        assertThat(result.recording().failures()).containsOnlyKeys("expected rows>=1");
        assertThat(result.counts().count("transactions done")).isEqualTo(100);
    }

    @Test
    void kinds_of_requests_are_rows_by_their_weights() throws IOException {
        String sql = "-- name look, weight 9\nselect 1;\n-- name change\nselect 2; select 3";
        JdbcTarget target = Runs.target(URL, sql, Runs.options(4));
        assertThat(target.names()).containsExactly("look", "change");
        RunResult result = Runs.of(target, Runs.plan(2000, Duration.ofMillis(500)));
        assertThat(result.named("look").ledger().answered()).isBetween(850L, 950L);
        assertThat(result.named("look").ledger().answered()
                        + result.named("change").ledger().answered())
                .isEqualTo(1000);
    }

    @Test
    void a_missing_table_is_known_before_the_load() {
        assertThatThrownBy(() -> Runs.of(Runs.target(URL, "select * from nowhere", Runs.options(2))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("NOWHERE")
                .hasMessageContaining("SQLSTATE 42S")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void a_statement_that_writes_needs_leave() {
        assertThatThrownBy(() -> Runs.target(URL, "delete from t", Runs.options(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--writes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:nobody:x", "jdbc:", "jdbc:oracle:thin:scott/tiger@db"})
    void an_unknown_driver_is_refused_without_secrets(String url) {
        assertThatThrownBy(() -> Runs.target(url, "select 1", Runs.options(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--driver-jar")
                .message()
                .doesNotContain("tiger");
    }

    @Test
    void a_wrong_url_is_refused_with_the_right_form() {
        assertThatThrownBy(() -> Runs.target("jdbc:postgresql://h:port/x?password=tiger", "select 1", Runs.options(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jdbc:postgresql://HOST:PORT/DATABASE")
                .message()
                .doesNotContain("tiger");
    }

    @Test
    void the_place_of_a_user_in_other_urls_is_understood() {
        JdbcUrl url = JdbcUrl.of("jdbc:postgresql://scott:t%40iger@db:1/shop", List.of());
        assertThat(url.url()).isEqualTo("jdbc:postgresql://db:1/shop");
        assertThat(url.properties(Runs.options(1)))
                .containsEntry("user", "scott")
                .containsEntry("password", "t@iger");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db:5432/shop?user=scott&password=t@iger",
                "jdbc:postgresql://a:1,b:2/shop?password=t@iger"
            })
    void an_at_sign_in_a_parameter_is_no_end_of_credentials(String url) {
        assertThat(JdbcUrl.of(url, List.of()).url()).isEqualTo(url);
    }

    @Test
    void credentials_may_precede_a_parameter_with_an_at_sign() {
        JdbcUrl url = JdbcUrl.of("jdbc:postgresql://scott:ti/ger@db:1/shop?options=a@b", List.of());
        assertThat(url.url()).isEqualTo("jdbc:postgresql://db:1/shop?options=a@b");
        assertThat(url.properties(Runs.options(1))).containsEntry("password", "ti/ger");
    }

    @Test
    void a_driver_jar_that_is_not_there_is_refused() {
        JdbcOptions usual = JdbcOptions.USUAL;
        JdbcOptions options = new JdbcOptions(
                1,
                true,
                1,
                false,
                Optional.empty(),
                List.of(Path.of("no.jar")),
                Optional.empty(),
                usual.connectTimeout(),
                0,
                false);
        assertThatThrownBy(() -> Runs.target(URL, "select 1", options)).hasMessage("--driver-jar no.jar: no such file");
    }

    @Test
    void a_jar_without_a_driver_is_refused(@TempDir Path folder) throws IOException {
        Path jar = folder.resolve("empty.jar");
        new JarOutputStream(Files.newOutputStream(jar), new Manifest()).close();
        assertThatThrownBy(() -> JdbcUrl.of(URL, List.of(jar)))
                .hasMessage(jar + " contains no JDBC driver (those of PostgreSQL and H2 are built in)");
    }

    @Test
    void secrets_of_a_url_are_shown_nowhere() {
        String described = Runs.target(
                        "jdbc:postgresql://scott:tiger@db/shop?user=scott&password=tiger", "select 1", Runs.options(1))
                .describe();
        assertThat(described).contains("db/shop").doesNotContain("tiger").doesNotContain("scott");
    }

    /** A driver drops a cancellation of a statement that is not yet on its way. */
    @Test
    void a_cancellation_that_came_too_early_is_repeated() throws IOException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        AtomicInteger cancellations = new AtomicInteger();
        UnaryOperator<Object> drops = prepared -> prepared instanceof PreparedStatement
                ? wrapped(
                        PreparedStatement.class,
                        prepared,
                        method -> method.equals("cancel") && cancellations.getAndIncrement() == 0,
                        UnaryOperator.identity())
                : prepared;
        DataSource source = wrapped(
                DataSource.class,
                database,
                method -> false,
                connection -> wrapped(Connection.class, connection, method -> false, drops));
        RunResult result = Runs.of(
                (Target) Jdbc.of(source)
                        .callers(1)
                        .sql("select sum(x) from system_range(1, 1000000000000) where mod(x, 7) = 3"),
                Runs.plan(1, Duration.ofSeconds(1)).timeout(Duration.ofMillis(200)));
        assertThat(result.ledger().timedOut()).isEqualTo(1);
        assertThat(cancellations).hasValueGreaterThan(1);
        assertThat(result.counts().count("statements cancelled")).isEqualTo(1);
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(JdbcTargetTest.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private static <T> T wrapped(
            Class<T> type, Object real, Predicate<String> isDropped, UnaryOperator<Object> ofResults) {
        return type.cast(proxy(type, (proxy, method, arguments) -> {
            try {
                return isDropped.test(method.getName()) ? null : ofResults.apply(method.invoke(real, arguments));
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }));
    }

    /** A statement that ignores its cancellation, until its connection is cut ten seconds after that. */
    @Test
    void a_connection_that_is_cut_was_not_closed_by_the_server() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        UnaryOperator<Object> deaf = prepared -> !(prepared instanceof PreparedStatement)
                ? prepared
                : proxy(PreparedStatement.class, (proxy, method, all) -> {
                    if (method.getName().equals("execute") && cut.getCount() > 0) {
                        cut.await();
                        throw new SQLException("the socket is closed", "08006");
                    }
                    return method.getName().equals("cancel") ? null : method.invoke(prepared, all);
                });
        Predicate<String> cuts = method -> {
            if (method.equals("abort")) {
                cut.countDown();
            }
            return false;
        };
        OddDriver driver = new OddDriver(connection -> wrapped(Connection.class, connection, cuts, deaf));
        DriverManager.registerDriver(driver);
        RunResult result;
        try {
            RunPlan plan = Runs.plan(1, Duration.ofMinutes(5))
                    .timeout(Duration.ofMillis(200))
                    .build();
            LoadRun run = new LoadRun(plan, Runs.target(OddDriver.ODD, "select 1", Runs.options(1)));
            result = run.run(interval -> {
                if (interval.recording().ledger().answered() > 0) { // on the next connection
                    run.stop();
                }
            });
        } finally {
            DriverManager.deregisterDriver(driver);
        }
        assertThat(result.connections().opened()).isEqualTo(2);
        assertThat(result.connections().closedByServer()).isZero();
        assertThat(result.counts().count("failed after their timeout")).isZero();
    }

    @Test
    void a_teams_own_data_source_is_left_open() throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(URL);
        RunResult result = Runs.of((Target) Jdbc.of(source)
                .callers(4)
                .expect("rows=1")
                .values(index -> new Object[] {index % 50})
                .sql("select * from t where id = {{id}}"));
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
    }

    @Test
    void a_data_source_is_written_to_only_with_leave_and_with_values() throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(URL);
        String sql = "insert into marks values ({{id}})";
        assertThatThrownBy(() -> Jdbc.of(source).writes().sql(sql))
                .hasMessage("{{id}} has no value: set it with values(...)");
        Jdbc filled = Jdbc.of(source).values(index -> new Object[] {index});
        assertThatThrownBy(() -> filled.sql(sql)).hasMessageContaining("API: writes()");
        assertThat(Runs.of((Target) filled.writes().sql(sql)).ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(count("select count(*) from marks")).isEqualTo(100);
    }

    @Test
    void a_pool_of_two_lets_others_wait_and_is_closed() throws Exception {
        JdbcTarget target = Runs.target(URL, "select 1", Runs.hikari(8, "hikari:maximumPoolSize=2"));
        RunResult result = Runs.of(target);
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(result.connections())
                .as("those of the pool, not its loans")
                .isEqualTo(new ConnectionCounts(2, 0, 0, 0, 0, 0, 2, 0));
        assertThat(result.counts().count("connections borrowed from the pool")).isEqualTo(100);
        assertThat(target.parts())
                .extracting(PartTimes.PartSummary::name)
                .contains("wait for a connection of the pool");
        assertThat(count("select count(*) from information_schema.sessions")).isEqualTo(1);
    }

    /** Ten callers at once, one connection, and 10 ms each. */
    @Test
    void a_wait_for_the_pool_is_a_wait_and_no_service_time() throws Exception {
        execute("create alias nap for 'java.lang.Thread.sleep(long)'");
        JdbcOptions options = Runs.hikari(10, "hikari:maximumPoolSize=1").withWrites();
        JdbcTarget target = Runs.target(URL, "call nap(10)", options);
        RunResult result = Runs.of(target, Runs.plan(1_000, Duration.ofMillis(10)));
        assertThat(result.ledger().answered()).isEqualTo(10);
        assertThat(result.recording().service().minNanos()).isGreaterThanOrEqualTo(10_000_000);
        assertThat(result.recording().waits().backlogWait().maxNanos()).isGreaterThan(50_000_000);
        assertThat(part(target, "statement").count()).isEqualTo(10);
        assertThat(part(target, "statement").meanNanos()).isGreaterThanOrEqualTo(10_000_000);
        assertThat(part(target, "wait for a connection of the pool").count()).isEqualTo(10);
    }

    @Test
    void what_a_pool_does_not_commit_itself_is_committed() throws Exception {
        JdbcOptions options =
                Runs.hikari(8, "hikari:maximumPoolSize=2,autoCommit=false").withWrites();
        assertThat(Runs.of(Runs.target(URL, "insert into marks values ({{x}})", options))
                        .ledger())
                .isEqualTo(ALL_ANSWERED);
        assertThat(count("select count(*) from marks")).isEqualTo(100);
    }

    @Test
    void a_table_that_a_transaction_creates_itself_need_not_exist_before() throws Exception {
        String sql = "create local temporary table if not exists fresh (a int);"
                + " insert into fresh values ({{x}}); select * from fresh where a = {{x}}";
        assertThat(Runs.of(Runs.target(URL, sql, writing())).ledger()).isEqualTo(ALL_ANSWERED);
    }

    @Test
    void a_wrong_number_of_values_is_named() throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(URL);
        RunResult result = Runs.of((Target) Jdbc.of(source)
                .values(index -> new Object[] {index})
                .sql("select * from t where id in ({{a}}, {{b}})"));
        assertThat(result.recording().failures())
                .containsOnlyKeys("values(...) gave 1, but the parameters are {{a}}, {{b}}");
        assertThat(result.recording().unbuilt())
                .as("the service was not asked")
                .isEqualTo(result.ledger().planned());
        assertThat(result.recording().tallies().ownLimits()).isEmpty();
    }

    /** A request that has timed out while it waited for the pool leaves the connection to others. */
    @Test
    void a_connection_that_came_too_late_goes_back_to_its_pool() throws IOException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        AtomicInteger borrowed = new AtomicInteger();
        AtomicInteger returned = new AtomicInteger();
        DataSource source = wrapped(
                DataSource.class,
                database,
                method -> {
                    if (method.equals("getConnection") && borrowed.incrementAndGet() == 2) { // the first one is ours
                        LockSupport.parkNanos(1_200_000_000);
                    }
                    return false;
                },
                connection -> wrapped(
                        Connection.class,
                        connection,
                        method -> method.equals("close") && returned.incrementAndGet() < 0,
                        UnaryOperator.identity()));
        RunResult result = Runs.of(
                (Target) Jdbc.of(source).callers(1).sql("select 1"),
                Runs.plan(1, Duration.ofSeconds(2)).timeout(Duration.ofSeconds(1)));
        assertThat(result.ledger()).isEqualTo(new Ledger(2, 1, 0, 1, 0, 0, 0, 1));
        assertThat(result.recording().times().unseenService().maxNanos())
                .as("all of it was the wait")
                .isZero();
        assertThat(borrowed).hasValue(3);
        assertThat(returned).hasValue(3);
    }

    @Test
    void a_request_whose_source_gives_no_connection_was_not_sent() throws IOException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        AtomicInteger asked = new AtomicInteger();
        DataSource source = new DriverDataSource(() -> {
            if (asked.getAndIncrement() % 4 == 3) {
                throw new SQLException("refused", "08001");
            }
            return database.getConnection();
        });
        JdbcTarget target = ((Jdbc.Statements) Jdbc.of(source).callers(2).sql("select 1")).target();
        RunResult result = Runs.of(target);
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 75, 25, 0, 0, 0, 0, 25));
        assertThat(part(target, "wait for a connection of the pool").count())
                .as("those that got none waited as well")
                .isEqualTo(100);
    }

    private static int callers(SystemUnderTest statements, int users) throws IOException {
        Target target = (Target) ((MeasuredSystem) statements).forUsers(users);
        try (Lane lane = target.open(0, 1, NanoClock.system(), exchange -> {})) {
            return lane.capacity();
        }
    }

    @Test
    void each_user_of_a_closed_loop_is_a_caller_unless_their_number_is_set() throws IOException {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(URL);
        assertThat(callers(Jdbc.of(source).sql("select 1"), 0)).isEqualTo(64);
        assertThat(callers(Jdbc.of(source).sql("select 1"), 3)).isEqualTo(3);
        assertThat(callers(Jdbc.of(source).sql("select 1"), 70)).isEqualTo(70);
        assertThat(callers(Jdbc.of(source).callers(2).sql("select 1"), 70)).isEqualTo(2);
    }

    /** The server never saw them: without a free port of this machine no driver can ask it. */
    @Test
    void a_request_without_a_port_for_its_connection_met_a_limit_of_this_machine() throws IOException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        AtomicInteger asked = new AtomicInteger();
        DataSource source = new DriverDataSource(() -> {
            if (asked.getAndIncrement() % 4 == 3) {
                throw new SQLException(
                        "The connection attempt failed.",
                        "08001",
                        new BindException("Cannot assign requested address"));
            }
            return database.getConnection();
        });
        RunResult result = Runs.of((Target) Jdbc.of(source).callers(2).sql("select 1"));
        assertThat(result.ledger().neverSent()).isEqualTo(25);
        assertThat(result.recording().failures()).isEmpty();
        assertThat(result.recording().tallies().ownLimits())
                .containsExactly(Map.entry(OwnLimit.LOCAL_PORTS.reason(), 25L));
    }

    @Test
    void what_an_own_pool_opens_and_closes_is_not_known() throws IOException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        RunResult result = Runs.of((Target) Jdbc.of(database).callers(2).sql("select 1"));
        assertThat(result.connections()).isEqualTo(ConnectionCounts.NONE);
        assertThat(result.counts().count("connections borrowed from the pool")).isEqualTo(100);
    }

    /** One of two is closed, and no other can be opened. */
    @Test
    void connections_that_a_pool_closes_and_cannot_open_are_counted() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        HikariConfig config = new HikariConfig();
        config.setMaximumPoolSize(2);
        config.setDataSource(new DriverDataSource(() -> {
            if (asked.getAndIncrement() >= 2) {
                throw new SQLException("refused", "08001");
            }
            return DriverManager.getConnection(URL);
        }));
        try (HikariSource source = HikariSource.open(config, Duration.ofSeconds(10), Optional.empty())) {
            assertThat(source.pooled(0)).isEqualTo(new ConnectionCounts(2, 0, 0, 0, 0, 0, 2, 0));
            Connection lent = source.open();
            assertThat(source.pooled(0)).isEqualTo(new ConnectionCounts(2, 0, 0, 0, 0, 0, 2, 1));
            source.pool().evictConnection(lent);
            long endAt = System.nanoTime() + 10_000_000_000L;
            while (source.pooled(1).failed() == 0 && System.nanoTime() - endAt < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            ConnectionCounts broken = source.pooled(1);
            assertThat(broken.failed()).isPositive();
            assertThat(broken).isEqualTo(new ConnectionCounts(2, 0, broken.failed(), 0, 1, 0, 1, 0));
            assertThat(source.pooled(0).closedByUs()).isEqualTo(1);
        }
    }

    /** Ctrl-C while a server with a connection limit keeps the pool from its size. */
    @Test
    @Timeout(30)
    void an_interrupt_ends_the_wait_for_a_pool_that_does_not_fill() throws Exception {
        Thread opener = Thread.currentThread();
        AtomicInteger asked = new AtomicInteger();
        HikariConfig config = new HikariConfig();
        config.setMaximumPoolSize(2);
        config.setDataSource(new DriverDataSource(() -> {
            if (asked.getAndIncrement() > 0) {
                opener.interrupt();
                throw new SQLException("too many connections", "53300");
            }
            return DriverManager.getConnection(URL);
        }));
        try (HikariSource source = HikariSource.open(config, Duration.ofMinutes(1), Optional.empty())) {
            assertThat(Thread.interrupted()).isTrue();
            assertThat(source.pooled(0).opened()).isEqualTo(1);
        }
    }

    /** Each request opens a connection, and from the first interval on nobody listens. */
    @Test
    void a_request_whose_connection_is_refused_was_not_sent() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:" + server.getURL() + "/mem:remote";
        RunPlan.Builder plan = Runs.plan(50, Duration.ofSeconds(2));
        RunResult result = new LoadRun(plan.build(), Runs.target(url, "select 1", Runs.noKeepAlive(4)))
                .run(interval -> server.stop());
        Ledger ledger = result.ledger();
        assertThat(ledger.answered()).isPositive();
        assertThat(ledger.unconnected())
                .isBetween(ledger.failed() - 4, ledger.failed())
                .isEqualTo(result.connections().failed());
        assertThat(ledger.failed()).isGreaterThan(20);
        assertThat(ledger.sent()).isEqualTo(100 - ledger.unconnected());
    }

    @Test
    void connections_to_a_server_that_starts_again_are_replaced() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String port = Integer.toString(server.getPort());
        List<Server> again = new ArrayList<>();
        RunPlan.Builder plan = Runs.plan(50, Duration.ofMinutes(1));
        JdbcTarget target = Runs.target("jdbc:h2:" + server.getURL() + "/mem:remote", "select 1", Runs.options(2));
        LoadRun run = new LoadRun(plan.build(), target);
        List<Long> failed = new ArrayList<>();
        RunResult result = run.run(interval -> {
            failed.add(interval.recording().ledger().failed());
            if (again.isEmpty()) {
                server.stop();
                again.add(started(port));
            } else if (failed.stream().anyMatch(count -> count > 0)
                    && failed.get(failed.size() - 1) == 0
                    && interval.recording().ledger().answered() > 0) {
                run.stop();
            }
        });
        again.get(0).stop();
        assertThat(failed).as("only in between").anyMatch(count -> count > 0).endsWith(0L);
        assertThat(result.connections().closedByServer()).isBetween(1L, 2L);
    }

    private static Server started(String port) {
        try {
            return Server.createTcpServer("-tcpPort", port, "-ifNotExists").start();
        } catch (SQLException refused) {
            throw new IllegalStateException(refused);
        }
    }

    @Test
    void a_pool_gets_its_connections_back_as_they_were() throws IOException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        AtomicInteger changed = new AtomicInteger();
        DataSource source = wrapped(
                DataSource.class,
                database,
                method -> false,
                connection -> proxy(Connection.class, (proxy, method, all) -> {
                    boolean isChanged = method.getName().equals("close") && !((Connection) connection).getAutoCommit();
                    changed.addAndGet(isChanged ? 1 : 0);
                    return method.invoke(connection, all);
                }));
        RunResult result = Runs.of((Target) Jdbc.of(source).callers(2).sql("select 1; select 2"));
        assertThat(result.ledger()).isEqualTo(ALL_ANSWERED);
        assertThat(changed).hasValue(0);
    }

    /** A data source, like the wrapper of a driver, does not tell what it wraps. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select [Bob's] from t; delete from t; select [Al's] from t",
                "select 1; select 'a /*! b */' /*! c */ as x"
            })
    void a_server_that_reads_a_script_otherwise_gets_none_of_it(String sql) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        UnaryOperator<Object> named = answer -> answer.equals("H2") ? "Microsoft SQL Server" : answer;
        UnaryOperator<Object> described = answer -> answer instanceof DatabaseMetaData
                ? wrapped(DatabaseMetaData.class, answer, method -> false, named)
                : answer;
        DataSource source = wrapped(
                DataSource.class,
                database,
                method -> false,
                connection -> wrapped(Connection.class, connection, method -> false, described));
        assertThatThrownBy(() -> Runs.of((Target) Jdbc.of(source).sql(sql)))
                .isInstanceOf(IOException.class)
                .hasMessage("DataSource: the server reads quotes or comments of this SQL differently from Downbeat:"
                        + " write it without them");
    }

    /** Connections that refuse one of their settings. */
    private static DataSource refusing(String setting, AtomicInteger opened, AtomicInteger closed) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        return wrapped(
                DataSource.class,
                database,
                method -> method.equals("getConnection") && opened.incrementAndGet() < 0,
                connection -> proxy(Connection.class, (proxy, method, all) -> {
                    closed.addAndGet(method.getName().equals("close") ? 1 : 0);
                    if (method.getName().equals(setting)) {
                        throw new SQLException("not now", "08006");
                    }
                    return method.invoke(connection, all);
                }));
    }

    @Test
    void a_connection_that_refuses_its_settings_is_closed() throws IOException {
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        DataSource source = refusing("setAutoCommit", opened, closed);
        RunResult result = Runs.of((Target) Jdbc.of(source).callers(2).sql("select 1; select 2"));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 0, 100, 0, 0, 0, 0, 100));
        assertThat(closed).hasValue(opened.get());
    }

    @Test
    void a_pools_connection_that_refuses_to_be_read_only_is_closed_and_counted_once() {
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        HikariSource.Opening opening =
                new HikariSource.Opening(refusing("setReadOnly", opened, closed), Optional.of(Dialect.OTHER));
        assertThatThrownBy(opening::open).hasMessage("not now");
        assertThat(opened).hasValue(1);
        assertThat(closed).hasValue(1);
        assertThat(opening.opened().sum()).isZero();
        assertThat(opening.failed().sum()).isEqualTo(1);
    }

    /** A driver whose connections are this database's, changed. */
    private record OddDriver(UnaryOperator<Object> change) implements Driver {
        private static final String ODD = "jdbc:odd:test";

        /** The counts of a run with it. */
        static RunResult run(UnaryOperator<Object> change, JdbcOptions options) throws Exception {
            return run(change, "select * from t where id = 1", options, Runs.plan(400, Duration.ofMillis(250)));
        }

        /** The counts of a run of a script with it. */
        static RunResult run(UnaryOperator<Object> change, String sql, JdbcOptions options, RunPlan.Builder plan)
                throws Exception {
            Driver driver = new OddDriver(change);
            DriverManager.registerDriver(driver);
            try {
                return Runs.of(Runs.target(ODD, sql, options), plan);
            } finally {
                DriverManager.deregisterDriver(driver);
            }
        }

        @Override
        public boolean acceptsURL(String url) {
            return url.equals(ODD);
        }

        @Override
        public @Nullable Connection connect(String url, Properties info) throws SQLException {
            return acceptsURL(url) ? (Connection) change.apply(DriverManager.getConnection(URL)) : null;
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    private static Object failing(Object connection, String method, Supplier<Exception> failure) {
        return proxy(Connection.class, (proxy, called, all) -> {
            if (called.getName().equals(method)) {
                throw failure.get();
            }
            return called.invoke(connection, all);
        });
    }

    @Test
    void a_driver_is_rehearsed_once_in_a_JVM_unless_that_failed() throws Exception {
        AtomicInteger rehearsals = new AtomicInteger();
        Driver driver = new OddDriver(connection -> proxy(Connection.class, (proxy, called, all) -> {
            if (called.getName().equals("getMetaData")) { // a server of unknown kind is not rehearsed
                return proxy(DatabaseMetaData.class, (data, asked, none) -> "SQL Server");
            }
            boolean isRehearsal = called.getName().equals("prepareStatement") && all[0].equals("select 1");
            if (isRehearsal && rehearsals.incrementAndGet() == 1) {
                throw new SQLException("not now", "08006");
            }
            return called.invoke(connection, all);
        }));
        List<Integer> after = new ArrayList<>();
        DriverManager.registerDriver(driver);
        try {
            for (int run = 0; run < 3; run++) {
                Runs.of(Runs.target(OddDriver.ODD, "select * from t where id = 1", Runs.options(2)));
                after.add(rehearsals.get());
            }
        } finally {
            DriverManager.deregisterDriver(driver);
        }
        assertThat(after).containsExactly(1, 2, 2);
    }

    /** Such as a server that cannot be read-only, or a driver that does not know how to say so. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_connection_whose_settings_fail_was_opened_and_is_closed_and_did_not_fail(boolean isChecked)
            throws Exception {
        Supplier<Exception> failure =
                () -> isChecked ? new SQLException("not now", "08006") : new UnsupportedOperationException();
        RunResult result =
                OddDriver.run(connection -> failing(connection, "setReadOnly", failure), Runs.noKeepAlive(4));
        assertThat(result.ledger()).isEqualTo(new Ledger(100, 0, 100, 0, 0, 0, 0, 100));
        assertThat(result.connections()).isEqualTo(new ConnectionCounts(100, 0, 0, 0, 0, 100, 0, 0));
        assertThat(count("select count(*) from information_schema.sessions")).isEqualTo(1);
    }

    /** Unless the script creates a table of this name itself. */
    @ParameterizedTest
    @ValueSource(strings = {"extra (id int)", "orders (id int, item int, amount int, place int)"})
    void the_demos_orders_are_there_for_a_script_that_creates_tables(String table) throws IOException {
        String sql = "-- create\ncreate table " + table + ";\n-- name read\nselect count(*) from orders";
        RunResult result = Runs.of(Runs.target("jdbc:demo", sql, with(2, 1_000, 0, true)));
        assertThat(result.ledger().answered()).isEqualTo(100);
    }

    /** Such as SQL Server's. */
    @Test
    void nothing_is_created_in_the_users_schema_by_a_driver_that_sets_none() throws Exception {
        assertThatThrownBy(() -> OddDriver.run(
                        connection -> wrapped(
                                Connection.class,
                                connection,
                                method -> method.equals("setSchema"),
                                UnaryOperator.identity()),
                        "-- create\ncreate table made (id int);\n-- name read\nselect * from made",
                        with(2, 1_000, 0, true),
                        Runs.plan(400, Duration.ofMillis(250))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--create");
        assertThat(count("select count(*) from information_schema.tables where lower(table_name) = 'made'"))
                .isZero();
        assertThat(count("select count(*) from information_schema.schemata where lower(schema_name) like 'downbeat%'"))
                .isZero();
    }

    @Test
    void a_driver_that_breaks_down_while_it_connects_has_failed_to_connect() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        RunResult result = OddDriver.run(
                connection -> {
                    if (asked.getAndIncrement() > 50) {
                        try {
                            ((Connection) connection).close();
                        } catch (SQLException impossible) {
                            throw new AssertionError(impossible);
                        }
                        throw new UnsupportedOperationException();
                    }
                    return connection;
                },
                Runs.noKeepAlive(4));
        assertThat(result.ledger().answered()).isEqualTo(50);
        assertThat(result.connections()).isEqualTo(new ConnectionCounts(50, 0, 50, 0, 0, 50, 0, 0));
    }

    /** Some drivers connect on a thread of their own. */
    @Test
    void a_thread_that_a_driver_cannot_start_is_no_failure_of_the_database() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        RunResult result = OddDriver.run(
                connection -> {
                    if (asked.getAndIncrement() > 50) {
                        throw new OutOfMemoryError("unable to create native thread: possibly out of memory");
                    }
                    return connection;
                },
                Runs.noKeepAlive(4));
        assertThat(result.ledger().answered()).isEqualTo(50);
        assertThat(result.ledger().failed()).isZero();
        assertThat(result.recording().tallies().ownLimits()).containsOnlyKeys(OwnLimit.PROCESSES.reason());
    }

    @Test
    void a_connection_that_is_given_up_because_of_its_driver_was_not_closed_by_the_server() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        RunResult result = OddDriver.run(
                connection -> asked.getAndIncrement() == 0 // which only looks at the database
                        ? connection
                        : failing(connection, "prepareStatement", ClassCastException::new),
                Runs.options(4));
        assertThat(result.recording().tallies().failures()).containsOnlyKeys("ClassCastException");
        assertThat(result.connections().closedByServer()).isZero();
        assertThat(result.connections().closedByUs()).isGreaterThanOrEqualTo(96);
    }

    /** Such as a stack that overflows in the driver's parser: its thread must go on, and the caller must not wait. */
    @Test
    void an_error_of_the_driver_fails_its_request() throws IOException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(URL);
        AtomicInteger executed = new AtomicInteger();
        UnaryOperator<Object> overflows = prepared -> prepared instanceof PreparedStatement
                ? wrapped(
                        PreparedStatement.class,
                        prepared,
                        method -> {
                            if (method.startsWith("execute") && executed.incrementAndGet() % 2 == 0) {
                                throw new StackOverflowError();
                            }
                            return false;
                        },
                        UnaryOperator.identity())
                : prepared;
        DataSource source = wrapped(
                DataSource.class,
                database,
                method -> false,
                connection -> wrapped(Connection.class, connection, method -> false, overflows));
        RunResult result = Runs.of((Target) Jdbc.of(source).callers(2).sql("select * from t where id = 1"));
        assertThat(result.ledger().timedOut()).isZero();
        assertThat(result.ledger().failed()).isBetween(40L, 60L);
        assertThat(result.recording().tallies().failures()).containsOnlyKeys("StackOverflowError");
    }

    @ParameterizedTest
    @ValueSource(strings = {"c3p0", "hikari:maximumPoolSize", "hikari:noSuchThing=1", "hikari:maximumPoolSize=0"})
    void wrong_settings_of_a_pool_are_refused(String pool) {
        assertThatThrownBy(() -> Runs.target(URL, "select 1", Runs.hikari(8, pool)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--pool");
    }

    @ParameterizedTest
    @CsvSource({
        "maxPoolSize, did you mean maximumPoolSize?",
        "MAXIMUMPOOLSIZE, did you mean maximumPoolSize?",
        "timeout, 'the settings are HikariCP''s, such as maximumPoolSize;'",
        "poolSize, 'the settings are HikariCP''s, such as maximumPoolSize;'"
    })
    void only_a_similar_setting_of_a_pool_is_suggested(String name, String hint) {
        assertThatThrownBy(() -> Runs.target(URL, "select 1", Runs.hikari(8, "hikari:" + name + "=5")))
                .hasMessage("--pool: unknown setting '" + name + "'; " + hint
                        + " user, password and driver belong to the URL");
    }
}
