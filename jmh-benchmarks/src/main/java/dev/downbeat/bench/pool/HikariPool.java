package dev.downbeat.bench.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** HikariCP with a pool of so many connections to a database, which may be a loopback service. Thread-safe. */
final class HikariPool {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HikariDataSource pool;
    private final Query query;

    /** What is asked of a connection. */
    @FunctionalInterface
    interface Query {
        /** Waits for the answer. */
        void ask(Connection connection) throws Exception;
    }

    /**
     * Opens the pool.
     *
     * @param config with the database
     * @param warm whether it holds all its connections from the beginning ({@code minimumIdle} equal to the maximum, which
     *     is Hikari's advice), or opens them when they are needed ({@code minimumIdle} 1)
     */
    private HikariPool(HikariConfig config, Query query, int connections, boolean warm) {
        this.query = query;
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(warm ? connections : 1);
        config.setConnectionTimeout(PATIENCE.toMillis());
        pool = new HikariDataSource(config);
        if (warm) {
            awaitAll(connections);
        }
    }

    /** Over connections to a loopback service that take 30 to 60 ms to make. */
    static HikariPool loopback(URI service, int connections, boolean warm) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(new LoopbackDataSource(service));
        return new HikariPool(
                config,
                connection ->
                        connection.unwrap(LoopbackDataSource.Session.class).query(),
                connections,
                warm);
    }

    /** Over connections to PostgreSQL, which takes as long for each query as the loopback service does. */
    static HikariPool postgres(String jdbcUrl, int connections, boolean warm) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        return new HikariPool(config, HikariPool::sleep, connections, warm);
    }

    /** Exponential, 10 ms on average; the server draws it. */
    private static void sleep(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_sleep(-ln(1 - random()) * 0.010)")) {
            statement.execute();
        }
    }

    private void awaitAll(int connections) {
        long untilAt = System.nanoTime() + PATIENCE.toNanos();
        while (pool.getHikariPoolMXBean().getTotalConnections() < connections) {
            if (System.nanoTime() - untilAt > 0) {
                throw new IllegalStateException("the pool did not fill");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    long call() throws Exception {
        long beganAt = System.nanoTime();
        try (Connection connection = pool.getConnection()) {
            long waitedNanos = System.nanoTime() - beganAt;
            query.ask(connection);
            return waitedNanos;
        }
    }

    void close() {
        pool.close();
    }
}
