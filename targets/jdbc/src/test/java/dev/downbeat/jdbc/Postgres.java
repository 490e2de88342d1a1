package dev.downbeat.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A real PostgreSQL on this machine, in processes of its own. */
final class Postgres implements RealServer {
    private final Path data;
    private final EmbeddedPostgres server;

    Postgres(Path folder) {
        try {
            data = folder.resolve("data");
            server = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(true)
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "40")
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres";
    }

    int port() {
        return server.getPort();
    }

    /** Sessions but the one that asks: a server notices a moment later that one is closed. */
    long sessions() throws SQLException {
        long endAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        long sessions = 1;
        while (sessions > 0 && System.nanoTime() < endAt) {
            sessions = count("select count(*) from pg_stat_activity where application_name = 'downbeat'");
        }
        return sessions;
    }

    /** Lets users log in by a password only; the host that we use is another one. */
    void askForPasswords(String user) throws IOException, SQLException {
        Path rules = data.resolve("pg_hba.conf");
        Files.writeString(rules, "host all " + user + " 127.0.0.1/32 scram-sha-256\n" + Files.readString(rules));
        execute("select pg_reload_conf()");
    }

    private ProcessHandle postmaster() throws IOException {
        String first = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
        return ProcessHandle.of(Long.parseLong(first.strip())).orElseThrow();
    }

    @Override
    public List<ProcessHandle> processes() throws IOException {
        ProcessHandle postmaster = postmaster();
        return Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    }

    /** Kills one session's process, upon which the server ends all sessions and recovers. */
    CompletableFuture<Void> killSession(Duration after) {
        return CompletableFuture.runAsync(() -> {
            try {
                LockSupport.parkNanos(after.toNanos());
                long pid = count("select pid from pg_stat_activity where application_name = 'downbeat' limit 1");
                new ProcessBuilder("kill", "-9", Long.toString(pid)).start().waitFor();
            } catch (IOException | InterruptedException | SQLException failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
