package dev.downbeat.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The database of {@code jdbc:demo}: in this process, with a thousand orders. */
final class DemoDatabase {
    static final String URL = "jdbc:h2:mem:downbeat-demo;DB_CLOSE_DELAY=-1";

    private DemoDatabase() {}

    /** Creates the table, unless it exists. */
    static void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists orders (id int primary key, item varchar(20), amount int)");
            statement.execute("merge into orders key (id) select x, 'item ' || mod(x, 97), mod(x, 13) + 1"
                    + " from system_range(1, 1000)");
        }
    }
}
