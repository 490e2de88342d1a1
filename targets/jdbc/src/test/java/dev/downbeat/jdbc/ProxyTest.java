package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.testing.EndToEnd;
import java.nio.file.Path;
import java.time.Duration;
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

    @Test
    void a_setting_that_stays_for_the_next_user_is_named_with_its_statement() throws Exception {
        try (PgBouncer bouncer = PgBouncer.start(folder, server, "transaction")) {
            assertThat(run(bouncer.url(), "set work_mem = '5MB'; select 1").proxy())
                    .contains("proxy: state left on shared sessions: setting work_mem ('set work_mem = '5MB'')");
        }
    }
}
