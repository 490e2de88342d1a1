package dev.downbeat.junit;

import dev.downbeat.load.Measured;
import dev.downbeat.report.file.HistogramLog;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ComparedRow;
import dev.downbeat.verdict.ComparedRun;
import dev.downbeat.verdict.ComparedSide;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.PercentileName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a load test measured when somebody last said that it was well, kept in the repository. Immutable. */
final class Baseline {
    private final Path file;
    private final Host host;

    /** The file need not exist. */
    Baseline(Path file, Host host) {
        this.file = file;
        this.host = host;
    }

    /**
     * What the comparison says.
     *
     * @param isSlower whether it is surely slower than allowed, or fails more
     * @param sentence to be read after that of the objectives
     */
    record Finding(boolean isSlower, String sentence) {}

    boolean exists() {
        return Files.exists(file);
    }

    /** Makes or replaces the file; returns what is to be said. */
    String update(Measured measured) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.append("# downbeat host: ").append(host.text()).append('\n');
            new HistogramLog().write(measured.report(), out);
        }
        return "written as baseline " + file + ", to be committed";
    }

    /**
     * Sets a measurement against this.
     *
     * @param tolerance how much slower is no regression, such as 0.1
     * @throws IOException if the file cannot be read; its message is one line
     */
    Finding against(Measured measured, double tolerance) throws IOException {
        SavedRun saved;
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            saved = SavedRun.read(lines, "baseline " + file);
        }
        String difference = host.differenceTo(hostOf(saved));
        if (!difference.isEmpty()) {
            return notCompared("it was measured on another host (" + difference + ")");
        }
        Comparison comparison = Comparison.of(
                side("baseline", saved.compared()),
                side(
                        "this run",
                        ComparedRun.of(
                                "this run",
                                measured.report().result(),
                                measured.report().verdict())));
        if (!comparison.doubts().isEmpty()) {
            return notCompared(comparison.doubts().get(0).text());
        }
        return finding(comparison, tolerance);
    }

    private static ComparedSide side(String name, ComparedRun run) {
        return new ComparedSide(name, List.of(run));
    }

    private static Host hostOf(SavedRun saved) {
        Map<String, String> facts = new HashMap<>();
        saved.facts().forEach((name, value) -> {
            if (name.startsWith("host.")) {
                facts.put(name.substring("host.".length()), value);
            }
        });
        return new Host(facts);
    }

    private Finding notCompared(String why) {
        return new Finding(false, "not compared with the baseline " + file + ": " + why);
    }

    private Finding finding(Comparison comparison, double tolerance) {
        String limit = percent(tolerance);
        if (comparison.failures().isMore()) {
            return new Finding(true, "FAILS MORE than the baseline " + file);
        }
        if (comparison.isRegression(tolerance)) {
            ComparedRow worst = comparison.rows().stream()
                    .max(Comparator.comparingDouble(row -> row.lowChange().orElse(Double.NEGATIVE_INFINITY)))
                    .orElseThrow();
            return new Finding(
                    true, "SLOWER than the baseline " + file + " by more than " + limit + ": " + change(worst));
        }
        return new Finding(
                false,
                comparison.isNoRegression(tolerance)
                        ? "not slower than the baseline by more than " + limit + " (95 %)"
                        : "whether it is slower than the baseline by more than " + limit + " cannot be told");
    }

    private static String change(ComparedRow row) {
        return PercentileName.of(row.percentile()) + " " + DurationText.rounded(row.baseNanos()) + " -> "
                + DurationText.rounded(row.otherNanos()) + " (95 % CI "
                + signed(row.lowChange().orElse(row.change()))
                + row.highChange().stream()
                        .mapToObj(high -> " to " + signed(high))
                        .findFirst()
                        .orElse(" and more")
                + ")";
    }

    private static String signed(double change) {
        return String.format(Locale.ROOT, "%+.0f %%", 100 * change);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
