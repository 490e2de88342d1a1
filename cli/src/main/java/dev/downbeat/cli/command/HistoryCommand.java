package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.NamedPercentile;
import dev.downbeat.cli.file.ObjectStore;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.cli.turns.Tolerance;
import dev.downbeat.compare.Build;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.History;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.report.view.compare.HistoryView;
import dev.downbeat.report.view.compare.HistoryView.HistoryReport;
import dev.downbeat.stats.Numbers;
import dev.downbeat.verdict.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "history",
        header = "Finds the build at which response times changed permanently.",
        customSynopsis = {"downbeat history FILE... [OPTION...]", "downbeat history --git BASELINE.hlog [OPTION...]"},
        footer = {
            "",
            "Name each file after its build: a1b2c3d.downbeat, and a1b2c3d.2.downbeat for",
            "another run of it. Runs whose load or machine differs from that of the newest",
            "are left out and listed. 1.4.1 is a build of its own, 1.4.0.2 a run of 1.4.0."
        },
        exitCodeList = {
            "  0:no percentile became slower at its last change",
            "  1:a result could not be written",
            "  2:invalid command line, or a file cannot be read",
            " 98:fewer than 6 builds, the newest left out, or --percentiles not judged",
            " 99:a percentile became slower at its last change, by more than --tolerance"
        })
