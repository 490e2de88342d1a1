package dev.downbeat.jdbc;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.exchange.Redaction;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Kinds of failures: one outcome per SQLSTATE, with the vendor's code where it is more specific. Thread-safe. */
final class SqlFailures {
    static final String CANCELLED = "57014";

    /** Of a proxy, or of a server to a message that does not fit its statement. */
    static final String BY_PROXY = "08P01";

    private static final String CANCELLED_IN_MYSQL = "70100";
    private static final String CANCELLED_IN_SQL_SERVER = "HY008";
    private static final String CANCELLED_IN_ORACLE = "72000/1013";
    private static final String KILLED_IN_MARIADB = CANCELLED_IN_MYSQL + "/1927";

    /** H2 shows the statement on the lines that follow. */
    private static final String BEFORE_STATEMENT = "; SQL statement:";

    private static final int MOST_KINDS = 100;
    private static final Outcome OTHERS = Outcome.failed("other SQL errors");

    private static final String ADDRESS = "check host, port and TLS in the URL";
    private static final int MOST_CAUSES = 10;
    private static final String PASSWORD = " in the URL; PostgreSQL's password may be in $PGPASSFILE or ~/.pgpass";
    private static final String LOGIN = "check user and password" + PASSWORD;
    private static final String LOGIN_OR_TLS = "check user, password and TLS" + PASSWORD;
    private static final String GRANT = "grant it to the user";
    private static final String DATABASE = "check the database's name in the URL";
    private static final String TABLE = "create it, or check database and schema in the URL";
    private static final String FEWER = "use fewer connections (-c)";
    private static final String UNPREPARED = "behind a proxy, add prepareThreshold=0 to the URL";
    private static final String STATEMENT = "correct the statement";

    /** The meaning of a state, and the remedy if it prevents the measurement. */
    private record Meaning(String title, String remedy, boolean namesUser) {
        Meaning(String title) {
            this(title, "");
        }

        Meaning(String title, String remedy) {
            this(title, remedy, false);
        }

        /** For states whose server message names the user. */
        static Meaning ofUser(String title, String remedy) {
            return new Meaning(title, remedy, true);
        }
    }

