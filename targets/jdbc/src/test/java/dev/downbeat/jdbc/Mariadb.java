package dev.downbeat.jdbc;

import dev.downbeat.testing.FreePort;
import dev.downbeat.testing.NotShown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real MariaDB, of the machine's own package. */
final class Mariadb implements RealServer {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final int port;
    private final Process server;

    Mariadb(Path folder) {
        Program.need("mariadbd", "what databases cost is tested with MariaDB; install mariadb-server");
        Path data = folder.resolve("maria");
        try {
            Files.createDirectory(data);
            String user = "--user=" + System.getProperty("user.name");
            Process made = new ProcessBuilder(
                            "mariadb-install-db",
                            "--no-defaults",
                            "--datadir=" + data,
                            user,
                            "--skip-test-db",
                            "--auth-root-authentication-method=normal")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("install.log").toFile())
                    .start();
            if (made.waitFor() != 0) {
                throw NotShown.because("mariadb-install-db failed", "what databases cost is tested with MariaDB");
            }
            port = FreePort.find();
            server = new ProcessBuilder(
                            Program.path("mariadbd"),
                            "--no-defaults",
                            user,
                            "--datadir=" + data,
                            "--port=" + port,
                            "--bind-address=127.0.0.1",
                            "--socket=" + data.resolve("s"),
                            "--innodb-buffer-pool-size=32M",
                            "--innodb-log-file-size=8M")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("mariadb.log").toFile())
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        await();
    }

    private void await() {
        long endAt = System.nanoTime() + LONGEST_NANOS;
        while (server.isAlive() && System.nanoTime() - endAt < 0) {
            try {
                execute("create database if not exists shop");
                return;
            } catch (SQLException notYet) {
                LockSupport.parkNanos(100_000_000);
            }
        }
        server.destroy();
        throw new IllegalStateException("MariaDB does not start");
    }

    @Override
    public String url() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=root";
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of(server.toHandle());
    }

    @Override
    public void close() {
        server.destroy();
        server.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
