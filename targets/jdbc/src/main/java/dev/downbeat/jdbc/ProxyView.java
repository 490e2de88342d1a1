package dev.downbeat.jdbc;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.jdbc.Dialect.ServerSession;
import dev.downbeat.jdbc.SqlScript.SqlStatement;
import dev.downbeat.jdbc.SqlScript.SqlTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.postgresql.PGStatement;

/**
 * Detects proxies between Downbeat and a database by comparing connections with the server's sessions over time. It
 * keeps probing only where a proxy shares sessions. Thread-safe.
 */
final class ProxyView {
    /** How often connections are probed in turn for sharing a session. */
    private static final int TRIES = 6;

    /** Further connections that are probed, since a proxy may consist of processes with sessions of their own. */
    private static final int MOST_OTHERS = 4;

    /** The least number of probes of a session. */
    private static final int LEAST_PROBES = 3;

    /** A statement with the number of its connection, recognizable among those of others. */
    private static final String PROBE = "/* probe of downbeat */ select ";

    private static final String FORGET = """
            do $$ declare one text; begin
                for one in select name from pg_prepared_statements where statement like '%s%%' loop
                    execute format('deallocate %%I', one);
                end loop;
            end $$""".formatted(PROBE);

    private static final int MOST_STATEMENT = 60;
    private static final long READ_NANOS = 500_000_000;
    private static final long RECENT_NANOS = 1_000_000_000;
    private static final int MOST_READINGS = 2_000;

    enum Way {
        /** The server sees the client's own port, or its port is unknown. */
        DIRECT,
        /** There is a proxy, and each connection has its own session. */
        KEEPS,
        /** Several connections share a session. */
        SHARES
    }

    /** One connection, for as long as it is open. */
    private static final class Track {
        private String backend = "";
        private int probes;
        private long sinceAt;
    }

    /** The last uses of a session: all that it takes to know who shares it, however many connections come and go. */
    private static final class Uses {
        private Track last;
        private long lastAt;
        private boolean isByOthers;
        private long othersAt;

        Uses(Track first, long at) {
            last = first;
            lastAt = at;
        }

        void add(Track track, long at) {
            if (track != last) {
                isByOthers = true;
                othersAt = lastAt;
                last = track;
            }
            lastAt = at;
        }

        /** Whether only this connection has used it since it got it. */
        boolean isOwn(Track track) {
            return last == track ? !isByOthers || othersAt - track.sinceAt < 0 : lastAt - track.sinceAt < 0;
        }
    }

    /** Values over time; in a long run the highest of neighbours stands for both. */
    private static final class Course {
        private final List<TargetCounts.Reading> readings = new ArrayList<>();
        private long everyNanos = READ_NANOS;
        private long last;

        void add(long at, long value) {
            last = value;
            int newest = readings.size() - 1;
            if (newest >= 0 && at - readings.get(newest).atNanos() < everyNanos) {
                readings.set(newest, higher(readings.get(newest), value));
                return;
            }
            readings.add(new TargetCounts.Reading(at, value));
            if (readings.size() > MOST_READINGS) {
                everyNanos *= 2;
                for (int i = 0; i + 1 < readings.size(); i++) {
                    readings.set(
                            i, higher(readings.get(i), readings.remove(i + 1).value()));
                }
            }
        }

        private static TargetCounts.Reading higher(TargetCounts.Reading one, long value) {
            return new TargetCounts.Reading(one.atNanos(), Math.max(one.value(), value));
        }

        List<TargetCounts.Reading> take(long at) {
            if (readings.get(readings.size() - 1).value() != last) {
                readings.add(new TargetCounts.Reading(at, last));
            }
            List<TargetCounts.Reading> all = List.copyOf(readings);
            readings.clear();
            everyNanos = READ_NANOS;
            return all;
        }
    }

    private final Way way;
    private final List<String> usualState;
    private final List<SqlTransaction> script;
    private final Map<Object, Track> tracks = new HashMap<>();
    private final Map<String, Uses> uses = new HashMap<>();
    private final TreeSet<String> leftState = new TreeSet<>();
    private final Course sessions = new Course();
    private final Course pinnings = new Course();
    private int connections;
    private long most;
    private long pinned;
    private long readAt;

    ProxyView(Way way, List<String> usualState, List<SqlTransaction> script) {
        this.way = way;
        this.usualState = usualState;
        this.script = script;
    }

