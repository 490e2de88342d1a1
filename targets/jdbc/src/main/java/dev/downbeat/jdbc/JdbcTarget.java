package dev.downbeat.jdbc;

import com.zaxxer.hikari.HikariConfig;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.Target;
import dev.downbeat.jdbc.ConnectionSource.DriverDataSource;
import dev.downbeat.jdbc.Session.StatementPart;
import dev.downbeat.jdbc.SqlScript.SqlStatement;
import dev.downbeat.jdbc.SqlScript.SqlTransaction;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database. Each request is a statement, or several in one transaction, on its own connection and thread. Response
 * times are a caller's: from the intended time until all rows are read and the transaction has ended.
 *
 * <p>Before the clock starts, it checks that statements can be prepared and that the server has enough free
 * connections. Statements must be read-only unless writes are allowed. Thread-safe.
 */
public final class JdbcTarget implements Target {
    private static final int LEFT_FOR_OTHERS = 3;
    private static final int USUAL_POOL = 10;

    private final ConnectionSource first;
    /** The source for the load; its sessions refuse writes in the dialect given. */
    private final Function<Optional<Dialect>, ConnectionSource> sources;

    private final boolean isDemo;
    private final OptionalInt pooled;
    private final Optional<OwnSchema> schema;
    private final JdbcRequests requests;
    private final PartTimes parts = StatementPart.times();

    /** The parameter types of each statement; written before {@link #knownDialect} is set. */
    private final Map<SqlStatement, List<String>> types = new ConcurrentHashMap<>();

    private @Nullable Dialect knownDialect;
    private volatile @Nullable ProxyView proxy;

    /**
     * Creates a target.
     *
     * @param first source of the connection for the checks before the clock starts
     * @param pooled connections that the server needs for a pool, 0 if unknown; empty if each caller has its own
     */
    private JdbcTarget(
            ConnectionSource first,
            Function<Optional<Dialect>, ConnectionSource> sources,
            boolean isDemo,
            OptionalInt pooled,
            Optional<OwnSchema> schema,
            JdbcRequests requests) {
        this.first = first;
        this.schema = schema;
        this.sources = sources;
        this.isDemo = isDemo;
        this.pooled = pooled;
        this.requests = requests;
    }

    /**
     * Creates the target of a URL.
     *
     * @param url {@code jdbc:postgresql://host/db}, or {@code jdbc:demo}
     * @param seed seed of random choices
     * @throws IllegalArgumentException if no driver accepts the URL, a statement writes and may not, or a parameter has
     *     no value
     */
    public static JdbcTarget of(
            String url, SqlScript script, JdbcOptions options, ParameterValues.Factory values, long seed) {
        JdbcUrl parsed = JdbcUrl.of(url, options.driverJars());
        JdbcRequests requests = new JdbcRequests(parsed.place(), script, options, values, seed);
        Optional<OwnSchema> schema = options.creates()
                ? Optional.of(
                        OwnSchema.of(new ConnectionSource.OfDriver(parsed, parsed.properties(options), ""), script))
                : Optional.empty();
        ConnectionSource driver = new ConnectionSource.OfDriver(
                parsed, parsed.properties(options), schema.map(OwnSchema::name).orElse(""));
        if (options.pool().isPresent()) {
            HikariConfig pool = HikariSource.config(driver, options);
            int most = pool.getMaximumPoolSize() < 1 ? USUAL_POOL : pool.getMaximumPoolSize();
            return new JdbcTarget(
                    driver,
                    readOnly -> HikariSource.open(pool, options.connectTimeout(), readOnly),
                    parsed.isDemo(),
                    OptionalInt.of(most),
                    schema,
                    requests);
        }
        return new JdbcTarget(driver, readOnly -> driver, parsed.isDemo(), OptionalInt.empty(), schema, requests);
    }

    static JdbcTarget of(DataSource source, SqlScript script, JdbcOptions options, ParameterValues.Factory values) {
        Objects.requireNonNull(source, "source");
        JdbcRequests requests = new JdbcRequests("DataSource", script, options, values, 0);
        ConnectionSource own = new ConnectionSource.OfDataSource(source);
        return new JdbcTarget(own, readOnly -> own, false, OptionalInt.of(0), Optional.empty(), requests);
    }

    /**
     * Connections for watching a server during the load. They time out if it does not answer within two seconds.
     *
     * @throws IllegalArgumentException if no driver accepts the URL
     */
    public static DataSource watching(String url, List<Path> driverJars) {
        JdbcUrl parsed = JdbcUrl.of(url, driverJars);
        ConnectionSource source = new ConnectionSource.OfDriver(parsed, parsed.watching(), "");
        return new DriverDataSource(() -> {
            try {
                return source.open();
            } catch (SQLException refused) {
                throw new SQLException(SqlFailures.refusal(refused), refused.getSQLState(), refused);
            }
        });
    }

