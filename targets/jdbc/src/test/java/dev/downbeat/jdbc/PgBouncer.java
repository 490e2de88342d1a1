package dev.downbeat.jdbc;

import dev.downbeat.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real PgBouncer, of the machine's own package, with three server sessions. */
record PgBouncer(int port, Process process) implements AutoCloseable {
    /** Starts it with a pool mode and more lines of settings. */
    static PgBouncer start(Path folder, Postgres server, String mode, String... settings) throws IOException {
        Program.need("pgbouncer", "what a proxy costs is tested with PgBouncer; install pgbouncer");
        int port = FreePort.find();
        Path users = Files.writeString(folder.resolve("users"), "\"postgres\" \"\"\n");
        Path file = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                postgres = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = %s
                default_pool_size = %d
                ignore_startup_parameters = extra_float_digits
                %s
                """.formatted(
                server.port(), port, users, mode, mode.equals("session") ? 20 : 3, String.join("\n", settings)));
        List<String> line = new ArrayList<>(List.of(Program.path("pgbouncer"), "-q"));
        if (System.getProperty("user.name").equals("root")) { // it refuses to run as root
            line.addAll(List.of("-u", "nobody"));
            for (Path one = folder; one.startsWith(System.getProperty("java.io.tmpdir")); one = one.getParent()) {
                one.toFile().setExecutable(true, false);
            }
        }
        line.add(file.toString());
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("pgbouncer.log").toFile())
                .start();
        long endAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() - endAt < 0) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return new PgBouncer(port, process);
            } catch (IOException notYet) {
                LockSupport.parkNanos(20_000_000);
            }
        }
        throw new IOException("PgBouncer does not start");
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&prepareThreshold=0";
    }

    @Override
    public void close() {
        process.destroy();
    }
}
