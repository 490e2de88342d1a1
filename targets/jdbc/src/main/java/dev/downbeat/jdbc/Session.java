package dev.downbeat.jdbc;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.jdbc.Dialect.ServerSession;
import dev.downbeat.jdbc.JdbcOptions.RowsExpected;
import dev.downbeat.jdbc.SqlScript.SqlStatement;
import dev.downbeat.jdbc.SqlScript.SqlTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One connection with its prepared statements. Used by one thread; others may {@link #cancel} and {@link #abort}. */
final class Session {
    private static final int VALID_SECONDS = 5;

    /** With more, the driver does not end its results as JDBC demands. */
    private static final int MOST_RESULTS = 10_000;

    private final Connection connection;
    private final Dialect dialect;
    /** Whether a transaction ends by a commit, because the connection does not commit each statement itself. */
    private final boolean commits;

    /** Whether the connection committed each statement itself before. */
    private final boolean turnedOffAutoCommit;

    private final Map<SqlStatement, List<String>> types;
    private final Prepared[][] prepared;
    private volatile @Nullable Statement running;
    private volatile boolean isStopped;
    private volatile boolean isAborted;
    private int position;
    private boolean isBroken;
    private boolean wasCancelled;
    private boolean wasDone;

    /** A statement and the types of its parameters. */
    private record Prepared(PreparedStatement statement, List<String> types) {}

    /**
     * Creates the session of a new connection, which is closed if that fails.
     *
     * @param types types of each statement's parameters
     * @param readOnly whether the server is to refuse writes
     * @param hasTransactions whether some request has several statements
     */
    Session(
            Connection connection,
            Dialect dialect,
            Map<SqlStatement, List<String>> types,
            boolean readOnly,
            boolean hasTransactions,
            int kinds)
            throws SQLException {
        this.connection = connection;
        this.dialect = dialect;
        this.types = types;
        this.prepared = new Prepared[kinds][];
        try {
            boolean committed = connection.getAutoCommit();
            this.commits = hasTransactions || !committed;
            this.turnedOffAutoCommit = hasTransactions && committed;
            if (readOnly) {
                dialect.refuseWrites(connection);
            }
            if (turnedOffAutoCommit) {
                connection.setAutoCommit(false);
            }
        } catch (SQLException | RuntimeException | Error refused) {
            close(connection, refused);
            throw refused;
        }
    }

    static void close(Connection connection, Throwable refused) {
        try {
            connection.close();
        } catch (SQLException gone) {
            refused.addSuppressed(gone);
        }
    }

    /**
     * Lets the JVM compile the driver's code with harmless statements; a server that does not accept them is left
     * alone.
     */
    void rehearse(long nanos) {
        long endAt = System.nanoTime() + nanos;
        try (PreparedStatement statement = connection.prepareStatement("select 1")) {
            while (System.nanoTime() - endAt < 0) {
                statement.execute();
                read(statement);
            }
            if (commits) {
                connection.rollback();
            }
        } catch (SQLException unknown) {
            isBroken = true; // assume that the connection is broken: the next request gets a new one
        }
    }

    Class<?> driver() {
        return connection.getClass();
    }

    /** The server session it has now; its transaction must have ended. */
    Optional<ServerSession> probe() throws SQLException {
        Optional<ServerSession> found = dialect.probe(connection);
        if (commits) {
            connection.commit();
        }
        return found;
    }

    int position() {
        return position;
    }

    boolean isBroken() {
        return isBroken;
    }

    /** Whether Downbeat aborted the connection, which fails its statement. */
    boolean isAborted() {
        return isAborted;
    }

    /** Whether the last request ended by a cancellation. */
    boolean wasCancelled() {
        return wasCancelled;
    }

    /** Whether the server has finished the last request, whatever its result. */
    boolean wasDone() {
        return wasDone;
    }

    /** Runs a request; the transaction has ended when this returns. */
    Outcome run(Call call, int kind, SqlTransaction transaction, Object[] values, RowFindings findings) {
        position++;
        isStopped = false;
        wasCancelled = false;
        wasDone = false;
        try {
            Outcome outcome = statements(call, kind, transaction, values, findings);
            if (commits) {
                end(call, findings);
            }
            wasDone = true;
            findings.counts().done.increment();
            return outcome;
        } catch (SQLException failed) {
            isBroken |= SqlFailures.isBroken(failed);
            wasCancelled = SqlFailures.isCancelled(failed);
            rollBack(findings);
            return findings.failures().of(failed);
        } finally {
            running = null;
        }
    }

    private Outcome statements(Call call, int kind, SqlTransaction transaction, Object[] values, RowFindings findings)
            throws SQLException {
        Outcome outcome = Outcome.answered();
        long prepareNanos = 0;
        long statementNanos = 0;
        long rowsNanos = 0;
        int value = 0;
        for (int i = 0; i < transaction.statements().size(); i++) {
            SqlStatement one = transaction.statements().get(i);
            Prepared[] known = prepared[kind];
            Prepared ready = known == null ? null : known[i];
            if (ready == null) {
                long beginAt = call.now();
                ready = prepare(kind, i, transaction);
                prepareNanos += call.now() - beginAt;
            }
            PreparedStatement statement = ready.statement();
            for (int place = 1; place <= one.parameters().size(); place++) {
                dialect.bind(statement, place, values[value++], ready.types());
            }
            running = statement;
            if (isStopped) {
                throw new SQLException("cancelled by its caller", SqlFailures.CANCELLED);
            }
            long sentAt = call.now();
            boolean hasRows = statement.execute();
            long answeredAt = call.now();
            if (i == 0) {
                call.firstByteAt(answeredAt);
            }
            long rows = count(statement, hasRows);
            running = null;
            findings.counts().rows.add(rows);
            if (findings.expect().isPresent() && !findings.expect().get().holds(rows)) {
                outcome = findings.expect().get().unexpected();
            }
            statementNanos += answeredAt - sentAt;
            rowsNanos += call.now() - answeredAt;
        }
        if (prepareNanos > 0) {
            StatementPart.PREPARE.add(findings.parts(), prepareNanos);
        }
        StatementPart.STATEMENT.add(findings.parts(), statementNanos);
        StatementPart.ROWS.add(findings.parts(), rowsNanos);
        return outcome;
    }

    private Prepared prepare(int kind, int place, SqlTransaction transaction) throws SQLException {
        if (prepared[kind] == null) {
            prepared[kind] = new Prepared[transaction.statements().size()];
        }
        SqlStatement one = transaction.statements().get(place);
        PreparedStatement statement = connection.prepareStatement(one.sql());
        List<String> known = types.get(one);
        Prepared ready = new Prepared(
                statement,
                known == null ? dialect.types(statement, one.parameters().size(), one.limits()) : known);
        prepared[kind][place] = ready;
        return ready;
    }

    /** The rows read or changed by all results of a statement: a procedure may have several. */
    private static long count(Statement statement, boolean hasRows) throws SQLException {
        long all = 0;
        boolean isRead = hasRows;
        long changed = hasRows ? 0 : statement.getUpdateCount();
        for (int results = 0; results < MOST_RESULTS && (isRead || changed >= 0); results++) {
            all += isRead ? read(statement) : changed;
            isRead = statement.getMoreResults();
            changed = isRead ? 0 : statement.getUpdateCount();
        }
        return all;
    }

    private static long read(Statement statement) throws SQLException {
        long rows = 0;
        try (ResultSet result = statement.getResultSet()) {
            while (result.next()) {
                rows++;
            }
        }
        return rows;
    }

    private void end(Call call, RowFindings findings) throws SQLException {
        long beginAt = call.now();
        if (isStopped) {
            throw new SQLException("cancelled by its caller", SqlFailures.CANCELLED);
        }
        connection.commit();
        StatementPart.COMMIT.add(findings.parts(), call.now() - beginAt);
    }

    private void rollBack(RowFindings findings) {
        if (!commits || isBroken) {
            return;
        }
        try {
            connection.rollback();
            findings.counts().rolledBack.increment();
        } catch (SQLException broken) {
            isBroken = true;
        }
    }

    /** Asks the server to cancel the running statement. Called by any thread; may wait for the network. */
    void cancel() {
        isStopped = true;
        Statement now = running;
        if (now != null) {
            try {
                now.cancel();
            } catch (SQLException ended) {
                // the statement's own end shows its outcome
            }
        }
    }

    /** Validates the connection after a cancellation, so that a late one hits no later statement. */
    void validateAfterCancel() {
        try {
            isBroken |= !connection.isValid(VALID_SECONDS);
            if (commits && !isBroken) {
                connection.rollback();
            }
        } catch (SQLException broken) {
            isBroken = true;
        }
    }

    /** Aborts the connection. Called by any thread. */
    void abort() {
        isAborted = true;
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException closed) {
            // it is unusable anyway
        }
    }

    /**
     * Closes the connection; an open transaction is rolled back.
     *
     * @param returns whether this returns it to a pool, which may not undo its changes for the next user
     */
    void close(boolean returns) {
        try {
            for (Prepared[] statements : prepared) {
                closeAll(statements);
            }
            if (commits && !isBroken) {
                connection.rollback();
            }
            if (returns && turnedOffAutoCommit && !isBroken) {
                connection.setAutoCommit(true);
            }
            connection.close();
        } catch (SQLException broken) {
            abort();
            giveBack();
        }
    }

    /** A pool counts a connection as taken until it is closed, broken or not. */
    private void giveBack() {
        try {
            connection.close();
        } catch (SQLException known) {
            // it is aborted
        }
    }

    private static void closeAll(Prepared @Nullable [] statements) throws SQLException {
        if (statements == null) {
            return;
        }
        for (Prepared one : statements) {
            if (one != null) {
                one.statement().close();
            }
        }
    }

    /** Where the sessions of a lane record their results, and the rows to expect. Thread-safe. */
    record RowFindings(JdbcCounts counts, PartTimes parts, SqlFailures failures, Optional<RowsExpected> expect) {}

    /** The parts of a database request's time, in order. */
    enum StatementPart {
        WAIT("wait for a connection of the pool"),
        LOOKUP("lookup"),
        CONNECT("connect"),
        LOGIN("login"),
        PREPARE("prepare"),
        STATEMENT("statement"),
        ROWS("rows"),
        COMMIT("commit");

        private final String title;

        StatementPart(String title) {
            this.title = title;
        }

        static PartTimes times() {
            return new PartTimes(Arrays.stream(values()).map(part -> part.title).toList());
        }

        void add(PartTimes to, long nanos) {
            to.add(ordinal(), nanos);
        }
    }
}
