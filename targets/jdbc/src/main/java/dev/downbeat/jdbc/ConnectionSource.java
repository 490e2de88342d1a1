package dev.downbeat.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;

/** Where connections come from. Thread-safe. */
interface ConnectionSource extends AutoCloseable {
    Connection open() throws SQLException;

    /** Whether it lends connections, so that to get one is a wait and to close it gives it back. */
    default boolean isPool() {
        return false;
    }

    @Override
    default void close() {}

    /**
     * New connections of a driver.
     *
     * @param schema where statements look for tables; empty if that is the server's business
     */
    record OfDriver(JdbcUrl url, Properties properties, String schema) implements ConnectionSource {
        /** The same with another schema. */
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
                    connection.setSchema(schema);
                }
            }
            return connection;
        }
    }

    /** Somebody's own, who closes it. */
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
