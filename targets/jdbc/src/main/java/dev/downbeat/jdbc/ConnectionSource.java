package dev.downbeat.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import javax.sql.DataSource;

/** A source of connections. Thread-safe. */
interface ConnectionSource extends AutoCloseable {
    Connection open() throws SQLException;

    /** Whether it is a pool: obtaining a connection may wait, and closing one returns it. */
    default boolean isPool() {
        return false;
    }

    @Override
    default void close() {}

    /**
     * New connections of a driver.
     *
     * @param schema schema in which statements look for tables; empty for the server's default
     */
    record OfDriver(JdbcUrl url, Properties properties, String schema) implements ConnectionSource {
        /** The same source with another schema. */
        OfDriver in(String name) {
            return new OfDriver(url, properties, name);
        }

        @Override
        public Connection open() throws SQLException {
            Connection connection = url.driver().connect(url.url(), (Properties) properties.clone());
            if (connection == null) {
                throw new SQLException("the driver does not know this URL", "08001");
            }
            if (!schema.isEmpty()) {
                if (url.isMariadb()) {
                    connection.setCatalog(schema);
                } else {
                    boolean isUpper = connection.getMetaData().storesUpperCaseIdentifiers();
                    connection.setSchema(isUpper ? schema.toUpperCase(Locale.ROOT) : schema);
                }
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
}
