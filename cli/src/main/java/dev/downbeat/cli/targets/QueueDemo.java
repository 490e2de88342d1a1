package dev.downbeat.cli.targets;

import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.QueueOptions;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.OptionalJar;
import dev.downbeat.cli.terminal.Platform;
import dev.downbeat.exchange.Target;
import dev.downbeat.loopback.ChildJvm;
import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * The queue of {@code sqs:demo}: ElasticMQ behind a proxy that closes connections after 80 requests. It runs in its own
 * process, so that its garbage collections do not pause Downbeat. Its jar is large and may be missing.
 */
public final class QueueDemo implements AutoCloseable {
    private static final String MAIN = "dev.downbeat.sqsdemo.SqsDemoMain";
    private static final String JAR = "downbeat-sqs-demo.jar";

    /** Few connections, so that two processes on a laptop do not compete for a storm of handshakes at the start. */
    private static final long CONNECTIONS = 8;

    private static final int WARM_UP_CLIENTS = 16;
    private static final Duration WARM_UP = Duration.ofSeconds(4);
    private final LoopbackProcess server;

    private QueueDemo(LoopbackProcess server) {
        this.server = server;
    }

    /** Starts the queue and waits up to a minute until it listens. */
    public static QueueDemo start() throws IOException {
        List<String> command = command(classPath());
        try {
            return new QueueDemo(LoopbackProcess.start(command, ProcessBuilder.Redirect.DISCARD));
        } catch (IOException broken) {
            throw new IOException("the demo's queue did not start: " + Messages.of(broken), broken);
        }
    }

    /** Fills in the demo's few connections, unless others are given. */
    public static ClientOptions withDefaults(ClientOptions asking) {
        return asking.with(asking.connections().withDefaultCount(CONNECTIONS));
    }

    /** Warms up the demo's process and Downbeat's TLS, whose class loading and compilation should not be measured. */
    public static void warmUp(Target demo, Interruption interruption) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Closed(WARM_UP_CLIENTS, ThinkTime.none()))
                .duration(WARM_UP)
                .timeout(Duration.ofSeconds(2))
                .build();
        LoadRun warmUp = new LoadRun(plan, demo);
        interruption.onFirst(warmUp::stop);
        warmUp.run(Progress.none());
    }

    URI uri() {
        return URI.create(server.uri());
    }

    X509Certificate certificate() {
        return server.certificate().orElseThrow();
    }

    private static List<String> command(String classPath) {
        // Ctrl-C reaches the whole process group; this one must keep serving until Downbeat's process has finished.
        List<String> command = new ArrayList<>(List.of(Platform.here().ignoringCtrlC()));
        List<String> flags = List.of(
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-XX:+DisplayVMOutputToStderr"); // its first line on stdout is the address
        command.addAll(ChildJvm.command(flags, List.of(), System.getenv()));
        command.addAll(List.of("-cp", classPath, MAIN));
        return command;
    }

    private static String classPath() {
        Optional<Path> beside = OptionalJar.beside(JAR).filter(Files::isRegularFile);
        if (beside.isPresent()) {
            return beside.get().toString();
        }
        try {
            Class.forName(MAIN, false, QueueDemo.class.getClassLoader());
            return System.getProperty("java.class.path");
        } catch (ClassNotFoundException absent) {
            throw new TypeConversionException(Messages.missingJar(QueueOptions.PREFIX + QueueOptions.DEMO, JAR)
                    + " (for a queue named " + QueueOptions.DEMO + " elsewhere, give --endpoint or --region)");
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