    /**
     * Probes one connection, and others if there is a proxy.
     *
     * @param localPort local port of the first connection; 0 if unknown
     * @param most connections that may be open at once, but at least two are needed
     */
    static ProxyView detect(
            Connection one,
            int localPort,
            Dialect dialect,
            ConnectionSource source,
            int most,
            List<SqlTransaction> script)
            throws SQLException {
        Optional<ServerSession> first = dialect.probe(one);
        if (localPort == 0 || first.isEmpty() || dialect.clientPort(one).orElse(localPort) == localPort) {
            return new ProxyView(Way.DIRECT, List.of(), script);
        }
        List<Connection> connections = new ArrayList<>(List.of(one));
        try {
            while (connections.size() < Math.min(Math.max(most, 2), 1 + MOST_OTHERS)) {
                connections.add(source.open());
            }
            boolean shares = areShared(connections, dialect);
            if (shares && confusesStatements(connections)) {
                throw new SQLException("the proxy shares sessions but confuses their prepared statements:"
                        + " add prepareThreshold=0 to the URL");
            }
            return new ProxyView(shares ? Way.SHARES : Way.KEEPS, first.get().state(), script);
        } finally {
            for (Connection other : connections.subList(1, connections.size())) {
                other.close();
            }
        }
    }

    /** Each round starts with the next connection; otherwise sessions in rotation would always meet the same one. */
    private static int inTurn(int round, int at, List<Connection> connections) {
        return (round + at) % connections.size();
    }

