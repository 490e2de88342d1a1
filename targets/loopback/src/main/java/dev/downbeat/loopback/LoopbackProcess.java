package dev.downbeat.loopback;

import dev.downbeat.h2.FrameReader;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.DurationText;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LoopbackServer} in its own process, which can be frozen like Ctrl-Z does. Thread-safe.
 *
 * <p>The process ends when its parent ends, for whatever reason. If frozen at that time, it ends once continued. A
 * normal exit of this JVM, including Ctrl-C, continues it.
 */
public final class LoopbackProcess implements AutoCloseable {
    private static final int START_SECONDS = 60;
    private static final int END_SECONDS = 5;
    private static final String NO_CERTIFICATE = "none";

    private final Process process;
    private final BufferedReader stdout;
    private final String uri;
    private final Optional<X509Certificate> certificate;
    private final StopSignal stopSignal;
    private final Thread atExit;

    private LoopbackProcess(Process process, BufferedReader stdout) throws IOException {
        this.process = process;
        this.stdout = stdout;
        this.uri = readAnswer("uri");
        this.certificate = certificate(readAnswer("certificate"));
        this.stopSignal = new StopSignal(process.pid());
        this.atExit = new Thread(process::destroyForcibly, "loopback-process-end");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts the process and waits until it listens.
     *
     * @throws IOException if it does not listen within a minute; the message is the server's own, if it has one
     */
    public static LoopbackProcess start() throws IOException {
        return start(command(classPath(), LoopbackProcess.class), ProcessBuilder.Redirect.INHERIT);
    }

    /** The same for a class whose main method calls {@link #serve} with other options. */
    public static LoopbackProcess start(Class<?> main, String... args) throws IOException {
        List<String> command = command(System.getProperty("java.class.path"), main);
        command.addAll(List.of(args));
        return start(command, ProcessBuilder.Redirect.INHERIT);
    }

    /** The same for any server that writes and reads as {@link #serve} does. */
    public static LoopbackProcess start(List<String> command, ProcessBuilder.Redirect err) throws IOException {
        long begunAt = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectError(err).start();
        // A child that hangs before it listens is killed, which also ends the wait for its output.
        Thread watch = Daemon.start("loopback-process-watch", () -> endUnlessInterrupted(process));
        try {
            return new LoopbackProcess(process, process.inputReader(StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            if (System.nanoTime() - begunAt >= TimeUnit.SECONDS.toNanos(START_SECONDS)) {
                throw new IOException("it did not listen within " + START_SECONDS + " s", e);
            }
            throw e;
        } finally {
            watch.interrupt();
        }
    }

    /** The address, as in {@link LoopbackServer#uri()}. */
    public String uri() {
        return uri;
    }

    public long pid() {
        return process.pid();
    }

    /** The certificate that a client must trust; empty without TLS. */
    public Optional<X509Certificate> certificate() {
        return certificate;
    }

    /** The server's counts so far. Blocks while the process is frozen. */
    public synchronized LoopbackStats stats() throws IOException {
        OutputStream in = process.getOutputStream();
        in.write("stats\n".getBytes(StandardCharsets.UTF_8));
        in.flush();
        return LoopbackStats.parse(readAnswer("stats"));
    }

    /**
     * Stops the process (SIGSTOP) and returns once all its threads are stopped. Its sockets stay open: the kernel still
     * accepts connections and data for it. No effect if already frozen.
     *
     * @return when the signal was sent, by {@link System#nanoTime}
     * @throws IOException if the process has ended, or the system does not support the signal
     */
    public long freeze() throws IOException {
        return stopSignal.stop();
    }

    /** Continues a frozen process (SIGCONT); otherwise only prepares the signal's sender. Returns when, as {@link #freeze}. */
    public long resume() throws IOException {
        return stopSignal.send("CONT");
    }

    /** Kills the process, frozen or not, and waits until it has ended. May be called twice. */
    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                stopSignal.send("CONT");
            }
            process.getOutputStream().close();
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            // It is about to end anyway.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Forcibly, which also ends a process that could not be continued.
        process.destroyForcibly();
        process.onExit().join();
        stopSignal.close();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook will find nothing to do.
        }
    }

    private static List<String> command(String classPath, Class<?> main) {
        List<String> flags = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
        List<String> command = ChildJvm.command(flags, List.of(), System.getenv());
        command.addAll(List.of("-cp", classPath, main.getName()));
        return command;
    }

