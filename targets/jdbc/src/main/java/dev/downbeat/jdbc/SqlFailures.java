package dev.downbeat.jdbc;

import dev.downbeat.exchange.Outcome;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Kinds of failures: one outcome per SQLSTATE, with the vendor's code where it is more specific. Thread-safe. */
final class SqlFailures {
    static final String CANCELLED = "57014";

    private static final String CANCELLED_IN_MYSQL = "70100";

    private static final int MOST_KINDS = 100;
    private static final Outcome OTHERS = Outcome.failed("other SQL errors");

    private static final Map<String, String> TITLES = Map.ofEntries(
            Map.entry("08000", "connection refused or broken"),
            Map.entry("08001", "cannot connect"),
            Map.entry("08003", "connection is closed"),
            Map.entry("08004", "connection rejected"),
            Map.entry("08006", "connection broken"),
            Map.entry("22P02", "invalid text of a value"),
            Map.entry("23505", "unique violation"),
            Map.entry("25006", "write in a read-only transaction"),
            Map.entry("25P02", "transaction has failed"),
            Map.entry("26000", "no such prepared statement; behind a proxy, add prepareThreshold=0 to the URL"),
            Map.entry("28000", "login refused"),
            Map.entry("28P01", "wrong password"),
            Map.entry("3D000", "no such database"),
            Map.entry("40001", "serialization failure or deadlock"),
            Map.entry("40P01", "deadlock"),
            Map.entry("42P01", "no such table"),
            Map.entry("42P05", "prepared statement of another; behind a proxy, add prepareThreshold=0 to the URL"),
            Map.entry("42S02", "no such table"),
            Map.entry("42501", "permission denied"),
            Map.entry("42601", "syntax error"),
            Map.entry("53300", "too many connections"),
            Map.entry("55P03", "lock not available"),
            Map.entry(CANCELLED, "cancelled"),
            Map.entry(CANCELLED_IN_MYSQL, "cancelled"),
            Map.entry("57P01", "server shuts down"),
            Map.entry("57P02", "server crashed"),
            Map.entry("57P03", "server is not ready"));

    /** States in which the server ends the session. */
    private static final Set<String> FATAL = Set.of("57P01", "57P02", "57P03", "53300");

    private final Map<String, Outcome> kinds = new ConcurrentHashMap<>();

    Outcome of(SQLException thrown) {
        String title = title(thrown);
        Outcome known = kinds.get(title);
        if (known != null) {
            return known;
        }
        return kinds.size() >= MOST_KINDS
                ? OTHERS
                : kinds.computeIfAbsent(
                        title, text -> isBroken(thrown) ? Outcome.failed(text) : Outcome.failedResponse(text));
    }

    static String title(SQLException thrown) {
        String state = state(thrown);
        if (thrown instanceof SQLTransientConnectionException && state.isEmpty()) {
            return "no connection of the pool within its timeout";
        }
        String known = TITLES.get(state);
        String code = thrown.getErrorCode() == 0 ? "" : ", code " + thrown.getErrorCode();
        return state.isEmpty()
                ? thrown.getClass().getSimpleName() + code
                : "SQLSTATE " + state + code + (known == null ? "" : ": " + known);
    }

    /** Whether the connection is unusable. */
    static boolean isBroken(SQLException thrown) {
        String state = state(thrown);
        return state.startsWith("08") || FATAL.contains(state) || state.isEmpty();
    }

    static boolean isCancelled(SQLException thrown) {
        String state = state(thrown);
        return state.equals(CANCELLED) || state.equals(CANCELLED_IN_MYSQL);
    }

    /** The SQLSTATE of the first exception that has one. */
    static String state(SQLException thrown) {
        Throwable one = thrown;
        for (int depth = 0; one != null && depth < 5; depth++, one = one.getCause()) {
            if (one instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "";
    }

    /** One line for readers, without the secrets in a URL. */
    static String line(SQLException thrown) {
        String message = String.valueOf(thrown.getMessage()).strip();
        int end = message.indexOf('\n');
        String first = end < 0 ? message : message.substring(0, end).strip();
        String state = state(thrown);
        return first + (state.isEmpty() ? "" : " (SQLSTATE " + state + ")");
    }
}
