package dev.downbeat.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Locale;
import java.util.OptionalLong;

/** What differs between servers. */
enum Dialect {
    POSTGRESQL("select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
            + " - count(*) + 1 from pg_stat_activity where backend_type = 'client backend'"),
    MARIADB("select @@max_connections - count(*) + 1 from information_schema.processlist"),
    OTHER("");

    private final String free;

    Dialect(String free) {
        this.free = free;
    }

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        if (product.contains("postgresql")) {
            return POSTGRESQL;
        }
        return product.contains("mariadb") || product.contains("mysql") ? MARIADB : OTHER;
    }

    /** How many connections the server has free, if this one is not counted. */
    OptionalLong freeConnections(Connection connection) {
        if (free.isEmpty()) {
            return OptionalLong.empty();
        }
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(free)) {
            return result.next() ? OptionalLong.of(result.getLong(1)) : OptionalLong.empty();
        } catch (SQLException notAllowed) {
            return OptionalLong.empty();
        }
    }

    /** A text without a type lets PostgreSQL choose that of the column; other servers convert texts. */
    void bind(PreparedStatement statement, int place, Object value) throws SQLException {
        if (this == POSTGRESQL && value instanceof String) {
            statement.setObject(place, value, Types.OTHER);
        } else {
            statement.setObject(place, value);
        }
    }
}
