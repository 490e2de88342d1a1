package dev.downbeat.jdbc;

import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.postgresql.PGStatement;
import org.postgresql.util.PGobject;

/** The differences between database servers. */
enum Dialect {
    POSTGRESQL(
            // without pg_monitor, the kind of other users' sessions is null
            List.of(
                    "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
                            + " - count(*) + 1 from pg_stat_activity where backend_type = 'client backend'"
                            + " or backend_type is null and datid is not null and usesysid is not null"),
            "select client_port from pg_stat_activity where pid = pg_backend_pid()",
            """
            select pg_backend_pid(), array_to_string(array(
                select 'setting ' || name from pg_settings where source = 'session' and name not in
                    ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'extra_float_digits',
                     'standard_conforming_strings', 'IntervalStyle')
                union all select 'temporary table ' || relname from pg_class
                    where relnamespace = pg_my_temp_schema() and relkind = 'r'
                union all select 'prepared statement ' || name from pg_prepared_statements where from_sql
                union all select 'channel ' || pg_listening_channels()
                union all select 'advisory lock' from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()), ',')""",
            "set session characteristics as transaction read only"),
    MARIADB(
            // without PROCESS, the list has a user's own sessions only; the first table is MariaDB's, the second
            // MySQL's
            List.of(
                    "select @@max_connections - variable_value + 1 from information_schema.global_status"
                            + " where variable_name = 'threads_connected'",
                    "select @@max_connections - variable_value + 1 from performance_schema.global_status"
                            + " where variable_name = 'threads_connected'"),
            "select substring_index(host, ':', -1) from information_schema.processlist where id = connection_id()",
            "select connection_id(), ''",
            "set session transaction read only"),
    TRANSACT_SQL(List.of(), "", "", ""),
    OTHER(List.of(), "", "", "");

    private static final Map<String, Dialect> KINDS = Map.of(
            "postgresql", POSTGRESQL,
            "mariadb", MARIADB,
            "mysql", MARIADB,
            "sqlserver", TRANSACT_SQL,
            "jtds", TRANSACT_SQL,
            "sybase", TRANSACT_SQL);

    private static final Pattern NAMES = Pattern.compile("([\\w+-]+:)*");

    private static final String NUMBER = "bigint";
    private static final String TEXT = "varchar";
    private static final Pattern WHOLE = Pattern.compile("\\d{1,18}");

    private final List<String> free;
    private final String port;
    private final String probe;
    private final String readOnly;

    Dialect(List<String> free, String port, String probe, String readOnly) {
        this.free = free;
        this.port = port;
        this.probe = probe;
        this.readOnly = readOnly;
    }

    /** The dialect that a URL names, also behind the names of drivers that wrap another. */
    static Dialect of(String url) {
        Matcher words = NAMES.matcher(url.toLowerCase(Locale.ROOT));
        words.lookingAt();
        return Stream.of(words.group().split("[:+]"))
                .filter(KINDS::containsKey)
                .map(KINDS::get)
                .findFirst()
                .orElse(OTHER);
    }

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        if (product.contains("postgresql")) {
            return POSTGRESQL;
        }
        if (product.contains("mariadb") || product.contains("mysql")) {
            return MARIADB;
        }
        return product.contains("sql server") || product.contains("adaptive server") ? TRANSACT_SQL : OTHER;
    }

    /** Makes the server refuse writes of a new session, since not every driver passes its own setting on. */
    void refuseWrites(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        if (!readOnly.isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(readOnly);
            }
        }
    }

    /** The server's free connections, excluding this one. */
    OptionalLong freeConnections(Connection connection) {
        return free.stream()
                .map(sql -> number(connection, sql))
                .filter(OptionalLong::isPresent)
                .findFirst()
                .orElse(OptionalLong.empty());
    }

    private static OptionalLong number(Connection connection, String sql) {
        if (sql.isEmpty()) {
            return OptionalLong.empty();
        }
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? OptionalLong.of(result.getLong(1)) : OptionalLong.empty();
        } catch (SQLException notAllowed) {
            return OptionalLong.empty();
        }
    }

    /** The client's port as the server sees it; empty if unknown. */
    OptionalLong clientPort(Connection connection) {
        return number(connection, port);
    }

    /** The server session that a connection has now; empty if unknown. */
    Optional<ServerSession> probe(Connection connection) throws SQLException {
        if (probe.isEmpty()) {
            return Optional.empty();
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(probe)) {
            if (!row.next()) {
                return Optional.empty();
            }
            String state = row.getString(2);
            return Optional.of(new ServerSession(
                    row.getString(1), state == null || state.isEmpty() ? List.of() : List.of(state.split(","))));
        }
    }

    /**
     * The type names of a statement's parameters, used to bind values. PostgreSQL's driver asks the server before each
     * execution with a value of unknown type. MariaDB and MySQL need a number as a limit. Empty where drivers do not need
     * the names.
     */
    List<String> types(PreparedStatement prepared, int parameters, Set<Integer> limits) throws SQLException {
        List<String> types = new ArrayList<>();
        if (this == POSTGRESQL && parameters > 0 && prepared.isWrapperFor(PGStatement.class)) {
            ParameterMetaData server = prepared.getParameterMetaData();
            for (int i = 1; i <= parameters; i++) {
                types.add(server.getParameterTypeName(i));
            }
        } else if (this == MARIADB && !limits.isEmpty()) {
            for (int i = 1; i <= parameters; i++) {
                types.add(limits.contains(i) ? NUMBER : TEXT);
            }
        }
        return types;
    }

    /**
     * Binds a value. PostgreSQL converts a text to the column's type and reports an error if it cannot; other drivers
     * convert it themselves.
     */
    void bind(PreparedStatement statement, int place, Object value, List<String> types) throws SQLException {
        if (this == POSTGRESQL && value instanceof String text) {
            bindTyped(statement, place, text, types);
        } else if (!types.isEmpty()
                && types.get(place - 1).equals(NUMBER)
                && value instanceof String text
                && WHOLE.matcher(text).matches()) {
            statement.setLong(place, Long.parseLong(text));
        } else {
            statement.setObject(place, value);
        }
    }

    private static void bindTyped(PreparedStatement statement, int place, String text, List<String> types)
            throws SQLException {
        if (types.isEmpty()) {
            statement.setObject(place, text, Types.OTHER);
            return;
        }
        PGobject typed = new PGobject();
        typed.setType(types.get(place - 1));
        typed.setValue(text);
        statement.setObject(place, typed, Types.OTHER);
    }

    /**
     * The server session that a connection had at a time.
     *
     * @param name the server's name for it
     * @param state state that statements left on it, in the server's words
     */
    record ServerSession(String name, List<String> state) {}
}
