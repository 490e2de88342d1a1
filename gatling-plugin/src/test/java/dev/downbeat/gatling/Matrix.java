package dev.downbeat.gatling;

import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import scala.tools.nsc.Main;

/**
 * Prints a table, {@code gatling-plugin/matrix}: each Gatling with its own jars, by the class that a simulation extends (Java,
 * Scala) and by the launcher; the service stands still for 3.7 s, and then the generator (SIGSTOP). At a constant rate the law
 * is the same for both: a request that is due so long before the end of the freeze waits so long.
 */
final class Matrix {
    private static final int RATE = 50;
    private static final int SECONDS = 8;
    private static final long FREEZE_MILLIS = 3_700;
    private static final long FROM_MILLIS = 2_000;

    private Matrix() {}

    /** A way to have a simulation corrected. */
    private record Way(String name, String simulation, List<String> options) {}

    /**
     * Runs all of them.
     *
     * @param args versions
     */
    public static void main(String[] args) throws Exception {
        Path work = Files.createTempDirectory("matrix");
        Path classes = Files.createDirectories(work.resolve("classes"));
        Main.process(new String[] {
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString(),
            "src/test/resources/scala/OpenInScala.scala"
        });
        List<Way> ways = List.of(
                new Way("Java, by its class", Simulations.Open.class.getName(), List.of()),
                new Way("Scala, by its class", "OpenInScala", List.of()),
                new Way(
                        "Java, by the launcher",
                        Corrected.class.getName(),
                        List.of("-Ddownbeat.simulation=" + Simulations.OpenPlain.class.getName())));
        System.out.println(
                "| Gatling | simulation | frozen | requests | p99 by law, ms | p99, ms | off by | exit code |");
        System.out.println("|---|---|---|--:|--:|--:|--:|--:|");
        for (String version : args) {
            OtherGatling plain = OtherGatling.of(version);
            OtherGatling gatling = new OtherGatling(version, classes + File.pathSeparator + plain.classPath());
            for (Way way : ways) {
                row(gatling, way, true, work);
                row(gatling, way, false, work);
            }
        }
    }

    private static void row(OtherGatling gatling, Way way, boolean service, Path work) throws Exception {
        Path folder = Files.createTempDirectory(work, "run");
        try (LoopbackProcess server = LoopbackProcess.start(
                LoopbackOptions.builder().acceptQueue(4_096).build())) {
            Process process = gatling.begin(
                    way.simulation(),
                    folder,
                    Stream.concat(
                                    Stream.of(
                                            "-Dtest.url=" + server.uri(),
                                            "-Dtest.rate=" + RATE,
                                            "-Dtest.seconds=" + SECONDS),
                                    way.options().stream())
                            .toArray(String[]::new));
            while (server.stats().requestsReceived() < RATE * FROM_MILLIS / 1_000 && process.isAlive()) {
                Thread.sleep(2);
            }
            if (service) {
                server.freeze();
            } else {
                signal(process, "STOP");
            }
            long at = System.nanoTime();
            Thread.sleep(FREEZE_MILLIS);
            long frozenNanos = System.nanoTime() - at;
            if (service) {
                server.resume();
            } else {
                signal(process, "CONT");
            }
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            process.destroyForcibly();
            GatlingRun run =
                    new GatlingRun(ended ? process.exitValue() : -1, GatlingRun.only(folder.resolve("results")), "");
            double law = law(frozenNanos) / 1e6;
            double is = run.json().at("/response/p99_ns").longValue() / 1e6;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %d | %.0f | %.0f | %+.1f %% | %d |%n",
                    gatling.version(),
                    way.name(),
                    service ? "service" : "generator",
                    run.ledger("answered"),
                    law,
                    is,
                    100 * (is - law) / law,
                    run.exitCode());
        }
    }

    /** The 99th percentile of the waits of all requests, by nearest rank. */
    private static long law(long frozenNanos) {
        long[] waits = new long[RATE * SECONDS];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = Math.max(0, frozenNanos - i * (1_000_000_000L / RATE));
        }
        return Standstill.percentile(waits, 99);
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    }
}