    /** Only the jars that the server needs: fewer make it start sooner. */
    private static String classPath() {
        Set<String> places = new LinkedHashSet<>();
        for (Class<?> needed : List.of(LoopbackServer.class, FrameReader.class, DurationText.class)) { // may be one jar
            CodeSource source = needed.getProtectionDomain().getCodeSource();
            if (source == null || source.getLocation() == null) {
                return System.getProperty("java.class.path");
            }
            try {
                places.add(Path.of(source.getLocation().toURI()).toString());
            } catch (URISyntaxException | RuntimeException e) {
                return System.getProperty("java.class.path");
            }
        }
        return String.join(File.pathSeparator, places);
    }

    private static void endUnlessInterrupted(Process process) {
        try {
            TimeUnit.SECONDS.sleep(START_SECONDS);
            process.destroyForcibly();
        } catch (InterruptedException e) {
            // It is listening or has ended.
        }
    }

    /** The rest of the next line, which must begin with the given word. */
    private String readAnswer(String word) throws IOException {
        String line = stdout.readLine();
        if (line == null) {
            throw new IOException("the server's process has ended");
        }
        if (!line.startsWith(word + " ")) {
            throw new IOException(line);
        }
        return line.substring(word.length() + 1);
    }

    private static Optional<X509Certificate> certificate(String text) throws IOException {
        if (text.equals(NO_CERTIFICATE)) {
            return Optional.empty();
        }
        try {
            byte[] der = Base64.getDecoder().decode(text);
            return Optional.of((X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
        } catch (CertificateException e) {
            throw new IOException("the server's certificate cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * The child. Prints its address and certificate on stdout, or one line with the reason why it cannot start; answers
     * {@code stats} on stdin; exits when stdin ends, so that it never outlives its parent.
     */
    public static void serve(LoopbackOptions options) throws CertificateEncodingException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (LoopbackServer server = LoopbackServer.start(options)) {
            out.println("uri " + server.uri());
            out.println("certificate " + certificate(server));
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (in.readLine() != null) {
                out.println("stats " + server.stats().format());
            }
        } catch (IOException | IllegalArgumentException e) {
            out.println(e.getMessage());
            System.exit(1);
        }
    }

    public static void main(String[] args) throws CertificateEncodingException {
        serve(LoopbackOptions.defaults());
    }

    private static String certificate(LoopbackServer server) throws CertificateEncodingException {
        return server.certificate().isPresent()
                ? Base64.getEncoder().encodeToString(server.certificate().get().getEncoded())
                : NO_CERTIFICATE;
    }

    /** Sends signals by a shell that it keeps running, since starting one would blur the time of a freeze. Thread-safe. */
    private static final class StopSignal {
        private static final long STOP_NANOS = 1_000_000_000L;
        private static final long POLL_NANOS = 100_000;

        private final long pid;
        private @Nullable Process shell;

        StopSignal(long pid) {
            this.pid = pid;
        }

        /** Stops the process; where /proc is available, waits up to 1 s until all its threads are stopped. */
        long stop() throws IOException {
            long sentAt = send("STOP");
            while (sentAt + STOP_NANOS - System.nanoTime() > 0 && isRunning()) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            return sentAt;
        }

        /** Returns when, by {@link System#nanoTime}. */
        synchronized long send(String signal) throws IOException {
            Process sender = shell;
            if (sender == null) {
                // kill is built into the shell; a separate program is not available everywhere.
                String loop = "while read signal; do kill -$signal " + pid + " && echo sent; done";
                sender = new ProcessBuilder("sh", "-c", loop)
                        .redirectErrorStream(true)
                        .start();
                shell = sender;
            }
            long before = System.nanoTime();
            sender.outputWriter().append(signal).append('\n').flush();
            String reply = sender.inputReader().readLine();
            if (!"sent".equals(reply)) {
                throw new IOException("cannot send SIG" + signal + " to process " + pid + ": " + reply);
            }
            return before + (System.nanoTime() - before) / 2;
        }

        synchronized void close() {
            if (shell != null) {
                shell.destroy();
            }
        }

        private boolean isRunning() throws IOException {
            Path tasks = Path.of("/proc", Long.toString(pid), "task");
            if (!Files.isDirectory(tasks)) {
                return false;
            }
            List<Path> threads;
            try (Stream<Path> list = Files.list(tasks)) {
                threads = list.toList();
            }
            for (Path thread : threads) {
                String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
                // The state follows the name, which is in parentheses and may contain parentheses itself.
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return true;
                }
            }
            return false;
        }
    }
}
