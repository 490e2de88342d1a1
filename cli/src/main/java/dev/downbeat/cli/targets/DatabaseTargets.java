package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.DatabaseOptions;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.Target;
import dev.downbeat.jdbc.JdbcOptions;
import dev.downbeat.jdbc.JdbcOptions.RowsExpected;
import dev.downbeat.jdbc.JdbcTarget;
import dev.downbeat.jdbc.ParameterValues;
import dev.downbeat.jdbc.SqlScript;
import dev.downbeat.time.DurationText;
import dev.downbeat.watch.database.DatabaseWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Creates database targets. Only this class uses the JDBC module, whose jar may be missing. */
public final class DatabaseTargets {
    private static final int CONNECTIONS = 10;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** A separator of values that database texts cannot contain. */
    private static final String BETWEEN = "\u0000";

    private DatabaseTargets() {}

    public static Map<String, Object> details(ClientOptions asking, WorkloadSource workload) {
        Map<String, Object> details = new LinkedHashMap<>();
        boolean hasPool = asking.database().pool().isPresent();
        details.put(hasPool ? "callers" : "connections", connections(asking, workload));
        details.put("access", asking.database().writes() ? "reads and writes" : "reads only");
        asking.database().pool().ifPresent(pool -> details.put("pool", pool));
        asking.database().idleConnections().ifPresent(idle -> details.put("idle connections", idle));
        return details;
    }

    private static int connections(ClientOptions asking, WorkloadSource workload) {
        return asking.connections().count().map(Long::intValue).orElse(workload.connections(CONNECTIONS));
    }

    /**
     * Creates the target; opens nothing.
     *
     * @throws IllegalArgumentException if the options are invalid; the message is one line
     * @throws IOException if a file cannot be read
     */
    public static Target of(ClientOptions asking, String target, WorkloadSource workload) throws IOException {
        DatabaseOptions use = asking.database();
        Refusal.when(
                use.pool().isPresent() && asking.waiting().threads() > 1,
                "--pool requires one thread: remove --threads, which would open a pool for each");
        JdbcOptions options = new JdbcOptions(
                connections(asking, workload),
                !asking.connections().noKeepalive(),
                asking.connections().maxRequests().orElse(Long.MAX_VALUE),
                use.writes(),
                expected(asking.requests().expect()),
                use.driverJar().stream().toList(),
                use.pool(),
                asking.connections().connectTimeout().orElse(CONNECT_TIMEOUT),
                use.idleConnections().orElse(0),
                asking.queue().create());
        try {
            ParameterValues.Factory values = parameters -> values(asking, parameters, workload.seed());
            return JdbcTarget.of(target, script(use, target), options, values, workload.seed());
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
    }

    /** Removes the schema of a load if requested; returns what remains. */
    public static List<String> end(Target target, ClientOptions asking) {
        if (!(target instanceof JdbcTarget database) || database.schema().isEmpty()) {
            return List.of();
        }
        String name = database.schema().get();
        if (!asking.queue().cleanUp()) {
            return List.of("the schema " + name + " stays: remove it by '"
                    + database.removal().orElse("") + "'");
        }
        try {
            database.cleanUp();
            return List.of("removed the schema " + name);
        } catch (IOException refused) {
            return List.of("could not remove the schema " + name + ": " + Messages.of(refused));
        }
    }

    private static Optional<RowsExpected> expected(List<String> texts) {
        if (texts.size() > 1) {
            throw new IllegalArgumentException("--expect takes one value for a database, such as rows>=1");
        }
        try {
            return texts.stream().findFirst().map(RowsExpected::parse);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException("--expect: " + refused.getMessage(), refused);
        }
    }

    private static SqlScript script(DatabaseOptions use, String target) throws IOException {
        String text = use.script(target);
        try {
            return SqlScript.parse(text, target);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(use.from() + ": " + refused.getMessage(), refused);
        }
    }

    /** Draws all values of a request at once, so that values from one file come from one row. */
    private static ParameterValues values(ClientOptions asking, List<String> parameters, long seed) {
        String text = parameters.stream().map(one -> "{{" + one + "}}").collect(Collectors.joining(BETWEEN));
        try {
            LongFunction<String> filled =
                    asking.source().filled(text, asking.database().from(), seed);
            return parameters.size() == 1
                    ? index -> new Object[] {filled.apply(index)}
                    : index -> filled.apply(index).split(BETWEEN, -1);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Opens connections to a watched database; throws if no driver accepts the URL. */
    public static DatabaseWatch.Connector connector(String url, List<Path> driverJars) {
        return JdbcTarget.watching(url, driverJars)::getConnection;
    }

    public static List<String> parts(Target target) {
        return lines(target, part -> true);
    }

    /** The parts that a proxy changes, and what is known of the proxy. */
    public static List<String> brief(Target target) {
        return lines(target, part -> part.name().equals("statement"));
    }

    private static List<String> lines(Target target, Predicate<PartTimes.PartSummary> shown) {
        List<String> lines = new ArrayList<>();
        if (target instanceof JdbcTarget database) {
            for (PartTimes.PartSummary part :
                    database.parts().stream().filter(shown).toList()) {
                lines.add(part.name() + ": mean " + DurationText.rounded(part.meanNanos()) + ", p50 "
                        + DurationText.rounded(part.p50Nanos()) + ", p99 "
                        + DurationText.rounded(part.p99Nanos()) + ", max " + DurationText.rounded(part.maxNanos())
                        + " (" + part.count() + ")");
            }
            lines.addAll(database.proxy());
        }
        return lines;
    }
}
