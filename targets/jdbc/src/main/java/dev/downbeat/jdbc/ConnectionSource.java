package dev.downbeat.jdbc;

import dev.downbeat.exchange.ConnectionCounts;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A source of connections. Thread-safe. */
interface ConnectionSource extends AutoCloseable {
    Connection open() throws SQLException;

    /** Whether it is a pool: obtaining a connection may wait, and closing one returns it. */
    default boolean isPool() {
        return false;
    }

    /** The pool's own connections, given how many came back broken; none if unknown. */
    default ConnectionCounts pooled(long broken) {
        return ConnectionCounts.NONE;
    }

    @Override
    default void close() {}

    /** New connections of a driver, with a schema for unqualified names; empty for the server's default. */
    record OfDriver(JdbcUrl url, Properties properties, String schema) implements ConnectionSource {
        OfDriver in(String name) {
            return new OfDriver(url, properties, name);
        }

        @Override
        public Connection open() throws SQLException {
            Connection connection = url.driver().connect(url.url(), (Properties) properties.clone());
            if (connection == null) {
                throw new SQLException("the driver does not know this URL", "08001");
            }
            try {
                if (!schema.isEmpty() && url.isMariadb()) {
                    connection.setCatalog(schema);
                } else if (!schema.isEmpty()) {
                    boolean isUpper = connection.getMetaData().storesUpperCaseIdentifiers();
                    connection.setSchema(isUpper ? schema.toUpperCase(Locale.ROOT) : schema);
                }
            } catch (SQLException refused) {
                connection.close();
                throw refused;
            }
            return connection;
        }
    }

    /** A data source of the caller, who closes it. */
    record OfDataSource(DataSource dataSource) implements ConnectionSource {
        @Override
        public Connection open() throws SQLException {
            return dataSource.getConnection();
        }

        @Override
        public boolean isPool() {
            return true;
        }
    }

    /** A driver as the data source that pools require. */
    record DriverDataSource(ConnectionSource source) implements DataSource {
        @Override
        public Connection getConnection() throws SQLException {
            return source.open();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            throw new SQLFeatureNotSupportedException("user and password are in the URL");
        }

        @Override
        public @Nullable PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(@Nullable PrintWriter out) {}

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException();
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("wraps nothing");
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }
}
