package dev.downbeat.watch.database;

import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession.Role;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.DatabaseSession.State;
import dev.downbeat.watch.database.DatabaseEvents.SessionSample.LockWait;
import dev.downbeat.watch.sample.SamplingWatcher;
import dev.downbeat.watch.sample.SamplingWatcher.Sampler;
import dev.downbeat.why.Event;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Watches the sessions of a database server over a connection from its caller. */
public final class DatabaseWatch {
    private static final long SESSIONS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private DatabaseWatch() {}

    /** Creates a watcher, which does nothing until it is started. */
    public static Watcher of(String spec, Connector connector) {
        return new SamplingWatcher(spec, 0, () -> {
            SessionSampler sampler = new SessionSampler(connector);
            sampler.first();
            return List.of(new SamplingWatcher.SamplingGroup(SESSIONS_NANOS, List.of(sampler)));
        });
    }

    /** Timeouts of two seconds, in the drivers' own units, so that a hanging server does not hang the watcher. */
    public static Properties limits(String url) {
        Properties limits = new Properties();
        String limit = url.startsWith("jdbc:postgresql:") ? "2" : "2000";
        limits.setProperty("connectTimeout", limit);
        limits.setProperty("socketTimeout", limit);
        return limits;
    }

    /** Samples the sessions of a database server, more often while an event is in progress. */
    private static final class SessionSampler implements Sampler {
        private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final Connector connector;
        private final DatabaseEvents events = new DatabaseEvents();
        private final List<String> refusals = new ArrayList<>();
        private @Nullable Connection connection;
        private @Nullable Server server;
        private long nextAt;
        private long samples;
        private long sampleNanos;
        private int missed;

        SessionSampler(Connector connector) {
            this.connector = connector;
        }

        /** Opens the connection and takes the first sample; throws with one line if that fails. */
        void first() throws IOException {
            try {
                Connection opened = connector.open();
                connection = opened;
                Server found = Server.of(opened);
                server = found;
                refusals.addAll(found.refusals(opened));
                take(opened, found);
            } catch (SQLException refused) {
                close();
                refusals.add(line(refused)); // MariaDB refuses the first sample without a permission
                throw new IOException(String.join(": ", refusals), refused);
            } catch (IOException unsupported) {
                close();
                throw unsupported;
            }
        }

        private static String line(SQLException thrown) {
            return String.valueOf(thrown.getMessage()).lines().findFirst().orElse("it cannot be opened");
        }

        private void take(Connection opened, Server found) throws SQLException {
            long beganAt = System.nanoTime();
            events.add(found.sample(opened));
            sampleNanos += System.nanoTime() - beganAt;
            samples++;
        }

        @Override
        public void sample(long now) {
            Server found = server;
            if (found == null || now - nextAt < 0) {
                return;
            }
            try {
                Connection open = connection;
                if (open == null) {
                    open = connector.open();
                    connection = open;
                }
                take(open, found);
                nextAt = now + found.pauseNanos(events.isBusy());
            } catch (SQLException unresponsive) { // a stalled or restarting server does not respond here either
                missed++;
                close();
                nextAt = System.nanoTime() + RETRY_NANOS;
            }
        }

        @Override
        public List<Event> events() {
            return events.events();
        }

        /** Half of the usual pause, rounded up to ticks; only during events are pauses shorter. */
        @Override
        public long uncertaintyNanos() {
            Server found = server;
            return found == null ? 0 : ((found.usualNanos + SESSIONS_NANOS - 1) / SESSIONS_NANOS) * SESSIONS_NANOS / 2;
        }

        @Override
        public Optional<String> note(long fromAt, long toAt) {
            List<String> notes = new ArrayList<>(refusals);
            notes.addAll(events.notes());
            events.sessions(fromAt, toAt).ifPresent(notes::add);
            if (samples > 0) {
                notes.add(String.format(
                        Locale.ROOT,
                        samples == 1 ? "%,d sample took %.2f ms" : "%,d samples took %.2f ms each",
                        samples,
                        sampleNanos / 1e6 / samples));
            }
            if (missed > 0) {
                notes.add((missed == 1 ? "1 sample" : missed + " samples") + " got no answer, or none in time");
            }
            return Optional.of(String.join(". ", notes));
        }

        @Override
        public void close() {
            Connection open = connection;
            connection = null;
            if (open != null) {
                try {
                    open.close();
                } catch (SQLException closed) {
                    // it is unusable anyway
                }
            }
        }
    }

