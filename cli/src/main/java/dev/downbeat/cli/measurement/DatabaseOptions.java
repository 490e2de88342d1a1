package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a database is loaded and connections are made. Uses no type of the JDBC module, which may be missing.
 * {@link CliOption} describes each component.
 */
@CliOption.ForTargets(TargetKind.JDBC)
public record DatabaseOptions(
        @CliOption(
                names = "--sql",
                label = "TEXT|@FILE",
                help = "SQL of a request. Several statements are one transaction; '-- name checkout' or '-- name"
                        + " checkout, weight 3' begins another kind of request; {{x}} is a bind parameter.")
        Optional<String> sql,

        @CliOption(names = "--writes", help = "Allows statements that change data. Default: connections are read-only.")
        boolean writes,

        @CliOption(names = "--driver-jar", label = "FILE", help = "A JDBC driver; PostgreSQL's and H2's are included.")
        Optional<Path> driverJar,

        @CliOption(
                names = "--pool",
                label = "hikari:NAME=VALUE,...",
                help = "Takes connections from HikariCP with these settings; -c is then the number of callers."
                        + " Default: one connection per caller.")
        Optional<String> pool,

        @CliOption(names = "--idle-connections", label = "N", help = "Keeps N additional connections open and idle.")
        Optional<Integer> idleConnections) {
    private static final int MOST_IDLE = 100_000;
    static final DatabaseOptions NONE = Values.of(DatabaseOptions.class, Map.of());

    private static final String PREFIX = "jdbc:";

    private static final String DEMO = "jdbc:demo";

    /** URLs that start no code here. Those of embedded databases can contain scripts and name files. */
    private static final List<String> REMOTE = List.of(DEMO, "jdbc:postgresql:", "jdbc:mariadb:");

    private static final String SQL_OF_DEMO = "select * from orders where id = {{$random.integer(1, 1001)}}";

    public DatabaseOptions {
        Refusal.when(
                idleConnections.filter(n -> n < 0 || n > MOST_IDLE).isPresent(),
                "--idle-connections must be from 0 to " + MOST_IDLE + ", but was " + idleConnections.orElse(0));
    }

    public static boolean isDatabase(String target) {
        return target.startsWith(PREFIX);
    }

    public static boolean isDemo(String target) {
        return target.equals(DEMO);
    }

    /** Whether an argument loads a driver, or is a URL that may start code on this machine. */
    static boolean startsCode(String word) {
        return word.startsWith("--driver-jar=")
                || (isDatabase(word) && REMOTE.stream().noneMatch(word::startsWith));
    }

    Optional<Path> file() {
        return sql.filter(text -> text.startsWith("@")).map(text -> OptionFormat.file(text.substring(1)));
    }

    /** Where the statements come from, for messages. */
    public String from() {
        return file().map(Path::toString).orElse("--sql");
    }

    public String script(String target) throws IOException {
        if (sql.isEmpty() && isDemo(target)) {
            return SQL_OF_DEMO;
        }
        Refusal.when(sql.isEmpty(), "--sql is missing: the statement of a request, such as --sql 'select 1'");
        return file().isPresent() ? Files.readString(file().get()) : sql.get();
    }
}
