package dev.downbeat.report.data;

import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Several results beside each other, to be looked at: nothing is tested, and no mean is taken. Immutable.
 *
 * @param results two to {@value #MOST}, each with a name of its own
 * @param version of Downbeat
 */
public record SideBySide(List<Named> results, String version) {
    /** More cannot be told apart in a picture. */
    public static final int MOST = 8;

    /**
     * One of them.
     *
     * @param name as a reader may call it, such as the name of its file
     */
    public record Named(String name, RunReport report) {
        public RunResult result() {
            return report.result();
        }
    }

    /** Copies the list; refuses one or too many, and names that are used twice. */
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

    /** In what they differ besides their answers, so that nobody takes the load for the service. */
    public List<String> differences() {
        return differences(results.stream().map(Named::report).toList());
    }

    /** In what some runs differ besides their answers. */
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