    /** Whether two connections had one session, or one had two: a busy or rotating proxy shows only the latter. */
    private static boolean areShared(List<Connection> connections, Dialect dialect) throws SQLException {
        Map<String, Connection> users = new HashMap<>();
        for (int i = 0; i < TRIES; i++) {
            for (int j = 0; j < connections.size(); j++) {
                Connection one = connections.get(inTurn(i, j, connections));
                String session = dialect.probe(one).map(ServerSession::name).orElse("");
                Connection user = users.putIfAbsent(session, one);
                if (user == null ? i > 0 : user != one) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether a statement that the driver prepares on the server fails, or is mistaken for another connection's of the
     * same name. Nothing remains of the attempt.
     */
    private static boolean confusesStatements(List<Connection> connections) throws SQLException {
        List<PreparedStatement> statements = new ArrayList<>();
        for (int i = 0; i < connections.size(); i++) {
            PreparedStatement own = connections.get(i).prepareStatement(PROBE + i);
            PGStatement driver = own.isWrapperFor(PGStatement.class) ? own.unwrap(PGStatement.class) : null;
            if (driver == null || driver.getPrepareThreshold() == 0) {
                return false; // it prepares nothing on the server
            }
            driver.setPrepareThreshold(1);
            statements.add(own);
        }
        for (int round = 0; round < TRIES; round++) {
            for (int j = 0; j < statements.size(); j++) {
                int i = inTurn(round, j, connections);
                if (!answersAsPrepared(connections.get(i), statements.get(i), Integer.toString(i))) {
                    forgetStatements(connections);
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Executes a statement where another under its name could not write. The transaction is ours, since the driver also
     * prepares the statements of its own.
     */
    private static boolean answersAsPrepared(Connection connection, PreparedStatement own, String expected)
            throws SQLException {
        try (Statement around = connection.createStatement()) {
            begin(around);
            boolean isUnconfused = answers(own, expected);
            around.execute("rollback");
            return isUnconfused;
        }
    }

    private static void begin(Statement around) throws SQLException {
        try {
            around.execute("begin transaction read only");
        } catch (SQLException failed) {
            if (SqlFailures.state(failed).equals(SqlFailures.BY_PROXY)) {
                throw new SQLException(
                        "the proxy shares sessions and refuses a transaction: " + SqlFailures.line(failed)
                                + "; it may confuse prepared statements: add prepareThreshold=0 to the URL");
            }
            throw failed;
        }
    }

    private static boolean answers(PreparedStatement own, String expected) throws SQLException {
        try (ResultSet row = own.executeQuery()) {
            return row.next() && expected.equals(row.getString(1));
        } catch (SQLException failed) {
            if (SqlFailures.isBroken(failed) && !SqlFailures.state(failed).equals(SqlFailures.BY_PROXY)) {
                throw failed;
            }
            return false;
        } catch (RuntimeException unexpected) { // the driver's, at rows of another shape
            return false;
        }
    }

    /** Removes the statements of this test, which the sessions' next users would mistake for their own. */
    private static void forgetStatements(List<Connection> connections) {
        for (int i = 0; i < TRIES; i++) {
            for (Connection one : connections) {
                try (Statement statement = one.createStatement()) {
                    statement.execute(FORGET);
                } catch (SQLException refused) {
                    // another connection may reach the same session
                }
            }
        }
    }

    boolean isShared() {
        return way == Way.SHARES;
    }

    /** Whether sessions are set read-only; a shared one would remain so for its next user, possibly somebody else. */
    boolean setsReadOnly(JdbcOptions options) {
        return !options.writes() && !isShared();
    }

    /** Records the session that a connection, identified by any object, had at a time. */
    synchronized void add(Object connection, ServerSession found, long at) {
        Track track = tracks.computeIfAbsent(connection, first -> new Track());
        if (!track.backend.equals(found.name())) {
            track.backend = found.name();
            track.sinceAt = at;
            track.probes = 0;
        }
        track.probes++;
        uses.computeIfAbsent(found.name(), first -> new Uses(track, at)).add(track, at);
        found.state().stream()
                // an earlier run may have left what this one leaves
                .filter(one -> !usualState.contains(one) || statement(one).isPresent())
                .forEach(leftState::add);
        connections = Math.max(connections, tracks.size());
        if (at - readAt >= READ_NANOS || sessions.readings.isEmpty()) {
            takeReading(at);
        }
    }

    private void takeReading(long at) {
        readAt = at;
        long used = uses.values().stream()
                .filter(one -> at - one.lastAt <= RECENT_NANOS)
                .count();
        pinned = pinned();
        most = Math.max(most, used);
        sessions.add(at, used);
        pinnings.add(at, pinned);
    }

    /** The readings of all lanes since the last call. */
    synchronized Map<String, List<TargetCounts.Reading>> courses() {
        if (sessions.readings.isEmpty()) {
            return Map.of();
        }
        uses.clear();
        return Map.of(TargetCounts.SERVER_SESSIONS, sessions.take(readAt), TargetCounts.PINNED, pinnings.take(readAt));
    }

    /** Removes a closed connection; what was found on it is kept. */
    synchronized void forget(Object connection) {
        tracks.remove(connection);
    }

    /** Sessions that only one connection has used since it got them. */
    private int pinned() {
        int count = 0;
        for (Track track : tracks.values()) {
            Uses ofBackend = uses.get(track.backend); // none if it was not probed since the last readings
            if (track.probes >= LEAST_PROBES && ofBackend != null && ofBackend.isOwn(track)) {
                count++;
            }
        }
        return tracks.size() < 2 ? 0 : count;
    }

    synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (way == Way.KEEPS) {
            lines.add("proxy: keeps a server session for each connection");
        } else if (way == Way.SHARES && connections > 0) {
            lines.add("proxy: shares " + most + (most == 1 ? " server session among " : " server sessions among ")
                    + connections + (connections == 1 ? " connection" : " connections"));
            if (pinned > 0) {
                lines.add("proxy: " + pinned + (pinned == 1 ? " connection is" : " connections are")
                        + " pinned to a session" + reason());
            } else if (!leftState.isEmpty()) {
                lines.add("proxy: state left on shared sessions" + reason());
            }
        }
        return lines;
    }

    private String reason() {
        return leftState.isEmpty()
                ? ", for no reason visible at the server"
                : leftState.stream()
                        .map(one -> one
                                + statement(one).map(sql -> " ('" + sql + "')").orElse(""))
                        .collect(Collectors.joining(", ", ": ", ""));
    }

    /** The statement that mentions the leftover state, if there is one. */
    private Optional<String> statement(String state) {
        String name = state.substring(state.lastIndexOf(' ') + 1).toLowerCase(Locale.ROOT);
        Pattern word = Pattern.compile("(?<![a-z0-9])" + Pattern.quote(name) + "(?![a-z0-9])");
        return script.stream()
                .flatMap(one -> one.statements().stream())
                .map(SqlStatement::sql)
                .filter(sql -> word.matcher(sql.toLowerCase(Locale.ROOT)).find())
                .map(sql -> sql.length() <= MOST_STATEMENT ? sql : sql.substring(0, MOST_STATEMENT - 3) + "...")
                .findFirst();
    }
}
