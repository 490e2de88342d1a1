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
import org.jspecify.annotations.Nullable;

/**
 * Prints rows of a table, {@code gatling-plugin/matrix}: one Gatling under the build tools of its users, in each language, by
 * the class that a simulation extends and by the launcher, and plain beside each. The service is frozen for 3.7 s, and then the generator (SIGSTOP).
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

    private static boolean isWrong;
    private static final List<String> FILES = List.of(
            "index.html",
            "downbeat.html",
            "downbeat.json",
            "downbeat.hlog",
            "downbeat-junit.xml",
            "downbeat-requests.csv");
    private static final List<String> FROZEN = List.of("service", "generator");
    private static final String LAUNCHER = "Java, by the launcher";

    /** Which rows are wanted, such as "Maven Java service". */
    private static final Pattern WANTED = Pattern.compile(System.getenv().getOrDefault("ROWS", ""));

    private static final Pattern COUNTS =
            Pattern.compile("> request count +\\| +([\\d,]+) +\\| +([\\d,-]+) +\\| +([\\d,-]+)");
    private static final Pattern P99 = Pattern.compile("> response time 99th percentile \\(ms\\) +\\| +([\\d,]+)");
    private static final Pattern ASSERTIONS = Pattern.compile("[A-Z][^\n]* : (true|false) \\(actual : ");

    private Matrix() {}

    /**
     * A tool that builds a project and runs a simulation of it.
     *
     * @param command without the options; {@code %s} is the simulation
     * @param failed how it says that a test has failed
     * @param passed how it says otherwise
     */
    private record Tool(
            String name, Path project, String results, List<String> command, String failed, String passed) {}

    /** The 99th percentile by the freeze alone, and by what the service counted, as well as that was looked at. */
    private record Laws(long aloneNanos, long leastNanos, long mostNanos) {}

    /** What is left of a run, corrected or plain; {@code printed} by the tool and by Gatling. */
    private record Ran(GatlingRun run, Laws laws, String printed) {
        String counts() {
            return last(COUNTS)
                    .map(last -> (last.group(2) + " + " + last.group(3))
                            .replace("-", "0")
                            .replace(",", ""))
                    .orElse("none");
        }

        String p99Millis() {
            return last(P99).map(last -> last.group(1).replace(",", "")).orElse("none");
        }

        String assertions() {
            return ASSERTIONS
                    .matcher(printed)
                    .results()
                    .map(each -> each.group(1))
                    .collect(Collectors.joining(", "));
        }

        private Optional<MatchResult> last(Pattern pattern) {
            return pattern.matcher(printed).results().reduce((before, after) -> after);
        }
    }

    /**
     * Runs all of them; ends with 1 if a row is too far from the law, or differs from plain Gatling.
     *
     * @param args Gatling's version, the folder of the projects, sbt's launcher, and options for all tools
     */
    public static void main(String[] args) throws Exception {
        Path work = Path.of(args[1]);
        List<String> options = new ArrayList<>(List.of(args).subList(3, args.length));
        options.addAll(List.of(
                "-Dgatling.version=" + args[0],
                "-Drate=" + RATE,
                "-Dseconds=" + SECONDS,
                "-Ddownbeat.objectives=p90<1s"));
        for (Tool tool : List.of(
                new Tool(
                        "Maven",
                        work.resolve("maven"),
                        "target/gatling",
                        List.of("mvn", "-B", "-o", "-Dgatling.simulationClass=%s", "gatling:test"),
                        "Gatling simulation assertions failed",
                        "BUILD SUCCESS"),
                new Tool(
                        "Gradle",
                        work.resolve("gradle"),
                        "build/reports/gatling",
                        List.of("gradle", "--no-daemon", "-Dsimulations=%s", "gatlingRun"),
                        "Gatling simulation assertions failed",
                        "BUILD SUCCESSFUL"),
                new Tool(
                        "sbt",
                        work.resolve("sbt"),
                        "target/gatling",
                        List.of("java", "-Xmx700m", "-Dsbt.log.noformat=true", "-jar", args[2], "Gatling/testOnly %s"),
                        "Simulation \\w+ failed",
                        "Simulation \\w+ successful"))) {
            for (String language : List.of("Java", "Kotlin", "Scala", LAUNCHER)) {
                for (String frozen : FROZEN) {
                    if (WANTED.matcher(tool.name() + " " + language + " " + frozen)
                            .find()) {
                        row(args[0], tool, language, frozen, options);
                    }
                }
            }
        }
        System.exit(isWrong ? 1 : 0);
    }

    /** The same, plain and corrected. */
    private static void row(String version, Tool tool, String language, String frozen, List<String> options)
            throws Exception {
        String cell = "| " + version + " | " + tool.name() + " | " + language + " | " + frozen + " | ";
        if (tool.name().equals("sbt") && !language.equals("Scala")) {
            System.out.println(cell + "none: Gatling's test framework for sbt finds Scala's simulations only |");
            return;
        }
        boolean launched = language.equals(LAUNCHER);
        String plainly = "freezes.Plain" + (launched ? "Java" : language) + "Simulation";
        List<String> more = new ArrayList<>(options);
        more.add("-Ddownbeat.simulation=" + plainly);
        Ran plain = run(tool, plainly, frozen, options, cell);
        Ran ours = plain == null
                ? null
                : run(
                        tool,
                        launched ? Corrected.class.getName() : "freezes." + language + "Simulation",
                        frozen,
                        launched ? more : options,
                        cell);
        if (ours == null) {
            return;
        }
        GatlingRun run = ours.run();
        long files = FILES.stream()
                .filter(file -> Files.exists(run.folder().resolve(file)))
                .count();
        double alone = ours.laws().aloneNanos() / 1e6;
        double least = ours.laws().leastNanos() / 1e6;
        double most = ours.laws().mostNanos() / 1e6;
        double is = run.responses().getValueAtPercentile(99) / 1e6;
        double law = Math.max(least, Math.min(most, is));
        String ledger = run.ledger("answered") + " + " + run.ledger("failed");
        isWrong |= Math.abs(is - law) > TOLERANCE * law
                || !run.addsUp()
                || !plain.counts().equals(ours.counts())
                || !plain.counts().equals(ledger)
                || !plain.assertions().equals(ours.assertions());
        System.out.printf(
                Locale.ROOT,
                cell + "%d of %d%s | %s | %s | %s | %s | %s | %s | %.0f | %.0f to %.0f | %.0f | %+.1f %% | %s | %s |%n",
                files,
                FILES.size(),
                run.page().contains("downbeat.html") ? "" : ", not linked",
                plain.counts(),
                ours.counts(),
                ledger,
                plain.assertions(),
                ours.assertions(),
                plain.p99Millis(),
                alone,
                least,
                most,
                is,
                100 * (is - law) / law,
                run.json().at("/verdict/service").textValue(),
                said(tool.failed(), ours) ? "failed test" : said(tool.passed(), ours) ? "passed" : "crash");
    }

    private static boolean said(String pattern, Ran ran) {
        return Pattern.compile(pattern).matcher(ran.printed()).find();
    }

    /** One call of a tool; null if it has not run the simulation, which it tells. */
    private static @Nullable Ran run(Tool tool, String simulation, String frozen, List<String> options, String cell)
            throws Exception {
        Path results = tool.project().resolve(tool.results());
        List<Path> before = folders(results);
        Path out = Files.createTempFile(tool.project(), "out", ".log");
        int code;
        Laws laws;
        try (LoopbackProcess server = LoopbackProcess.start(Freeze.Server.class)) {
            List<String> command = new ArrayList<>(tool.command().stream()
                    .map(each -> each.replace("%s", simulation))
                    .toList());
            command.addAll(1, options);
            command.add(1, "-Dtarget=" + server.uri().replaceAll("/$", ""));
            Process process = new ProcessBuilder(command)
                    .directory(tool.project().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .start();
            Witness witness = new Witness(server);
            long untilAt = System.nanoTime() + LONGEST_NANOS;
            witness.lookUntilAnswered(RATE * FROM_MILLIS / 1_000, process, untilAt);
            if (!witness.sawRequests()) {
                process.destroyForcibly().waitFor();
                notRun(cell, out);
                return null;
            }
            long[] dueAt = Plans.open(witness.startAt(RATE), RATE, SECONDS);
            long[] alone = frozen.equals("service")
                    ? freeze(server::freeze, server::resume, dueAt, witness)
                    : freeze(signal(process, "STOP"), signal(process, "CONT"), dueAt, witness);
            witness.lookUntilAnswered(dueAt.length, process, untilAt);
            laws = new Laws(
                    Standstill.percentile(alone, 99),
                    Standstill.percentile(witness.leastWaits(dueAt), 99),
                    Standstill.percentile(witness.longestWaits(dueAt), 99));
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            process.destroyForcibly();
            code = ended ? process.exitValue() : -1;
        }
        List<Path> after = folders(results);
        after.removeAll(before);
        if (after.size() != 1) {
            throw new IllegalStateException(simulation + " left " + after + ", see " + out);
        }
        return new Ran(new GatlingRun(code, after.get(0), ""), laws, Files.readString(out));
    }

    /** A tool that has not run the simulation; no fault of ours if the registry lacks what it asks for. */
    private static void notRun(String cell, Path out) throws IOException {
        Optional<String> absent = Files.readAllLines(out).stream()
                .filter(line -> line.contains("Error downloading "))
                .map(line -> line.replaceFirst(".*Error downloading ", "the registry has no "))
                .findFirst();
        isWrong |= absent.isEmpty();
        System.out.println(cell + "not run: " + absent.orElse("see " + out) + " |");
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

    /** All tools start a JVM for it, which starts no other. */
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
        witness.continueAfterBlock(frozenAt);
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
