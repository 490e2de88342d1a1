package dev.downbeat.gatling;

import dev.downbeat.loopback.LoopbackProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints rows of a table, {@code gatling-plugin/matrix}: one Gatling under the build tools of its users, in each language, by
 * the class that a simulation extends and by the launcher. The service is frozen for 3.7 s, and then the generator (SIGSTOP).
 *
 * <p>Two laws stand beside what Downbeat says. By the freeze alone, a request that is due so long before its end waits so long,
 * as if all that had gathered were sent and answered at once. What the service counts has that time too: see {@link Witness}.
 * The second is the one to agree with, to {@link #TOLERANCE}.
 */
final class Matrix {
    /** So few that who was frozen has soon caught up. */
    private static final int RATE = 10;

    private static final int SECONDS = 10;
    private static final double TOLERANCE = 0.03;
    private static final long FREEZE_MILLIS = 3_700;
    private static final long FROM_MILLIS = 4_000;
    /** A tool may have to fetch and compile first. */
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(4);

    private static boolean isFar;
    private static final List<String> FILES = List.of(
            "index.html",
            "downbeat.html",
            "downbeat.json",
            "downbeat.hlog",
            "downbeat-junit.xml",
            "downbeat-requests.csv");
    private static final List<String> FROZEN = List.of("service", "generator");

    /** Which rows are wanted, such as "Maven Java service". */
    private static final Pattern WANTED = Pattern.compile(System.getenv().getOrDefault("ROWS", ""));

    private Matrix() {}

    /**
     * A way to run simulations of a project.
     *
     * @param said how the tool says that a test has failed, as a regular expression
     * @param unsaid how it says otherwise, if it says so of each simulation
     */
    private record Way(String tool, String language, String said, String unsaid, List<String> command) {}

    /** The 99th percentile by the freeze alone, and by what the service counted, as well as that was looked at. */
    private record Laws(long aloneNanos, long leastNanos, long mostNanos) {}

    /**
     * Runs all of them; ends with 1 if a row is too far from the law.
     *
     * @param args Gatling's version, the folder of the projects, sbt's launcher, and options for both tools
     */
    public static void main(String[] args) throws Exception {
        Path work = Path.of(args[1]);
        List<String> options = new ArrayList<>(List.of(args).subList(3, args.length));
        options.addAll(List.of(
                "-Dgatling.version=" + args[0],
                "-Drate=" + RATE,
                "-Dseconds=" + SECONDS,
                "-Ddownbeat.objectives=p90<1s"));
        Path maven = work.resolve("maven");
        for (Way way : List.of(
                maven("Java", "freezes.JavaSimulation"),
                maven("Kotlin", "freezes.KotlinSimulation"),
                maven(
                        "Java, by the launcher",
                        Corrected.class.getName(),
                        "-Ddownbeat.simulation=freezes.PlainSimulation"))) {
            for (String frozen : wanted(way)) {
                rows(args[0], way, options, maven, List.of(frozen));
            }
        }
        List<String> sbt =
                List.of("java", "-Xmx700m", "-Dsbt.log.noformat=true", "-jar", args[2], "Test/testOnly freezes.*");
        Way scala = new Way("sbt", "Scala", "Simulation \\w+ failed", "Simulation \\w+ successful", sbt);
        if (!wanted(scala).isEmpty()) {
            rows(args[0], scala, options, work.resolve("sbt"), FROZEN); // one call of sbt runs both
        }
        System.exit(isFar ? 1 : 0);
    }

    private static List<String> wanted(Way way) {
        return FROZEN.stream()
                .filter(each -> WANTED.matcher(way.tool() + " " + way.language() + " " + each)
                        .find())
                .toList();
    }

    private static Way maven(String language, String simulation, String... more) {
        List<String> command =
                new ArrayList<>(List.of("mvn", "-B", "-o", "-Dgatling.simulationClass=" + simulation, "gatling:test"));
        command.addAll(List.of(more));
        return new Way("Maven", language, "Gatling simulation assertions failed", "BUILD SUCCESS", command);
    }

    /** One call of a tool, which runs a simulation for each thing that is to be frozen. */
    private static void rows(String version, Way way, List<String> options, Path project, List<String> frozen)
            throws Exception {
        Path results = project.resolve("target/gatling");
        List<Path> before = folders(results);
        List<Laws> laws = new ArrayList<>();
        Path out = Files.createTempFile(project, "out", ".log");
        int code;
        try (LoopbackProcess server = LoopbackProcess.start(Freeze.Server.class)) {
            List<String> command = new ArrayList<>(way.command());
            command.addAll(1, options);
            command.add(1, "-Dtarget=" + server.uri().replaceAll("/$", ""));
            Process process = new ProcessBuilder(command)
                    .directory(project.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .start();
            Witness witness = new Witness(server);
            for (String each : frozen) {
                witness.begin();
                long untilAt = System.nanoTime() + LONGEST_NANOS;
                witness.lookUntilAnswered(RATE * FROM_MILLIS / 1_000, process, untilAt);
                if (!witness.sawRequests()) {
                    process.destroyForcibly().waitFor();
                    notRun(version, way, out);
                    return;
                }
                long[] dueAt = Plans.open(witness.startAt(RATE), RATE, SECONDS);
                long[] alone = each.equals("service")
                        ? freeze(server::freeze, server::resume, dueAt, witness)
                        : freeze(signal(process, "STOP"), signal(process, "CONT"), dueAt, witness);
                witness.lookUntilAnswered(dueAt.length, process, untilAt);
                laws.add(new Laws(
                        Standstill.percentile(alone, 99),
                        Standstill.percentile(witness.leastWaits(dueAt), 99),
                        Standstill.percentile(witness.longestWaits(dueAt), 99)));
            }
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            process.destroyForcibly();
            code = ended ? process.exitValue() : -1;
        }
        List<Path> after = folders(results);
        after.removeAll(before);
        if (after.size() != frozen.size()) {
            throw new IllegalStateException(way + " left " + after + ", see " + out);
        }
        List<String> said = Pattern.compile(way.said() + "|" + way.unsaid())
                .matcher(Files.readString(out))
                .results()
                .map(MatchResult::group)
                .toList();
        for (int i = 0; i < frozen.size(); i++) {
            GatlingRun run = new GatlingRun(code, after.get(i), "");
            long files = FILES.stream()
                    .filter(file -> Files.exists(run.folder().resolve(file)))
                    .count();
            double alone = laws.get(i).aloneNanos() / 1e6;
            double least = laws.get(i).leastNanos() / 1e6;
            double most = laws.get(i).mostNanos() / 1e6;
            double is = run.responses().getValueAtPercentile(99) / 1e6;
            double law = Math.max(least, Math.min(most, is));
            isFar |= Math.abs(is - law) > TOLERANCE * law;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %d of %d%s | %d | %.0f | %.0f to %.0f | %.0f | %+.1f %% | %s | %s |%n",
                    version,
                    way.tool(),
                    way.language(),
                    frozen.get(i),
                    files,
                    FILES.size(),
                    run.page().contains("downbeat.html") ? "" : ", not linked",
                    run.ledger("answered"),
                    alone,
                    least,
                    most,
                    is,
                    100 * (is - law) / law,
                    run.json().at("/verdict/service").textValue(),
                    i >= said.size()
                            ? "crash, exit code " + run.exitCode()
                            : said.get(i).matches(way.unsaid()) ? "passed" : "failed test");
        }
    }

    /** A tool that has not run the simulation; no fault of ours if the registry lacks what it asks for. */
    private static void notRun(String version, Way way, Path out) throws IOException {
        Optional<String> absent = Files.readAllLines(out).stream()
                .filter(line -> line.contains("Error downloading "))
                .map(line -> line.replaceFirst(".*Error downloading ", "the registry has no "))
                .findFirst();
        isFar |= absent.isEmpty();
        System.out.printf(
                "| %s | %s | %s | not run: %s |%n", version, way.tool(), way.language(), absent.orElse("see " + out));
    }

    /** Those of the runs, in the order in which they began, which is in their names. */
    private static List<Path> folders(Path results) throws IOException {
        if (!Files.exists(results)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(results)) {
            return all.filter(folder -> Files.exists(folder.resolve("simulation.log")))
                    .sorted(Comparator.comparing(folder -> folder.toString().replaceAll(".*-", "")))
                    .collect(Collectors.toCollection(ArrayList::new));
        }
    }

    /** Both tools start a JVM for it, which starts no other. */
    private static long generator(Process tool) {
        return tool.descendants()
                .filter(each -> each.info().command().orElse("").endsWith("java"))
                .filter(each -> each.children().findAny().isEmpty())
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** Stops or continues somebody. */
    private interface Signal {
        void send() throws IOException, InterruptedException;
    }

    /** The waits if nothing took time but the freeze. */
    private static long[] freeze(Signal stop, Signal goOn, long[] dueAt, Witness witness)
            throws IOException, InterruptedException {
        stop.send();
        long frozenAt = System.nanoTime();
        Thread.sleep(FREEZE_MILLIS);
        witness.goesOn();
        goOn.send();
        return new Standstill(frozenAt, System.nanoTime(), 0, 0, List.of()).waits(dueAt);
    }

    /** The shell has kill built in. */
    private static Signal signal(Process tool, String name) {
        return () -> new ProcessBuilder("sh", "-c", "kill -" + name + " " + generator(tool))
                .start()
                .waitFor();
    }
}
