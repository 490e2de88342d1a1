package dev.downbeat.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A database server on this machine, in processes of its own. */
interface RealServer extends AutoCloseable {
    String url();

    /** All of its processes. */
    List<ProcessHandle> processes() throws IOException;

    default void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    default long count(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("kill", "-" + name));
        processes().forEach(one -> line.add(Long.toString(one.pid())));
        new ProcessBuilder(line).start().waitFor();
    }

    /**
     * Stops it for a while, from a pooled thread; tells for how long it was, in ns. Sleeps and does not park: such a thread
     * may still have a permit, with which a park ends at once.
     */
    default CompletableFuture<Long> freeze(Duration after, Duration length) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                TimeUnit.NANOSECONDS.sleep(after.toNanos());
                long fromAt = System.nanoTime();
                signal("STOP");
                try {
                    TimeUnit.NANOSECONDS.sleep(length.toNanos());
                } finally {
                    signal("CONT");
                }
                return System.nanoTime() - fromAt;
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    @Override
    void close() throws IOException;
}