public final class HistoryCommand extends AnyCommand.ResultCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Runs that were saved with -o NAME.downbeat or NAME.hlog, in any order.")
    List<String> files = new ArrayList<>(); // as in ReportCommand

    @Option(
            names = "--git",
            paramLabel = "BASELINE",
            description = "A committed baseline (.hlog); each version of it is a build.")
    @Nullable
    Path git;

    @Option(names = "--as-given", description = "Keeps the order of the files. Default: by the time of measurement.")
    boolean asGiven;

    @Option(
            names = "--percentiles",
            paramLabel = "P,P...",
            hideParamSyntax = true,
            split = ",",
            description = "Percentiles to test. Default: p50,p90,p99, if there are enough requests.")
    List<NamedPercentile> percentiles = new ArrayList<>();

    @Option(names = "--tolerance", paramLabel = "PERCENT", description = "Accepted slowdown: 5%%. Default 0%%.")
    Tolerance tolerance = new Tolerance(0);

    @Option(
            names = "--since",
            paramLabel = "BUILD",
            description =
                    "Accepts changes up to this build, with --git also a tag or branch: they are shown but do not fail.")
    String since = "";

    @Option(names = "--accept-unsound", description = "Includes runs that are unsound, cut short or uncorrected.")
    boolean acceptUnsound;

    @Override
    List<Path> filesRead() {
        return files.stream().map(ObjectStore::local).toList();
    }

    @Override
    int call(Console console) throws IOException {
        console.checkFormats("a history");
        Refusal.when(
                git == null == files.isEmpty(),
                git == null
                        ? "FILE is missing: downbeat history results/*.downbeat"
                        : "--git and FILE are mutually exclusive");
        Optional<GitBaselines> baselines = Optional.ofNullable(git).map(GitBaselines::of);
        List<Build> builds = baselines
                .map(GitBaselines::builds)
                .orElseGet(() ->
                        SavedBuilds.of(files.stream().map(ObjectStore::local).toList(), asGiven));
        if (builds.isEmpty()) { // too short a history, as one of a few builds
            console.error("no version of " + git + " is in reach: " + GitBaselines.SHALLOW.text());
            return ExitCode.UNSOUND;
        }
        History history = History.of(
                        builds,
                        percentiles.stream()
                                .map(NamedPercentile::value)
                                .distinct()
                                .toList(),
                        acceptUnsound)
                .withLeftOut(baselines.flatMap(GitBaselines::lacking));
        String shown = baselines.map(versions -> versions.shown(since)).orElse(since);
        String accepted = history.indexOf(shown).isPresent()
                ? shown
                : baselines
                        .flatMap(versions -> versions.newestIn(since, history.builds()))
                        .orElse(shown);
        Refusal.when(
                !accepted.isEmpty() && history.indexOf(accepted).isEmpty(),
                "--since " + since + " must name one of the builds: "
                        + (history.builds().isEmpty()
                                ? "there are none"
                                : "they are " + history.builds().get(0).name() + " to "
                                        + history.builds()
                                                .get(history.builds().size() - 1)
                                                .name()));
        String what = git == null ? Numbers.count(builds.size(), "build") : "versions of " + git.getFileName();
        HistoryReport report =
                new HistoryReport(history, what, tolerance.share(), accepted, Console.words(spec), Version.text());
        boolean written = console.write(new HistoryView(report));
        int code = report.exitCode();
        return ExitCode.afterOutput(code, written);
    }

    /**
     * All committed versions of a JUnit baseline: each commit is a build, and each content it added is a run of that build.
     * A name is none: when runs are added, the older ones move up.
     *
     * @param builds oldest first; none only if the clone lacks all
     * @param isShallow whether the clone lacks older commits
     * @param folder the folder of the baseline
     * @param paths git's patterns of its files
     */
    private record GitBaselines(List<Build> builds, boolean isShallow, Path folder, List<String> paths) {
        private static final String LOG = ".hlog";

        private static final int GIT_SECONDS = 60;

        /** Marks the line of a commit; no path starts this way. */
        private static final String COMMIT = "//";

        /** A changed file: modes and contents before and after, the kind of change, and the path. */
        private static final Pattern RAW = Pattern.compile(":\\S+ \\S+ \\S+ (?<content>\\S+) \\S+\t(?<path>.+)");

        private static final Incomparable SHALLOW = new Incomparable(
                Incomparable.Kind.OLDER,
                "older builds: this clone is shallow (git fetch --unshallow; actions/checkout: fetch-depth: 0)");

        /**
         * Reads all builds.
         *
         * @param baseline {@code NAME.hlog}; {@code NAME.2.hlog} and so on are further runs
         */
        static GitBaselines of(Path baseline) {
            Path whole = baseline.toAbsolutePath().normalize();
            Path folder = whole.getParent();
            String name = String.valueOf(whole.getFileName());
            if (!name.endsWith(LOG) || folder == null || !Files.isDirectory(folder)) {
                throw new TypeConversionException(
                        "--git needs a baseline such as src/test/downbeat/NAME.hlog, but was " + baseline);
            }
            try {
                return read(folder, name);
            } catch (IOException failed) {
                throw new TypeConversionException("--git " + baseline + ": " + Messages.of(failed));
            }
        }

        /** The older builds, which a shallow clone lacks. */
        Optional<Incomparable> lacking() {
            return isShallow ? Optional.of(SHALLOW) : Optional.empty();
        }

        /** The build's abbreviated hash, if this one is longer: git's abbreviations grow with the repository. */
        String shown(String hash) {
            return builds.stream()
                    .map(Build::name)
                    .filter(hash::startsWith)
                    .findFirst()
                    .orElse(hash);
        }

        /**
         * The newest of these builds that a tag, a branch or another of git's names of a commit contains.
         *
         * @return empty if git does not know the name, or it contains none of the builds
         */
        Optional<String> newestIn(String name, List<Build> known) {
            if (name.isEmpty() || name.startsWith("-")) { // which git takes for an option
                return Optional.empty();
            }
            try {
                String commit = git(folder, "rev-parse", "--verify", "--quiet", name + "^{commit}")
                        .strip();
                Set<String> contained = git(folder, log(List.of("--format=%h", commit), paths))
                        .lines()
                        .collect(Collectors.toSet());
                return known.stream()
                        .map(Build::name)
                        .filter(contained::contains)
                        .reduce((older, newer) -> newer);
            } catch (IOException unknown) {
                return Optional.empty();
            }
        }

        /** The arguments of {@code git log} for commits that add versions of these files. */
        private static String[] log(List<String> more, List<String> paths) {
            return Stream.of(
                            List.of(
                                    "log",
                                    "--no-show-signature",
                                    "--relative",
                                    "--full-history", // else a merge hides the builds of the side that it equals
                                    "--topo-order", // a branch came when it was merged
                                    "--no-renames",
                                    "--diff-filter=AM"),
                            more,
                            List.of("--"),
                            paths)
                    .flatMap(List::stream)
                    .toArray(String[]::new);
        }

        private static GitBaselines read(Path folder, String name) throws IOException {
            boolean isShallow =
                    git(folder, "rev-parse", "--is-shallow-repository").strip().equals("true");
            String stem = name.substring(0, name.length() - LOG.length());
            List<String> paths =
                    List.of(":(literal)" + name, ":(glob)" + stem.replaceAll("[*?\\[\\]\\\\]", "?") + ".[0-9]*" + LOG);
            String log = git(folder, log(List.of("--reverse", "--raw", "--format=" + COMMIT + "%h %ct %P"), paths));
            List<Build> builds = new ArrayList<>();
            String commit = "";
            Instant at = Instant.EPOCH;
            boolean isCut = false;
            List<ComparedRun> runs = new ArrayList<>();
            Set<String> known = new HashSet<>();
            for (String line : (log + COMMIT).split("\n", -1)) {
                if (line.startsWith(COMMIT)) {
                    if (!runs.isEmpty()) {
                        builds.add(new Build(commit, Optional.of(at), runs));
                        runs = new ArrayList<>();
                    }
                    String[] words = line.substring(COMMIT.length()).split(" ", -1);
                    commit = words[0];
                    at = words.length > 1 ? Instant.ofEpochSecond(Long.parseLong(words[1])) : at;
                    // The commit that a shallow clone was cut at has no parent, so it seems to add files of any age.
                    isCut = isShallow && words.length > 2 && words[2].isEmpty();
                } else if (!line.isBlank()) {
                    Matcher file = RAW.matcher(line);
                    if (file.matches() && known.add(file.group("content")) && !isCut) {
                        String text = git(folder, "cat-file", "blob", file.group("content"));
                        String run = file.group("path") + " at " + commit;
                        runs.add(SavedRun.read(new BufferedReader(new StringReader(text)), run)
                                .compared());
                    }
                }
            }
            if (known.isEmpty()) {
                throw new IOException(
                        isShallow
                                ? "no version of it is in reach: " + SHALLOW.text()
                                : "no version of it is committed");
            }
            return new GitBaselines(builds, isShallow, folder, paths);
        }

        private static String git(Path folder, String... words) throws IOException {
            List<String> command = new ArrayList<>(List.of("git", "-c", "core.quotePath=false"));
            command.addAll(List.of(words));
            Process process;
            try {
                process = new ProcessBuilder(command).directory(folder.toFile()).start();
            } catch (IOException missing) {
                throw new IOException("git cannot be started", missing);
            }
            process.getOutputStream().close();
            CompletableFuture<byte[]> errors = CompletableFuture.supplyAsync(() -> bytes(process.getErrorStream()));
            CompletableFuture<byte[]> text = CompletableFuture.supplyAsync(() -> bytes(process.getInputStream()));
            try {
                String read = new String(text.get(GIT_SECONDS, TimeUnit.SECONDS), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    String why = new String(errors.get(GIT_SECONDS, TimeUnit.SECONDS), StandardCharsets.UTF_8);
                    throw new IOException("git says: " + why.strip().replace('\n', ' '));
                }
                return read;
            } catch (TimeoutException hangs) {
                throw new IOException("git did not finish within " + GIT_SECONDS + " s", hangs);
            } catch (ExecutionException broken) {
                throw new IOException("git: " + Messages.of(broken), broken);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", stopped);
            } finally {
                process.destroyForcibly();
            }
        }

        private static byte[] bytes(InputStream in) {
            try {
                return in.readAllBytes();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    /** Saved runs as builds in order of time. */
    private static final class SavedBuilds {
        private static final Pattern NAME = Pattern.compile("(.+?)\\.(?:downbeat|downbeat\\.part|hlog|html)");

        /** {@code a1b2c3d.2} is another run of the build {@code a1b2c3d}, if that is given too. */
        private static final Pattern REPEAT = Pattern.compile("(.+)\\.[0-9]{1,3}");

        /** After two numbers, a third makes another version: 1.4.1 is no run of 1.4, but 1.4.0.2 is one of 1.4.0. */
        private static final Pattern VERSION = Pattern.compile("(?:.*[^\\d.]\\.?)?\\d+\\.\\d+");

        private static final Pattern NUMBER = Pattern.compile("\\d{1,4}|v\\d+");

        private SavedBuilds() {}

        /** Reads the builds, in the order given or by the time of measurement. */
        public static List<Build> of(List<Path> files, boolean asGiven) {
            Set<Path> seen = new HashSet<>();
            Set<String> stems = files.stream().map(SavedBuilds::stem).collect(Collectors.toSet());
            Map<String, List<ComparedRun>> runs = new LinkedHashMap<>();
            Map<String, Optional<Instant>> started = new LinkedHashMap<>();
            for (Path file : files) {
                Refusal.when(!seen.add(file.toAbsolutePath().normalize()), file + " is given twice");
                String build = build(stem(file), stems);
                Optional<Instant> at = read(file, runs.computeIfAbsent(build, name -> new ArrayList<>()));
                started.merge(build, at, SavedBuilds::earlier);
            }
            List<Build> builds = new ArrayList<>();
            runs.forEach((name, own) -> builds.add(new Build(name, started.getOrDefault(name, Optional.empty()), own)));
            if (!asGiven) {
                builds.stream()
                        .filter(build -> build.started().isEmpty())
                        .findFirst()
                        .ifPresent(unknown -> {
                            throw new TypeConversionException(
                                    unknown.runs().get(0).name()
                                            + " does not record when it was measured: give the files in order, with"
                                            + " --as-given");
                        });
                builds.sort(Comparator.comparing(build -> build.started().orElseThrow()));
            }
            return builds;
        }

        /** The build of a run; runs of one are counted from 2, so 7.1 shows that 7 is a version. */
        private static String build(String stem, Set<String> stems) {
            Matcher repeat = REPEAT.matcher(stem);
            if (!repeat.matches() || !stems.contains(repeat.group(1))) {
                return stem;
            }
            String first = repeat.group(1);
            boolean isVersion = VERSION.matcher(first).matches()
                    || (NUMBER.matcher(first).matches() && stems.contains(first + ".1"));
            return isVersion ? stem : first;
        }

        private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
            return one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get())) ? other : one;
        }

        private static String stem(Path file) {
            Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
            return SafeText.line(name.matches() ? name.group(1) : String.valueOf(file.getFileName()));
        }

        private static Optional<Instant> read(Path file, List<ComparedRun> runs) {
            if (file.toString().endsWith(".hlog")) {
                SavedRun saved = SavedFile.log(file);
                runs.add(saved.compared());
                return saved.started();
            }
            RunReport report = SavedFile.read(file);
            Refusal.when(
                    report.result().intervals().isEmpty(),
                    file + " has no per-second data, so it cannot be part of a history");
            runs.add(SavedFile.compared(file.toString(), report));
            return Optional.of(report.result().started());
        }
    }
}
