package dev.downbeat.bench.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Costs of database access through the driver and HikariCP: a new connection with login, a connection borrowed from the pool,
 * the first statement on a connection, and a prepared statement.
 *
 * <pre>
 * jmh-benchmarks/scripts/databases.py jmh
 * </pre>
 *
 * <p>The script starts PostgreSQL and MariaDB, with TLS and passwords, and puts their URLs into the environment. H2 needs
 * no set-up and keeps the benchmark tested. See {@code processor} too: the client hashes the password.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls open() before it measures
public class DatabaseBenchmark {
    private static final String SQL = "select amount from orders where id = ?";

    /** The database server. */
    @Param("H2")
    public Server server;

    private HikariDataSource pool;
    private Connection kept;
    private PreparedStatement prepared;
    private int next;

    /** Servers with a table {@code orders} of 1,000 rows. */
    public enum Server {
        /** In this process. */
        H2,
        /** At {@code DOWNBEAT_POSTGRESQL}. */
        POSTGRESQL,
        /** Without TLS, at {@code DOWNBEAT_POSTGRESQL_PLAIN}. */
        POSTGRESQL_PLAIN,
        /** At {@code DOWNBEAT_MARIADB}. */
        MARIADB,
        /** Without TLS, at {@code DOWNBEAT_MARIADB_PLAIN}. */
        MARIADB_PLAIN;

        String url() {
            if (this == H2) {
                return "jdbc:h2:mem:bench;DB_CLOSE_DELAY=-1";
            }
            String url = System.getenv("DOWNBEAT_" + name());
            if (url == null) {
                throw new IllegalStateException("DOWNBEAT_" + name() + " must be a JDBC URL, but was not set");
            }
            return url;
        }
    }

    /** Opens the pool and a connection of the driver. */
    @Setup
    public void open() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.url());
        config.setMaximumPoolSize(2);
        pool = new HikariDataSource(config);
        kept = newConnection();
        if (server == Server.H2) {
            kept.createStatement().execute("create table if not exists orders (id int primary key, amount int)");
            kept.createStatement().execute("merge into orders key (id) select x, mod(x, 13) from system_range(0, 999)");
        }
        prepared = kept.prepareStatement(SQL);
    }

    /** Closes the connection and the pool. */
    @TearDown
    public void close() throws SQLException {
        kept.close();
        pool.close();
    }

    private Connection newConnection() throws SQLException {
        return DriverManager.getConnection(server.url());
    }

    private int query(PreparedStatement statement) throws SQLException {
        next = (next + 1) % 1_000;
        statement.setInt(1, next);
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getInt(1) : -1;
        }
    }

    /** Opens and closes a connection: lookup, connect, TLS, login. */
    @Benchmark
    public boolean connect() throws SQLException {
        try (Connection connection = newConnection()) {
            return connection.isClosed();
        }
    }

    /** Borrows a connection and returns it. */
    @Benchmark
    public boolean borrow() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.isClosed();
        }
    }

    /** A prepared statement. */
    @Benchmark
    public int statement() throws SQLException {
        return query(prepared);
    }

    /** Borrows, prepares, executes and returns, as most code does. */
    @Benchmark
    public int borrowed() throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(SQL)) {
            return query(statement);
        }
    }

    /** An unused connection. */
    @State(Scope.Thread)
    public static class Fresh {
        private Connection connection;

        /** Opens it; not measured. */
        @Setup(Level.Invocation)
        public void open(DatabaseBenchmark benchmark) throws SQLException {
            connection = benchmark.newConnection();
        }

        /** Closes it; not measured. */
        @TearDown(Level.Invocation)
        public void close() throws SQLException {
            connection.close();
        }
    }

    /** The first statement on a new connection. Its processor time includes that of the connection. */
    @Benchmark
    public int firstStatement(Fresh fresh) throws SQLException {
        try (PreparedStatement statement = fresh.connection.prepareStatement(SQL)) {
            return query(statement);
        }
    }
}
