package dev.downbeat.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a database is used. Immutable.
 *
 * @param connections how many requests run at the same time, each on a thread and a connection of its own; with a pool, how
 *     many callers it has
 * @param keepAlive whether a connection is kept for the next request
 * @param maxRequests after how many requests a connection is replaced
 * @param writes whether statements may change something
 * @param expect how many rows each statement must return or change
 * @param driverJars where to look for a driver first
 * @param pool settings of HikariCP, as {@code name=value,...}, if it is to be the pool
 * @param connectTimeout for a new connection, login included
 */
public record JdbcOptions(
        int connections,
        boolean keepAlive,
        long maxRequests,
        boolean writes,
        Optional<RowsExpected> expect,
        List<Path> driverJars,
        Optional<String> pool,
        Duration connectTimeout) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Ten connections, kept, that only read. */
    public static final JdbcOptions USUAL = new JdbcOptions(
            10, true, Long.MAX_VALUE, false, Optional.empty(), List.of(), Optional.empty(), CONNECT_TIMEOUT);

    public JdbcOptions {
        if (connections < 1) {
            throw new IllegalArgumentException("connections must be at least 1, but was " + connections);
        }
        if (maxRequests < 1) {
            throw new IllegalArgumentException("maxRequests must be at least 1, but was " + maxRequests);
        }
        driverJars = List.copyOf(driverJars);
        Objects.requireNonNull(expect, "expect");
        Objects.requireNonNull(pool, "pool");
        Objects.requireNonNull(connectTimeout, "connectTimeout");
    }

    JdbcOptions withConnections(int count) {
        return new JdbcOptions(count, keepAlive, maxRequests, writes, expect, driverJars, pool, connectTimeout);
    }

    JdbcOptions withWrites() {
        return new JdbcOptions(connections, keepAlive, maxRequests, true, expect, driverJars, pool, connectTimeout);
    }

    JdbcOptions withExpect(RowsExpected rows) {
        return new JdbcOptions(
                connections, keepAlive, maxRequests, writes, Optional.of(rows), driverJars, pool, connectTimeout);
    }
}
