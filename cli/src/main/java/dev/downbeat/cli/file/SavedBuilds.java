package dev.downbeat.cli.file;

import dev.downbeat.compare.Build;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.Host;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.SavedRun;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Saved runs as builds in order of time. */
public final class SavedBuilds {
    /** {@code a1b2c3d.2.downbeat}: another run of the same build. */
    private static final Pattern NAME =
            Pattern.compile("(.+?)(?:\\.[0-9]{1,3})?\\.(?:downbeat|downbeat\\.part|hlog|html)");

    private SavedBuilds() {}

    /**
     * Reads the builds.
     *
     * @param asGiven whether to keep their order; otherwise they are sorted by measuring time
     */
    public static List<Build> of(List<Path> files, boolean asGiven) {
        Set<Path> seen = new HashSet<>();
        Map<String, List<ComparedRun>> runs = new LinkedHashMap<>();
        Map<String, Optional<Instant>> started = new LinkedHashMap<>();
        for (Path file : files) {
            if (!seen.add(file.toAbsolutePath().normalize())) {
                throw new TypeConversionException(file + " is given twice");
            }
            String build = build(file);
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
                        throw new TypeConversionException(unknown.runs().get(0).name()
                                + " does not say when it was measured: name the files in their order, with --as-given");
                    });
            builds.sort(Comparator.comparing(build -> build.started().orElseThrow()));
        }
        return builds;
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get())) ? other : one;
    }

    private static String build(Path file) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        return name.matches() ? name.group(1) : String.valueOf(file.getFileName());
    }

    private static Optional<Instant> read(Path file, List<ComparedRun> runs) {
        if (file.toString().endsWith(".hlog")) {
            SavedRun saved = SavedFile.log(file);
            runs.add(saved.compared());
            return saved.started();
        }
        RunReport report = SavedFile.read(file);
        if (report.result().intervals().isEmpty()) {
            throw new TypeConversionException(file + " holds no second of a run: it has no place in a history");
        }
        runs.add(ComparedRun.of(file.toString(), report.analysis().seen(), report.verdict())
                .on(Host.of(report.machine())));
        return Optional.of(report.result().started());
    }
}
