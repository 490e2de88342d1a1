package dev.downbeat.cli.queue;

import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.file.MissingJar;
import dev.downbeat.cli.measurement.Asking;
import dev.downbeat.cli.measurement.QueueUse;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.terminal.Platform;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.TypeConversionException;

/**
 * The queue of {@code sqs:demo}: ElasticMQ behind a front that closes connections after 80 requests, in a process of its
 * own, so that its garbage is not collected in ours. Its jar is large and may be absent.
 */
public final class QueueDemo implements AutoCloseable {
    static final String QUEUE = "demo";

    private static final String MAIN = "dev.downbeat.sqsdemo.SqsDemoMain";
    private static final String JAR = "downbeat-sqs-demo.jar";

    /** So few that a cold start is no storm of handshakes, which two processes on one laptop would fight for. */
    private static final long CONNECTIONS = 8;

    private static final int REHEARSAL_CLIENTS = 16;
    private static final Duration REHEARSAL = Duration.ofSeconds(4);
    private static final int START_SECONDS = 60;
    private static final int END_SECONDS = 2;

    private final Process process;
    private final URI uri;
    private final X509Certificate certificate;

    private QueueDemo(Process process, URI uri, X509Certificate certificate) {
        this.process = process;
        this.uri = uri;
        this.certificate = certificate;
    }

    /** Whether the target is the embedded queue, and not one of that name elsewhere. */
    public static boolean isMeant(String target, QueueUse queue) {
        return target.equals("sqs:" + QUEUE)
                && queue.endpoint().isEmpty()
                && queue.region().isEmpty();
    }

    /**
     * Starts it and waits until it listens.
     *
     * @param closing of connections: the least and the most requests, and whether it is said before; SQS's 80 if empty
     * @throws IOException if it does not come to listen within a minute
     */
    public static QueueDemo start(List<String> closing) throws IOException {
        Process process = new ProcessBuilder(command(classPath(), closing))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "downbeat-demo-end"));
        Thread watch = new Thread(() -> endUnlessInterrupted(process), "downbeat-demo-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
            return new QueueDemo(process, URI.create(answer(said, "uri")), certificate(answer(said, "certificate")));
        } catch (IOException | RuntimeException broken) {
            process.destroyForcibly();
            throw broken;
        } finally {
            watch.interrupt();
        }
    }

    /** Few connections, unless others are asked for. */
    public static Asking assume(Asking asking) {
        return asking.with(asking.connections().or(CONNECTIONS));
    }

    /** The demo's own process is cold too, and so is our TLS: what both load and compile is no part of the story. */
    public static void rehearse(Target demo, Interruption interruption) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Closed(REHEARSAL_CLIENTS, ThinkTime.none()))
                .duration(REHEARSAL)
                .timeout(Duration.ofSeconds(2))
                .build();
        LoadRun rehearsal = new LoadRun(plan, demo);
        interruption.onFirst(rehearsal::stop);
        rehearsal.run(Progress.none());
    }

    URI uri() {
        return uri;
    }

    X509Certificate certificate() {
        return certificate;
    }

    private static List<String> command(String classPath, List<String> closing) {
        List<String> command = new ArrayList<>();
        // Ctrl-C reaches the whole group of processes: this one must answer until ours has done.
        command.addAll(List.of(Platform.here().deafToCtrlC()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(List.of("-cp", classPath, MAIN));
        command.addAll(closing);
        return command;
    }

    private static String classPath() {
        Path beside = ourPlace().resolveSibling(JAR);
        if (Files.isRegularFile(beside)) {
            return beside.toString();
        }
        try {
            Class.forName(MAIN, false, QueueDemo.class.getClassLoader());
            return System.getProperty("java.class.path");
        } catch (ClassNotFoundException absent) {
            throw new TypeConversionException(MissingJar.refusal("sqs:" + QUEUE, JAR) + " (for a queue named " + QUEUE
                    + " elsewhere, give --endpoint or --region)");
        }
    }

    private static Path ourPlace() {
        CodeSource source = QueueDemo.class.getProtectionDomain().getCodeSource();
        try {
            return source == null ? Path.of(".") : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException odd) {
            return Path.of(".");
        }
    }

    private static void endUnlessInterrupted(Process process) {
        try {
            TimeUnit.SECONDS.sleep(START_SECONDS);
            process.destroyForcibly();
        } catch (InterruptedException listens) {
            Thread.currentThread().interrupt();
        }
    }

    private static String answer(BufferedReader said, String word) throws IOException {
        String line = said.readLine();
        if (line == null || !line.startsWith(word + " ")) {
            throw new IOException("the demo's queue did not start" + (line == null ? "" : ": " + Messages.line(line)));
        }
        return line.substring(word.length() + 1);
    }

    private static X509Certificate certificate(String text) throws IOException {
        try {
            byte[] der = Base64.getDecoder().decode(text);
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException odd) {
            throw new IOException("the demo's certificate cannot be read: " + odd.getMessage(), odd);
        }
    }

    /** Ends the process; throws nothing. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (IOException gone) {
            // As wanted.
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