    @Override
    public String describe() {
        List<SqlTransaction> all = requests.transactions();
        String load = all.size() == 1
                ? all.get(0).isSingle()
                        ? "one statement"
                        : "one transaction of " + all.get(0).statements().size() + " statements"
                : all.size() + " named requests";
        return requests.place() + ", " + load;
    }

    @Override
    public List<String> names() {
        List<String> names =
                requests.transactions().stream().map(SqlTransaction::name).toList();
        return names.size() == 1 && names.get(0).equals("request 1") ? List.of() : names;
    }

    @Override
    public int nameOf(Exchange exchange) {
        return requests.kind(exchange.index);
    }

    /** The time requests spent in each part, over all lanes that have ended, but those of warm-ups. */
    public List<PartTimes.PartSummary> parts() {
        return parts.all();
    }

    /**
     * Removes the schema that was created for this load. Nothing else is ever removed.
     *
     * @throws IOException with one line, if that fails
     */
    public void cleanUp() throws IOException {
        try {
            if (schema.isPresent()) {
                schema.get().drop();
            }
        } catch (SQLException refused) {
            throw new IOException(requests.refusal(refused), refused);
        }
    }

    /** The statement that {@link #cleanUp} sends, for whoever does it later; empty if there is nothing to remove. */
    public Optional<String> removal() {
        return schema.filter(OwnSchema::isThere).map(OwnSchema::removal);
    }

    /** The existing schema that was created for this load; empty if there is none. */
    public Optional<String> schema() {
        return schema.filter(OwnSchema::isThere).map(OwnSchema::name);
    }

    /** Lines about a proxy in between; empty if there is none. */
    public List<String> proxy() {
        ProxyView view = proxy;
        return view == null ? List.of() : view.lines();
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        int connections = Target.share("connections", requests.options().connections(), share, shares);
        Dialect dialect = dialect();
        ProxyView view = Objects.requireNonNull(proxy);
        ConnectionSource source =
                source(view.setsReadOnly(requests.options()) ? Optional.of(dialect) : Optional.empty());
        Client client = new Client(source, dialect, types, requests, parts, view, share == 0, connections);
        client.open(share == 0 ? first : source, share == 0 ? requests.options().idle() : 0);
        return new CallLane(connections, clock, listener, client);
    }

    private ConnectionSource source(Optional<Dialect> readOnly) throws IOException {
        try {
            return sources.apply(readOnly);
        } catch (RuntimeException refused) { // a pool that could not open its first connection
            throw refused.getCause() instanceof SQLException sql
                    ? new IOException(requests.refusal(sql), sql)
                    : new IOException(requests.place() + ": " + refused.getMessage(), refused);
        }
    }

    /** Checks the database once, by connections that are closed before the clock starts. */
    private synchronized Dialect dialect() throws IOException {
        Dialect known = knownDialect;
        if (known != null) {
            return known;
        }
        try {
            Dialect dialect = opened(schema.isPresent() ? schema.get().outside() : first);
            knownDialect = dialect;
            return dialect;
        } catch (SQLException refused) {
            throw new IOException(requests.refusal(refused), refused);
        } catch (LinkageError missing) {
            throw new IOException(requests.place() + ": its driver lacks a class: " + missing.getMessage(), missing);
        }
    }

    private Dialect opened(ConnectionSource source) throws IOException, SQLException {
        TimedSockets.Attempt attempt = TimedSockets.begin();
        try (Connection connection = source.open()) {
            try {
                return examine(source, connection, attempt.localPort());
            } finally {
                rollBack(connection); // not every pool does when a connection returns
            }
        }
    }

