package dev.downbeat.jdbc;

import dev.downbeat.exchange.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a database is used. Immutable.
 *
 * @param connections concurrent requests, each on its own thread and connection; with a pool, its number of callers
 * @param keepAlive whether a connection is kept for the next request
 * @param maxRequests requests after which a connection is replaced
 * @param writes whether statements may change data
 * @param expect rows that each statement must return or change
 * @param driverJars jars searched first for a driver
 * @param pool settings of HikariCP as {@code name=value,...}, if it is used
 * @param connectTimeout timeout of a new connection, login included
 * @param idle additional connections that are held open without requests
 * @param creates whether a schema is created for this load with what the script creates in it
 */
public record JdbcOptions(
        int connections,
        boolean keepAlive,
        long maxRequests,
        boolean writes,
        Optional<RowsExpected> expect,
        List<Path> driverJars,
        Optional<String> pool,
        Duration connectTimeout,
        int idle,
        boolean creates) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Ten kept connections, read-only. */
    public static final JdbcOptions USUAL = new JdbcOptions(
            10, true, Long.MAX_VALUE, false, Optional.empty(), List.of(), Optional.empty(), CONNECT_TIMEOUT, 0, false);

    public JdbcOptions {
        if (connections < 1) {
            throw new IllegalArgumentException("connections must be at least 1, but was " + connections);
        }
        if (idle < 0) {
            throw new IllegalArgumentException("idle connections must be at least 0, but was " + idle);
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
        return with(count, writes, expect);
    }

    JdbcOptions withWrites() {
        return with(connections, true, expect);
    }

    JdbcOptions withExpect(RowsExpected rows) {
        return with(connections, writes, Optional.of(rows));
    }

    private JdbcOptions with(int count, boolean mayWrite, Optional<RowsExpected> rows) {
        return new JdbcOptions(
                count, keepAlive, maxRequests, mayWrite, rows, driverJars, pool, connectTimeout, idle, creates);
    }

    /** The number of rows that each statement must return or change. Immutable. */
    public static final class RowsExpected {
        private static final Pattern FORM = Pattern.compile("rows\\s*(>=|<=|=|>|<)\\s*(\\d{1,18})");

        private final String operator;
        private final long count;
        private final Outcome unexpected;

        private RowsExpected(String operator, long count) {
            this.operator = operator;
            this.count = count;
            this.unexpected = Outcome.failedResponse("expected rows" + operator + count);
        }

        /**
         * Parses {@code rows>=1}.
         *
         * @throws IllegalArgumentException if the text is invalid
         */
        public static RowsExpected parse(String text) {
            Matcher matcher = FORM.matcher(text.strip());
            if (!matcher.matches()) {
                throw new IllegalArgumentException("expected rows>=1 or the like, but was '" + text + "'");
            }
            return new RowsExpected(matcher.group(1), Long.parseLong(matcher.group(2)));
        }

        boolean holds(long rows) {
            return switch (operator) {
                case ">=" -> rows >= count;
                case "<=" -> rows <= count;
                case ">" -> rows > count;
                case "<" -> rows < count;
                default -> rows == count;
            };
        }

        Outcome unexpected() {
            return unexpected;
        }
    }
}
