package dev.downbeat.loopback;

import dev.downbeat.h2.FrameReader;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A {@link LoopbackServer} in a process of its own, which can be frozen as Ctrl-Z does it. Thread-safe.
 *
 * <p>The process ends by itself when the one that started it ends, however that came about. One that is frozen at that
 * moment ends as soon as it is continued; a normal end of this JVM, Ctrl-C included, continues it.
 */
public final class LoopbackProcess implements AutoCloseable {
    private static final int START_SECONDS = 60;
    private static final int END_SECONDS = 5;

    private final Process process;
    private final BufferedReader said;
    private final String uri;
    private final Optional<X509Certificate> certificate;
    private final StopSignal stopSignal;
    private final Thread atExit;

    private LoopbackProcess(Process process, BufferedReader said) throws IOException {
        this.process = process;
        this.said = said;
        this.uri = answer("uri");
        this.certificate = certificate(answer("certificate"));
        this.stopSignal = new StopSignal(process.pid());
        this.atExit = new Thread(process::destroyForcibly, "loopback-process-end");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts the process and waits until it listens.
     *
     * @throws IOException if it does not come to listen within a minute; the message is the server's own, where it has
     *     one
     */
    public static LoopbackProcess start(LoopbackOptions options) throws IOException {
        Process process = new ProcessBuilder(command(options))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        // A child that hangs before it listens is ended, which ends the wait for its words too.
        Thread watch = new Thread(() -> endUnlessInterrupted(process), "loopback-process-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            return new LoopbackProcess(
                    process,
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        } finally {
            watch.interrupt();
        }
    }

    /** Where it is, as {@link LoopbackServer#uri()}. */
    public String uri() {
        return uri;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** The certificate that a client must trust; empty without TLS. */
    public Optional<X509Certificate> certificate() {
        return certificate;
    }

    /**
     * What the server has done so far. While it is frozen this waits for it to be continued.
     *
     * @throws IOException if the process has ended
     */
    public synchronized LoopbackStats stats() throws IOException {
        OutputStream in = process.getOutputStream();
        in.write("stats\n".getBytes(StandardCharsets.UTF_8));
        in.flush();
        return LoopbackStats.parse(answer("stats"));
    }

    /**
     * Stops the process (SIGSTOP) and returns when all its threads are stopped. Its sockets stay open: the kernel goes
     * on accepting connections and bytes for it. Nothing happens if it is frozen already.
     *
     * @throws IOException if the process has ended, or the system knows no such signal
     */
    public void freeze() throws IOException {
        stopSignal.stop();
    }

    /**
     * Lets a frozen process go on (SIGCONT). Nothing happens if it is not frozen.
     *
     * @throws IOException as {@link #freeze()}
     */
    public void resume() throws IOException {
        stopSignal.carryOn();
    }

    /** Ends the process, frozen or not, and waits until it is gone. May be called twice. */
    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                stopSignal.carryOn();
            }
            process.getOutputStream().close();
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            // It is about to end anyhow.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Forcibly also ends one that could not be continued.
        process.destroyForcibly();
        process.onExit().join();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook finds nothing to do.
        }
    }

    static List<String> command(LoopbackOptions options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(List.of("-cp", classPath(), LoopbackProcessMain.class.getName()));
        command.addAll(options.toArgs());
        return command;
    }

    /** Only what the server needs, this and HTTP/2's wire: the fewer jars the sooner it listens. */
    private static String classPath() {
        Set<String> places = new LinkedHashSet<>();
        for (Class<?> needed : List.of(LoopbackServer.class, FrameReader.class)) { // one place, in a jar with all
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
            // It listens, or has ended.
        }
    }

    /** The rest of the next line, which must begin with the given word. */
    private String answer(String word) throws IOException {
        String line = said.readLine();
        if (line == null) {
            throw new IOException("the loopback server's process has ended");
        }
        if (!line.startsWith(word + " ")) {
            throw new IOException(line);
        }
        return line.substring(word.length() + 1);
    }

    private static Optional<X509Certificate> certificate(String text) throws IOException {
        if (text.equals(LoopbackProcessMain.NO_CERTIFICATE)) {
            return Optional.empty();
        }
        try {
            byte[] der = Base64.getDecoder().decode(text);
            return Optional.of((X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
        } catch (CertificateException e) {
            throw new IOException("the loopback server's certificate cannot be read: " + e.getMessage(), e);
        }
    }
}