    /** By SQLSTATE, and the vendor's code where one state has several meanings. */
    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            Map.entry("08000", new Meaning("connection refused or broken", ADDRESS)),
            Map.entry("08001", new Meaning("cannot connect", ADDRESS)),
            Map.entry("08003", new Meaning("connection is closed", ADDRESS)),
            Map.entry("08004", new Meaning("connection rejected", LOGIN_OR_TLS)),
            Map.entry("08004/1040", new Meaning("too many connections", FEWER)),
            Map.entry("08006", new Meaning("connection broken", ADDRESS)),
            Map.entry(BY_PROXY, new Meaning("refused by a proxy, or a protocol error")),
            Map.entry("22P02", new Meaning("invalid input syntax")),
            Map.entry("23505", new Meaning("unique violation")),
            Map.entry("25006", new Meaning("write in a read-only transaction")),
            Map.entry("25P02", new Meaning("transaction has failed")),
            Map.entry("25P03", new Meaning("ended by idle_in_transaction_session_timeout")),
            Map.entry("25P04", new Meaning("ended by transaction_timeout")),
            Map.entry("26000", new Meaning("no such prepared statement; " + UNPREPARED, UNPREPARED)),
            Map.entry("28000", Meaning.ofUser("login refused", LOGIN_OR_TLS)),
            Map.entry("28000/1045", Meaning.ofUser("login refused", "check user, password and TLS in the URL")),
            Map.entry("28P01", Meaning.ofUser("wrong password", LOGIN)),
            Map.entry("3D000", new Meaning("no such database", DATABASE)),
            Map.entry("40001", new Meaning("serialization failure or deadlock")),
            Map.entry("40P01", new Meaning("deadlock")),
            Map.entry("42000/1044", Meaning.ofUser("no access to the database", GRANT)),
            Map.entry("42000/1049", new Meaning("no such database", DATABASE)),
            Map.entry("42000/1064", new Meaning("syntax error", STATEMENT)),
            Map.entry("42000/42000", new Meaning("syntax error", STATEMENT)),
            Map.entry("42001", new Meaning("syntax error", STATEMENT)),
            Map.entry("42P01", new Meaning("no such table", TABLE)),
            Map.entry(
                    "42P05",
                    new Meaning("prepared statement already exists on this session; " + UNPREPARED, UNPREPARED)),
            Map.entry("42S02", new Meaning("no such table", TABLE)),
            Map.entry("42501", new Meaning("permission denied", GRANT)),
            Map.entry("42703", new Meaning("no such column", STATEMENT)),
            Map.entry("42S22", new Meaning("no such column", STATEMENT)),
            Map.entry("42601", new Meaning("syntax error", STATEMENT)),
            Map.entry("53300", new Meaning("too many connections", FEWER)),
            Map.entry("55P03", new Meaning("lock not available")),
            Map.entry(CANCELLED, new Meaning("cancelled")),
            Map.entry(CANCELLED_IN_MYSQL, new Meaning("cancelled")),
            Map.entry(CANCELLED_IN_SQL_SERVER, new Meaning("cancelled")),
            Map.entry(CANCELLED_IN_ORACLE, new Meaning("cancelled")),
            Map.entry(KILLED_IN_MARIADB, new Meaning("connection was killed")),
            Map.entry("57P01", new Meaning("server shuts down", "start it")),
            Map.entry("57P02", new Meaning("server crashed", "start it")),
            Map.entry("57P03", new Meaning("server is not ready", "wait until it has started")),
            Map.entry("57P04", new Meaning("database was dropped", DATABASE)),
            Map.entry("57P05", new Meaning("ended by idle_session_timeout")),
            Map.entry("HY000/1205", new Meaning("lock wait timeout")),
            Map.entry("HYT00/50200", new Meaning("lock wait timeout")));

    /** States in which the server ends the session. */
    private static final Set<String> FATAL =
            Set.of("25P03", "25P04", "53300", "57P01", "57P02", "57P03", "57P04", "57P05");

    private final Map<String, Outcome> kinds = new ConcurrentHashMap<>();

    /** The failure to open a connection, possibly by a limit of this process. */
    Outcome ofConnecting(SQLException thrown) {
        return OwnLimit.of(thrown).map(OwnLimit::outcome).orElseGet(() -> of(thrown));
    }

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
            return "timed out waiting for a pool connection";
        }
        Meaning known = meaning(thrown);
        String code = thrown.getErrorCode() == 0 ? "" : ", code " + thrown.getErrorCode();
        return state.isEmpty()
                ? thrown.getClass().getSimpleName() + code
                : "SQLSTATE " + state + code + (known == null ? "" : ": " + known.title());
    }

    private static @Nullable Meaning meaning(SQLException thrown) {
        String state = state(thrown);
        Meaning found = null;
        Throwable one = thrown; // a pool's exception has the state of its cause, and no code
        for (int depth = 0; one != null && found == null && depth < MOST_CAUSES; depth++, one = one.getCause()) {
            found = one instanceof SQLException sql ? MEANINGS.get(state + "/" + sql.getErrorCode()) : null;
        }
        return found == null ? MEANINGS.get(state) : found;
    }

    /** Why nothing can be measured: one line that names the remedy, without secrets. */
    static String refusal(SQLException thrown) {
        Optional<OwnLimit> limit = OwnLimit.of(thrown);
        if (limit.isPresent()) {
            return limit.get().reason();
        }
        Throwable cause = innermost(thrown);
        if (cause instanceof UnknownHostException) {
            return "its host has no address: check it in the URL";
        }
        if (cause instanceof SocketTimeoutException) {
            return "no answer in time: check host and port in the URL, or allow more time to connect (--connect-timeout)";
        }
        if (cause instanceof ConnectException) {
            return cause.getMessage() + ": start the server, or check host and port in the URL";
        }
        Meaning known = meaning(thrown);
        if (known == null) {
            return line(thrown);
        }
        String what = known.namesUser() ? known.title() + " (SQLSTATE " + state(thrown) + ")" : line(thrown);
        return what + (known.remedy().isEmpty() ? "" : ": " + known.remedy());
    }

    /** Whether the connection is unusable. */
    static boolean isBroken(SQLException thrown) {
        String state = state(thrown);
        return state.startsWith("08")
                || FATAL.contains(state)
                || state.isEmpty()
                || withCode(thrown).equals(KILLED_IN_MARIADB)
                // such as H2's and Oracle's, which have states of their own
                || Stream.<Throwable>iterate(thrown, Objects::nonNull, Throwable::getCause)
                        .limit(MOST_CAUSES)
                        .anyMatch(one -> one instanceof SQLNonTransientConnectionException
                                || one instanceof SQLRecoverableException);
    }

    static boolean isCancelled(SQLException thrown) {
        String state = state(thrown);
        String withCode = withCode(thrown);
        return state.equals(CANCELLED)
                || state.equals(CANCELLED_IN_MYSQL) && !withCode.equals(KILLED_IN_MARIADB)
                || state.equals(CANCELLED_IN_SQL_SERVER)
                || withCode.equals(CANCELLED_IN_ORACLE);
    }

    private static String withCode(SQLException thrown) {
        return state(thrown) + "/" + thrown.getErrorCode();
    }

    /** The SQLSTATE of the first exception that has one. */
    static String state(SQLException thrown) {
        Throwable one = thrown;
        for (int depth = 0; one != null && depth < MOST_CAUSES; depth++, one = one.getCause()) {
            if (one instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "";
    }

    /** The innermost cause; causes of a foreign driver may form a circle. */
    static Throwable innermost(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause.getCause() != null && depth < MOST_CAUSES; depth++) {
            cause = cause.getCause();
        }
        return cause;
    }

    static String line(SQLException thrown) {
        String message = String.valueOf(thrown.getMessage()).strip();
        int end = message.indexOf('\n');
        String first = end < 0 ? message : message.substring(0, end).strip();
        first = first.endsWith(BEFORE_STATEMENT)
                ? first.substring(0, first.length() - BEFORE_STATEMENT.length())
                : first;
        String state = state(thrown);
        return Redaction.line(first) + (state.isEmpty() ? "" : " (SQLSTATE " + state + ")");
    }
}
