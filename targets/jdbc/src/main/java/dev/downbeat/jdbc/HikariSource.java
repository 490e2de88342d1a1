package dev.downbeat.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.PropertyElf;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.SimilarNames;
import dev.downbeat.jdbc.ConnectionSource.DriverDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A HikariCP pool with a team's settings, and the source of its connections. */
record HikariSource(HikariDataSource pool, Opening opening) implements ConnectionSource {
    static final String PREFIX = "hikari";
    private static final long LOOK_NANOS = 2_000_000;
    private static final List<String> SETTINGS = List.of(
            "allowPoolSuspension",
            "autoCommit",
            "catalog",
            "connectionInitSql",
            "connectionTestQuery",
            "connectionTimeout",
            "exceptionOverrideClassName",
            "idleTimeout",
            "initializationFailTimeout",
            "isolateInternalQueries",
            "keepaliveTime",
            "leakDetectionThreshold",
            "maxLifetime",
            "maximumPoolSize",
            "minimumIdle",
            "readOnly",
            "registerMbeans",
            "schema",
            "transactionIsolation",
            "validationTimeout");

    /** The pool's settings; opens no connection. */
    static HikariConfig config(ConnectionSource source, JdbcOptions options) {
        String given = options.pool().orElse("");
        String settings = given.equals(PREFIX) ? "" : given.startsWith(PREFIX + ":") ? given.substring(7) : null;
        if (settings == null) {
            throw new IllegalArgumentException(
                    "--pool must be hikari:NAME=VALUE,... such as hikari:maximumPoolSize=10, but was '" + given + "'");
        }
        HikariConfig config = new HikariConfig();
        for (String setting : settings.split(",")) {
            int equals = setting.indexOf('=');
            if (equals > 0) {
                set(
                        config,
                        setting.substring(0, equals).strip(),
                        setting.substring(equals + 1).strip());
            } else if (!setting.isBlank()) {
                throw new IllegalArgumentException("--pool: expected NAME=VALUE, but found '" + setting + "'");
            }
        }
        config.setPoolName("downbeat");
        config.setDataSource(new DriverDataSource(source));
        return config;
    }

    private static void set(HikariConfig config, String name, String value) {
        if (!SETTINGS.contains(name)) {
            String nearest = Collections.min(SETTINGS, Comparator.comparingInt(one -> typos(one, name)));
            throw new IllegalArgumentException("--pool: unknown setting '" + name + "'; "
                    + (typos(nearest, name) <= name.length() / 2
                            ? "did you mean " + nearest + "? user"
                            : "the settings are HikariCP's, such as maximumPoolSize; user")
                    + ", password and driver belong to the URL");
        }
        Properties one = new Properties();
        one.setProperty(name, value);
        try {
            PropertyElf.setTargetFromProperties(config, one);
        } catch (RuntimeException refused) {
            throw new IllegalArgumentException(
                    "--pool: " + name + " cannot be '" + value + "': "
                            + SqlFailures.innermost(refused).getMessage(),
                    refused);
        }
    }

    private static int typos(String setting, String name) {
        return SimilarNames.typos(setting.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
    }

    /**
     * Opens a pool and fills it to its idle size. A service that has just started is a separate question.
     *
     * @param readOnly dialect in which the server is told to refuse writes, even if the settings do not say so
     */
    static HikariSource open(HikariConfig config, Duration longest, Optional<Dialect> readOnly) {
        HikariConfig own = new HikariConfig();
        config.copyStateTo(own);
        if (readOnly.isPresent()) {
            own.setReadOnly(true);
        }
        Opening opening = new Opening(config.getDataSource(), readOnly);
        own.setDataSource(new DriverDataSource(opening));
        HikariDataSource pool = new HikariDataSource(own);
        long endAt = System.nanoTime() + longest.toNanos();
        while (pool.getHikariPoolMXBean().getTotalConnections() < pool.getMinimumIdle()
                && System.nanoTime() - endAt < 0
                && !Thread.currentThread().isInterrupted()) { // it would not park, and the run is about to end
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return new HikariSource(pool, opening);
    }

    /** The connections that a pool opens for itself, counted. Thread-safe. */
    record Opening(DataSource source, Optional<Dialect> readOnly, LongAdder opened, LongAdder failed)
            implements ConnectionSource {
        Opening(DataSource source, Optional<Dialect> readOnly) {
            this(source, readOnly, new LongAdder(), new LongAdder());
        }

        @Override
        public Connection open() throws SQLException {
            try {
                Connection connection = source.getConnection();
                if (readOnly.isPresent()) {
                    refuseWrites(readOnly.get(), connection);
                }
                opened.increment();
                return connection;
            } catch (SQLException refused) {
                failed.increment();
                throw refused;
            }
        }

        /** Closes a connection that cannot: the pool never gets it, and opens another. */
        private static void refuseWrites(Dialect dialect, Connection connection) throws SQLException {
            try {
                dialect.refuseWrites(connection);
            } catch (SQLException | RuntimeException | Error refused) {
                Session.close(connection, refused);
                throw refused;
            }
        }
    }

    @Override
    public Connection open() throws SQLException {
        return pool.getConnection();
    }

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public ConnectionCounts pooled(long broken) {
        long open = pool.getHikariPoolMXBean().getTotalConnections();
        long opened = Math.max(open, opening.opened().sum());
        long closed = opened - open;
        long byServer = Math.min(closed, broken);
        return new ConnectionCounts(
                opened,
                0,
                opening.failed().sum(),
                0,
                byServer,
                closed - byServer,
                open,
                Math.min(open, pool.getHikariPoolMXBean().getActiveConnections()));
    }

    @Override
    public void close() {
        pool.close();
    }
}
