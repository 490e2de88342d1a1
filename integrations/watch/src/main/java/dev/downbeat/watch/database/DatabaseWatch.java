package dev.downbeat.watch.database;

import dev.downbeat.watch.sample.Sampler;
import dev.downbeat.watch.sample.SamplingWatcher;
import dev.downbeat.why.Event;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The sessions of a database server, over a connection that its caller makes. */
public final class DatabaseWatch {
    private static final long SESSIONS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String ENDED = "it ended while it was watched";

    private DatabaseWatch() {}

    /**
     * A watcher; it does nothing until it begins.
     *
     * @param spec as the user wrote it
     */
    public static Watcher of(String spec, DatabaseConnector connector) {
        return new SamplingWatcher(
                spec,
                SESSIONS_NANOS / 2,
                () -> {
                    DatabaseSampler sampler = new DatabaseSampler(connector);
                    sampler.first();
                    return List.of(new SamplingWatcher.Looking(SESSIONS_NANOS, List.of(sampler)));
                },
                ENDED);
    }

    /** Asks a database server for its sessions: now and then, and more often while somebody waits for a lock. */
    private static final class DatabaseSampler implements Sampler {
        private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final DatabaseConnector connector;
        private final DatabaseEvents events = new DatabaseEvents();
        private final List<String> refusals = new ArrayList<>();
        private @Nullable Connection connection;
        private @Nullable DatabaseServer server;
        private long nextAt;
        private long looks;
        private long lookingNanos;
        private int missed;

        DatabaseSampler(DatabaseConnector connector) {
            this.connector = connector;
        }

        /**
         * Opens its connection, and looks for the first time.
         *
         * @throws IOException if it cannot
         */
        void first() throws IOException {
            try {
                Connection opened = connector.open();
                connection = opened;
                DatabaseServer found = DatabaseServer.of(opened);
                server = found;
                refusals.addAll(found.refusals(opened));
                look(opened, found);
            } catch (SQLException refused) {
                close();
                throw new IOException(line(refused), refused);
            }
        }

        private static String line(SQLException thrown) {
            return String.valueOf(thrown.getMessage()).lines().findFirst().orElse("it cannot be opened");
        }

        private void look(Connection opened, DatabaseServer found) throws SQLException {
            long beganAt = System.nanoTime();
            events.add(found.look(opened));
            lookingNanos += System.nanoTime() - beganAt;
            looks++;
        }

        @Override
        public void sample(long now) {
            DatabaseServer found = server;
            if (found == null || now - nextAt < 0) {
                return;
            }
            try {
                Connection open = connection;
                if (open == null) {
                    open = connector.open();
                    connection = open;
                }
                look(open, found);
                nextAt = now + found.pauseNanos(events.isBusy());
            } catch (SQLException unresponsive) { // a server that stalls or restarts does not answer us either
                missed++;
                close();
                nextAt = System.nanoTime() + RETRY_NANOS;
            }
        }

        @Override
        public List<Event> events() {
            return events.events();
        }

        @Override
        public Optional<String> note() {
            List<String> notes = new ArrayList<>(refusals);
            events.sessions().ifPresent(notes::add);
            if (looks > 0) {
                notes.add(String.format(Locale.ROOT, "%d looks took %.2f ms each", looks, lookingNanos / 1e6 / looks));
            }
            if (missed > 0) {
                notes.add("the server did not answer in time " + (missed == 1 ? "once" : missed + " times"));
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
                    // it is of no use any more
                }
            }
        }
    }

    /** Opens connections to a database that is watched; they should give up on a server that does not answer within seconds. */
    public interface DatabaseConnector {
        /** A new connection, which the watcher closes. */
        Connection open() throws SQLException;
    }
}