    /** The queries for each kind of server. Ages are computed by the server, so its clock does not matter. */
    private enum Server {
        POSTGRESQL(
                """
                select pid::text, coalesce(nullif(application_name, ''), usename::text, ''), backend_type,
                       case when backend_type <> 'checkpointer' then coalesce(state, '')
                            when backend_start is null or wait_event in ('CheckpointerMain', 'CheckpointWriteDelay') then 'idle'
                            else 'active' end,
                       case when wait_event_type in ('Client', 'Activity') then '' else coalesce(wait_event_type, '') end,
                       coalesce(wait_event, ''),
                       extract(epoch from clock_timestamp() - backend_start), extract(epoch from clock_timestamp() - state_change)
                from pg_stat_activity
                where pid <> pg_backend_pid() and backend_type in ('client backend', 'checkpointer', 'autovacuum worker')""",
                """
                select l.pid::text, extract(epoch from clock_timestamp() - coalesce(l.waitstart, a.query_start)),
                       coalesce(l.relation::regclass::text,
                                (select min(h.relation::regclass::text) from pg_locks h where h.pid = l.pid and h.locktype = 'tuple'),
                                l.locktype),
                       array_to_string(pg_blocking_pids(l.pid), ',')
                from pg_locks l join pg_stat_activity a on a.pid = l.pid
                where not l.granted""",
                "select pg_has_role('pg_read_all_stats', 'usage') or usesuper from pg_user where usename = current_user",
                "grant pg_monitor to the user, or the states and waits of other users are not seen",
                50,
                0),
        MARIADB(
                """
                select p.id, p.user, 'client backend',
                       case when p.command <> 'Sleep' then 'active' when t.trx_id is null then 'idle' else 'idle in transaction' end,
                       case when p.state like 'Waiting for%lock' or t.trx_state = 'LOCK WAIT' then 'Lock' else '' end, coalesce(p.state, ''),
                       p.time_ms / 1000, p.time_ms / 1000
                from information_schema.processlist p
                left join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id
                where p.id <> connection_id() and p.command <> 'Daemon'""",
                """
                select p.id, p.time_ms / 1000, coalesce(replace(min(l.lock_table), '`', ''), 'a table'),
                       group_concat(b.trx_mysql_thread_id)
                from information_schema.processlist p
                left join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id
                left join information_schema.innodb_lock_waits w on w.requesting_trx_id = t.trx_id
                left join information_schema.innodb_locks l on l.lock_id = w.requested_lock_id
                left join information_schema.innodb_trx b on b.trx_id = w.blocking_trx_id
                where p.state like 'Waiting for%lock' or t.trx_state = 'LOCK WAIT'
                group by p.id, p.time_ms""",
                "select count(*) > 0 from information_schema.user_privileges where privilege_type = 'PROCESS' and grantee ="
                        + " concat('''', replace(current_user(), '@', '''@'''), '''')",
                "grant process to the user, or the sessions of other users are not seen",
                // InnoDB repeats its last answer for 100 ms
                150,
                150);

        private final String sessions;
        private final String waits;
        private final String permissionQuery;
        private final String remedy;
        private final long usualNanos;
        private final long busyNanos;

        Server(
                String sessions,
                String waits,
                String permissionQuery,
                String remedy,
                long usualMillis,
                long busyMillis) {
            this.sessions = sessions;
            this.waits = waits;
            this.permissionQuery = permissionQuery;
            this.remedy = remedy;
            this.usualNanos = TimeUnit.MILLISECONDS.toNanos(usualMillis);
            this.busyNanos = TimeUnit.MILLISECONDS.toNanos(busyMillis);
        }

        /** The kind of the connected server; throws if it is unsupported. */
        static Server of(Connection connection) throws SQLException, IOException {
            String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
            if (product.contains("postgresql")) {
                if (connection.getMetaData().getDatabaseMajorVersion() < 14) {
                    throw new IOException("PostgreSQL 14 or later can be watched");
                }
                return POSTGRESQL;
            }
            if (product.contains("mariadb")) {
                return MARIADB;
            }
            throw new IOException("PostgreSQL and MariaDB can be watched, but not " + product);
        }

        /** The time until the next sample; shorter while an event is in progress, whose end should be seen in time. */
        long pauseNanos(boolean isBusy) {
            return isBusy ? busyNanos : usualNanos;
        }

        /** The missing permissions of the user, with their remedy. */
        List<String> refusals(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(permissionQuery)) {
                return row.next() && row.getBoolean(1) ? List.of() : List.of(remedy);
            }
        }

        /** Takes a sample; queries locks only if a session waits for one. */
        DatabaseEvents.SessionSample sample(Connection connection) throws SQLException {
            long beganAt = System.nanoTime();
            try (Statement statement = connection.createStatement()) {
                List<DatabaseSession> all = new ArrayList<>();
                boolean isLocked = false;
                long at = beganAt;
                try (ResultSet row = statement.executeQuery(sessions)) {
                    at = beganAt + (System.nanoTime() - beganAt) / 2;
                    while (row.next()) {
                        String kind = row.getString(5);
                        isLocked |= kind.equals("Lock");
                        all.add(new DatabaseSession(
                                row.getString(1),
                                row.getString(2),
                                role(row.getString(3)),
                                State.of(row.getString(4)),
                                kind.isEmpty() ? "" : (kind + " " + row.getString(6)).strip(),
                                at - nanos(row, 7),
                                at - nanos(row, 8)));
                    }
                }
                return new DatabaseEvents.SessionSample(at, all, isLocked ? waits(statement) : List.of());
            }
        }

        private static Role role(String text) {
            return switch (text) {
                case "checkpointer" -> Role.CHECKPOINTER;
                case "autovacuum worker" -> Role.AUTOVACUUM;
                default -> Role.CLIENT;
            };
        }

        private static long nanos(ResultSet row, int column) throws SQLException {
            return Math.max(0, (long) (row.getDouble(column) * 1e9));
        }

        private List<LockWait> waits(Statement statement) throws SQLException {
            List<LockWait> all = new ArrayList<>();
            try (ResultSet row = statement.executeQuery(waits)) {
                long at = System.nanoTime();
                while (row.next()) {
                    String blockers = row.getString(4);
                    all.add(new LockWait(
                            row.getString(1),
                            at - nanos(row, 2),
                            row.getString(3),
                            blockers == null || blockers.isEmpty() ? List.of() : List.of(blockers.split(","))));
                }
            }
            return all;
        }
    }

    /** Opens connections to a watched database; they should time out within seconds. */
    public interface Connector {
        /** A new connection, closed by the watcher. */
        Connection open() throws SQLException;
    }
}
