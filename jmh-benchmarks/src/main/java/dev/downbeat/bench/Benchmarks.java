package dev.downbeat.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** JMH's command line, except that {@code -l} alone lists by package; JMH sorts by mode first. */
public final class Benchmarks {
    private static final String PREFIX = "dev.downbeat.";

    private Benchmarks() {}

    /** Like {@link Main#main}, but refuses to run a jar that is older than the sources of its checkout. */
    public static void main(String[] args) throws RunnerException, IOException {
        StaleJar.refusal().ifPresent(why -> {
            System.err.println(why);
            System.exit(1);
        });
        if (List.of(args).equals(List.of("-l"))) {
            list(System.out);
        } else {
            Main.main(args);
        }
    }

    private static void list(PrintStream out) {
        for (Map.Entry<String, SortedSet<String>> group : byGroup().entrySet()) {
            out.println(group.getKey());
            group.getValue().forEach(name -> out.println("    " + name));
        }
    }

    /** By package, the benchmarks without it, as patterns for JMH. */
    static SortedMap<String, SortedSet<String>> byGroup() {
        Set<BenchmarkListEntry> all = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of());
        return all.stream()
                .map(entry -> entry.getUsername().substring(PREFIX.length()))
                .collect(Collectors.groupingBy(
                        name -> name.replaceFirst("\\.[A-Z].*", ""),
                        TreeMap::new,
                        Collectors.mapping(
                                name -> name.replaceFirst("^[a-z.]*", ""), Collectors.toCollection(TreeSet::new))));
    }
}
