package dev.downbeat.report.data;

import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Several results for visual comparison, without tests or means. Immutable.
 *
 * @param results two to {@value #MOST}, with distinct names
 * @param version Downbeat's version
 */
public record SideBySide(List<Named> results, String version) {
    /** The most results that a chart can distinguish. */
    public static final int MOST = 8;

    /**
     * One result.
     *
     * @param name its displayed name, such as its file name
     */
    public record Named(String name, RunReport report) {
        public RunResult result() {
            return report.result();
        }
    }

    /** Copies the list; refuses fewer than two, too many, and duplicate names. */
    public SideBySide {
        results = List.copyOf(results);
        Set<String> names = results.stream().map(Named::name).collect(Collectors.toSet());
        if (results.size() < 2 || results.size() > MOST) {
            throw new IllegalArgumentException("results must be 2 to " + MOST + ", but were " + results.size());
        }
        if (names.size() < results.size()) {
            throw new IllegalArgumentException("each result must have a name of its own, but they were "
                    + results.stream().map(Named::name).toList());
        }
    }

    /** The differences in load and machine, which may explain differing times. */
    public List<String> differences() {
        return differences(results.stream().map(Named::report).toList());
    }

    /** The differences of runs in load and machine. */
    public static List<String> differences(List<RunReport> runs) {
        List<String> differences = new ArrayList<>();
        if (kinds(runs, run -> run.result().target()) > 1) {
            differences.add("the targets are not the same");
        }
        if (kinds(runs, WorkloadText::unseeded) > 1) {
            differences.add("the loads differ, which alone may explain the differences");
        }
        if (kinds(runs, run -> run.machine().jvm() + run.machine().cores()) > 1) {
            differences.add("they were measured on different kinds of machine");
        }
        return differences;
    }

    private interface Kind {
        String of(RunReport run);
    }

    private static long kinds(List<RunReport> runs, Kind kind) {
        return runs.stream().map(kind::of).distinct().count();
    }
}