    private static void rollBack(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException broken) {
            // the pool will find out
        }
    }

    private Dialect examine(ConnectionSource source, Connection connection, int localPort)
            throws IOException, SQLException {
        if (isDemo) {
            fillDemo(connection);
        }
        Dialect dialect = Dialect.of(connection);
        requests.check(dialect);
        int wanted = pooled.orElse(requests.options().connections())
                + requests.options().idle();
        OptionalLong free = dialect.freeConnections(connection);
        int most = (int) Math.min(wanted, free.orElse(Long.MAX_VALUE) - LEFT_FOR_OTHERS);
        ProxyView view = ProxyView.detect(connection, localPort, dialect, source, most, requests.transactions());
        // the connections to a proxy that shares sessions are not the server's
        if (!view.isShared() && most < wanted) {
            throw new IOException("only " + Math.max(0, free.getAsLong()) + " connections are free in "
                    + requests.place() + ", and Downbeat leaves " + LEFT_FOR_OTHERS + " for other users: "
                    + (most < 1 ? "close some" : "use at most " + most + ", not " + wanted));
        }
        if (schema.isEmpty()) {
            describe(connection, dialect);
        } else if (view.isShared()) {
            throw new IOException(
                    requests.place()
                            + ": --create needs sessions of its own, but the proxy shares them: give the address of the server");
        } else {
            schema.get().create();
            try (Connection inside = first.open()) {
                if (isDemo) {
                    copyDemo(inside);
                }
                describe(inside, dialect);
            }
        }
        proxy = view;
        return dialect;
    }

    private static void fillDemo(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists orders (id int primary key, item varchar(20), amount int)");
            statement.execute("merge into orders key (id) select x, 'item ' || mod(x, 97), mod(x, 13) + 1"
                    + " from system_range(1, 1000)");
        }
    }

    /** Tables outside the schema are not found; the script may have created this one itself. */
    private static void copyDemo(Connection inside) throws SQLException {
        try (Statement statement = inside.createStatement()) {
            statement.execute("create table if not exists orders (id int primary key, item varchar(20), amount int)"
                    + " as select id, item, amount from public.orders");
        }
    }

    /**
     * Prepares each statement and reads the types of its parameters; none is executed. What a statement before it
     * creates, such as a temporary table, does not exist here.
     */
    private void describe(Connection connection, Dialect dialect) throws SQLException {
        for (SqlTransaction transaction : requests.transactions()) {
            boolean isAltered = false;
            for (SqlStatement one : transaction.statements()) {
                // another text than the load's, since a pool's connection keeps what its driver learns about a
                // statement
                try (PreparedStatement statement = connection.prepareStatement(one.sql() + ' ')) {
                    statement.getMetaData();
                    types.put(one, dialect.types(statement, one.parameters().size(), one.limits()));
                } catch (SQLException unknown) {
                    if (!isAltered && !(unknown instanceof SQLFeatureNotSupportedException)) {
                        throw unknown;
                    }
                    if (!connection.getAutoCommit()) {
                        connection.rollback();
                    }
                }
                isAltered |= one.defines();
            }
        }
    }

    /** A schema created for one load. Used by one thread at a time. */
    private static final class OwnSchema {
        private final ConnectionSource.OfDriver source;
        private final String name;
        private final List<String> creation;
        private volatile boolean isThere;

        private OwnSchema(ConnectionSource.OfDriver source, String name, List<String> creation) {
            this.source = source;
            this.name = name;
            this.creation = creation;
        }

        /** The schema of a script, which must create something; nothing is created yet. */
        static OwnSchema of(ConnectionSource.OfDriver source, SqlScript script) {
            if (script.creation().isEmpty()) {
                throw new IllegalArgumentException(
                        "--create has nothing to create: put '-- create' on a line of --sql, and 'create table ...;' below it");
            }
            String name = "downbeat_" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "_"
                    + Integer.toHexString(System.identityHashCode(script) & 0xffff);
            return new OwnSchema(source, name, script.creation());
        }

        String name() {
            return name;
        }

        /** Connections that look for tables where the server does by default. */
        ConnectionSource outside() {
            return source;
        }

        boolean isThere() {
            return isThere;
        }

        void create() throws SQLException {
            try (Connection connection = source.open();
                    Statement statement = connection.createStatement()) {
                statement.execute("create schema " + name);
                isThere = true;
                try (Connection inside = source.in(name).open()) {
                    if (source.url().isMariadb() || name.equalsIgnoreCase(inside.getSchema())) {
                        create(inside);
                        return;
                    }
                }
                statement.execute("drop schema " + name); // empty, which every server understands
                isThere = false;
                throw new SQLFeatureNotSupportedException(
                        "--create needs a driver that sets the schema of a connection: create the tables beforehand");
            }
        }

        private void create(Connection inside) throws SQLException {
            try (Statement statement = inside.createStatement()) {
                for (String one : creation) {
                    statement.execute(one);
                }
            }
        }

        String removal() {
            return "drop schema " + name + (source.url().isMariadb() ? "" : " cascade");
        }

        void drop() throws SQLException {
            if (isThere) {
                try (Connection connection = source.open();
                        Statement statement = connection.createStatement()) {
                    statement.execute(removal());
                    isThere = false;
                }
            }
        }
    }
}
