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

/** JMH's command line, whose {@code -l} alone lists by group: JMH itself sorts by mode first, and tears groups apart. */
public final class Benchmarks {
    private static final String PREFIX = "dev.downbeat.";

    private Benchmarks() {}

    /** As {@link Main#main}, but for a jar that is older than the sources beside it. */
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

    /** A group is a package; what is in it is named without it, as JMH takes it for a pattern. */
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
