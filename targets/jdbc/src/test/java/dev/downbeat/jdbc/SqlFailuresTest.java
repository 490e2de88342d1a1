package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What drivers throw, and the line that is printed of it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SqlFailuresTest {
    @Test
    void a_missing_permission_is_reported_with_its_purpose() {
        assertThat(SqlFailures.refusal(new SQLException("ERROR: permission denied for schema private", "42501")))
                .isEqualTo("ERROR: permission denied for schema private (SQLSTATE 42501): grant it to the user");
    }

    @Test
    void a_refused_login_hides_the_user_and_mentions_tls() {
        assertThat(SqlFailures.refusal(new SQLException(
                        "FATAL: no pg_hba.conf entry for host \"10.0.0.7\", user \"root\", no encryption", "28000")))
                .startsWith("login refused (SQLSTATE 28000): check user, password and TLS in the URL")
                .doesNotContain("root");
    }

    @Test
    void the_exception_of_a_pool_means_what_its_cause_means() {
        SQLException full = new SQLException("Too many connections", "08004", 1040);
        SQLException pool = new SQLTransientConnectionException("pool: not available", "08004", 0, full);
        assertThat(SqlFailures.refusal(pool)).endsWith("use fewer connections (-c)");
        assertThat(SqlFailures.title(pool)).contains("too many connections");
    }

    @Test
    void a_session_that_the_server_ends_is_broken_at_once() {
        assertThat(SqlFailures.isBroken(new SQLException("FATAL: terminating connection", "57P05")))
                .isTrue();
        assertThat(SqlFailures.title(new SQLException("FATAL: query_wait_timeout", "08P01")))
                .isEqualTo("SQLSTATE 08P01: refused by a proxy, or a protocol error");
    }

    @Test
    void causes_that_form_a_circle_end() {
        SQLException one = new SQLException("one", "XX000");
        SQLException two = new SQLException("two", "XX000", one);
        one.initCause(two);
        assertThat(SqlFailures.refusal(one)).contains("one");
    }
}
