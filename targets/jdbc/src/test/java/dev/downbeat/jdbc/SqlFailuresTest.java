package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Outcome;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
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
    void a_name_that_another_client_of_a_proxy_uses_is_refused_with_a_remedy() {
        assertThat(SqlFailures.refusal(new SQLException("ERROR: prepared statement \"S_2\" already exists", "42P05")))
                .isEqualTo("ERROR: prepared statement \"S_2\" already exists (SQLSTATE 42P05): behind a proxy, add"
                        + " prepareThreshold=0 to the URL");
    }

    @Test
    void a_message_that_the_statement_follows_ends_before_it() {
        String text = "Table \"X\" not found; SQL statement:\ninsert into x values (1) [42102-240]";
        assertThat(SqlFailures.refusal(new SQLException(text, "42S02")))
                .startsWith("Table \"X\" not found (SQLSTATE 42S02): create it");
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

    @Test
    void an_address_that_does_not_answer_is_named_with_what_to_check() {
        assertThat(SqlFailures.refusal(new SQLException("x", "08001", new UnknownHostException("h"))))
                .isEqualTo("its host has no address: check it in the URL");
        assertThat(SqlFailures.refusal(new SQLException("x", "08001", new SocketTimeoutException("late"))))
                .startsWith("no answer in time: check host and port in the URL");
        assertThat(SqlFailures.refusal(new SQLException("x", "08001", new SocketException("Too many open files"))))
                .isEqualTo("too many open files (see ulimit -n)");
        assertThat(SqlFailures.refusal(new SQLException("x", "08001", new ConnectException("Connection refused"))))
                .isEqualTo("Connection refused: start the server, or check host and port in the URL");
    }

    @Test
    void what_is_unknown_is_told_in_the_first_line_of_the_drivers_words() {
        assertThat(SqlFailures.refusal(new SQLException(" first \n second", "99999")))
                .isEqualTo("first (SQLSTATE 99999)");
        assertThat(SqlFailures.refusal(new SQLException("only"))).isEqualTo("only");
        assertThat(SqlFailures.refusal(new SQLException("key twice", "23505"))).isEqualTo("key twice (SQLSTATE 23505)");
    }

    @Test
    void a_failure_is_counted_by_its_state_and_the_vendors_code() {
        assertThat(SqlFailures.title(new SQLException("x", "23505"))).isEqualTo("SQLSTATE 23505: unique violation");
        assertThat(SqlFailures.title(new SQLException("x", "42000", 1064)))
                .isEqualTo("SQLSTATE 42000, code 1064: syntax error");
        assertThat(SqlFailures.title(new SQLException("x", "99999"))).isEqualTo("SQLSTATE 99999");
        assertThat(SqlFailures.title(new SQLException("x", null, 7))).isEqualTo("SQLException, code 7");
        assertThat(SqlFailures.title(new SQLTransientConnectionException("late")))
                .isEqualTo("timed out waiting for a pool connection");
        assertThat(SqlFailures.title(new SQLException("x", new SQLException("y", "40P01"))))
                .as("of the first cause that has a state")
                .isEqualTo("SQLSTATE 40P01: deadlock");
    }

    @Test
    void a_cause_is_looked_for_ten_levels_deep() {
        SQLException nine = new SQLException("deep", "40P01");
        for (int depth = 0; depth < 9; depth++) {
            nine = new SQLException("x", nine);
        }
        assertThat(SqlFailures.state(nine)).isEqualTo("40P01");
        assertThat(SqlFailures.state(new SQLException("x", nine))).isEmpty();
        assertThat(SqlFailures.innermost(new SQLException("x", nine))).hasMessage("deep");
    }

    @Test
    void a_connection_is_broken_by_its_end_and_not_by_a_statements() {
        for (String state : new String[] {"08006", "08P01", "25P03", "53300", "57P01", "57P05"}) {
            assertThat(SqlFailures.isBroken(new SQLException("x", state)))
                    .as(state)
                    .isTrue();
        }
        assertThat(SqlFailures.isBroken(new SQLException("x"))).isTrue();
        for (String state : new String[] {"23505", "57014", "25006", "80000"}) {
            assertThat(SqlFailures.isBroken(new SQLException("x", state)))
                    .as(state)
                    .isFalse();
        }
        assertThat(SqlFailures.isCancelled(new SQLException("x", "57014"))).isTrue();
        assertThat(SqlFailures.isCancelled(new SQLException("x", "70100"))).isTrue();
        assertThat(SqlFailures.isCancelled(new SQLException("x", "57P01"))).isFalse();
    }

    @Test
    void a_connection_is_broken_by_what_its_driver_calls_it_whatever_the_state() {
        SQLException h2 = new SQLNonTransientConnectionException("Connection is broken", "90067", 90067);
        SQLException oracle = new SQLRecoverableException("ORA-02399: exceeded maximum connect time", "61000", 2399);
        assertThat(SqlFailures.isBroken(h2)).isTrue();
        assertThat(SqlFailures.isBroken(oracle)).isTrue();
        assertThat(SqlFailures.isBroken(new SQLException("of a wrapper", "99999", h2)))
                .isTrue();
    }

    @Test
    void a_connection_that_mariadb_kills_is_broken_and_not_cancelled() {
        SQLException killed = new SQLException("Connection was killed", "70100", 1927);
        assertThat(SqlFailures.isBroken(killed)).isTrue();
        assertThat(SqlFailures.isCancelled(killed)).isFalse();
        assertThat(SqlFailures.title(killed)).isEqualTo("SQLSTATE 70100, code 1927: connection was killed");
        SQLException interrupted = new SQLException("Query execution was interrupted", "70100", 1317);
        assertThat(SqlFailures.isBroken(interrupted)).isFalse();
        assertThat(SqlFailures.isCancelled(interrupted)).isTrue();
    }

    @Test
    void sql_server_and_oracle_say_cancelled_in_their_own_ways() {
        SQLException oracle = new SQLException("ORA-01013: user requested cancel", "72000", 1013);
        assertThat(SqlFailures.isCancelled(new SQLException("The query was canceled.", "HY008")))
                .isTrue();
        assertThat(SqlFailures.isCancelled(oracle)).isTrue();
        assertThat(SqlFailures.title(oracle)).isEqualTo("SQLSTATE 72000, code 1013: cancelled");
        assertThat(SqlFailures.isCancelled(new SQLException("ORA-00028: killed", "72000", 28)))
                .isFalse();
    }

    @Test
    void a_hundred_kinds_are_counted_apart_and_others_together() {
        SqlFailures failures = new SqlFailures();
        for (int i = 0; i < 100; i++) {
            assertThat(failures.of(new SQLException("x", "9" + (1_000 + i))).reason())
                    .isEqualTo("SQLSTATE 9" + (1_000 + i));
        }
        assertThat(failures.of(new SQLException("x", "91100")).reason()).isEqualTo("other SQL errors");
        Outcome known = failures.of(new SQLException("x", "91099"));
        assertThat(known.isResponse()).as("the server has answered").isTrue();
        assertThat(failures.of(new SQLException("y", "91099"))).isSameAs(known);
        assertThat(new SqlFailures().of(new SQLException("x", "08006")).isResponse())
                .isFalse();
    }
}
