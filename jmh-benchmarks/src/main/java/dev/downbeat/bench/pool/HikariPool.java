package dev.downbeat.bench.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** HikariCP with a pool of so many connections to a database that is a loopback service. Thread-safe. */
final class HikariPool {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HikariDataSource pool;

    /**
     * Opens the pool.
     *
     * @param warm whether it holds all its connections from the beginning ({@code minimumIdle} equal to the maximum, which
     *     is Hikari's advice), or opens them when they are needed ({@code minimumIdle} 1)
     */
    HikariPool(URI service, int connections, boolean warm) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(new LoopbackDataSource(service));
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(warm ? connections : 1);
        config.setConnectionTimeout(PATIENCE.toMillis());
        pool = new HikariDataSource(config);
        if (warm) {
            awaitAll(connections);
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
            connection.unwrap(LoopbackDataSource.Session.class).query();
            return waitedNanos;
        }
    }

    void close() {
        pool.close();
    }
}
