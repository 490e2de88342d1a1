package dev.downbeat.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * Prints the table of the documentation: the same simulations, the same run, and what both instruments say of a server that
 * stood still for 5 of 20 s. Not a test: {@code gatling-plugin/freeze-table} runs it.
 */
final class FreezeTable {
    private static final Freeze.Plan FIVE_SECONDS = new Freeze.Plan(Duration.ofSeconds(8), Duration.ofSeconds(5));
    private static final int PLANNED = 4_000;
    private static final long SECOND = 1_000_000_000L;
    private static final double[] PERCENTILES = {50, 75, 95, 99, 100};

    private FreezeTable() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException {
        Path results = Files.createTempDirectory("freeze-table");
        System.out.println("| simulation (ms) | says | requests | p50 | p75 | p95 | p99 | max | not seen to end |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        law(
                rows(
                        "open, 200 users/s",
                        Simulations.Open.class,
                        results,
                        Map.of("test.rate", "200", "test.seconds", "20")),
                i -> i * SECOND / 200);
        law(
                rows(
                        "20 users x pace 100 ms",
                        Simulations.Paced.class,
                        results,
                        Map.of("test.users", "20", "test.seconds", "20")),
                i -> i / 200 * SECOND / 20 + i % 200 * SECOND / 10); // the users begin over the first second
        rows(
                "20 closed users, pause 100 ms",
                Simulations.Closed.class,
                results,
                Map.of("test.users", "20", "test.seconds", "20"));
        rows(
                "open, 200 users/s, maxDuration in the freeze",
                Simulations.OpenCutOff.class,
                results,
                Map.of("test.rate", "200", "test.seconds", "12"));
        System.exit(0);
    }

    /** What callers would have waited for a service that takes no time and goes on at once. */
    private static void law(Freeze freeze, LongUnaryOperator plannedNanos) throws IOException {
        long startAt = freeze.run().json().at("/started_monotonic_ns").longValue();
        long[] responses = LongStream.range(0, PLANNED)
                .map(i -> freeze.leastResponseNanos(startAt + plannedNanos.applyAsLong(i)))
                .sorted()
                .toArray();
        StringBuilder law = new StringBuilder();
        for (double percentile : PERCENTILES) {
            int rank = (int) Math.ceil(percentile / 100 * PLANNED);
            law.append(String.format(Locale.ROOT, "%.1f | ", responses[rank - 1] / 1e6));
        }
        System.out.printf("| | closed form | %d | %s 0 |%n", PLANNED, law);
    }

    private static Freeze rows(String name, Class<?> simulation, Path results, Map<String, String> properties)
            throws IOException {
        Freeze freeze = Freeze.of(simulation, results.resolve(simulation.getSimpleName()), properties, FIVE_SECONDS);
        GatlingRun run = freeze.run();
        StringBuilder gatling = new StringBuilder();
        Histogram responses = run.responses();
        StringBuilder downbeat = new StringBuilder();
        for (double percentile : PERCENTILES) {
            gatling.append(percentile == 100 ? run.gatling().max() : run.gatlingMillis(percentile))
                    .append(" | ");
            downbeat.append(String.format(Locale.ROOT, "%.1f | ", responses.getValueAtPercentile(percentile) / 1e6));
        }
        System.out.printf(
                "| %s | Gatling | %d | %s not told |%n", name, run.gatling().count(), gatling);
        System.out.printf(
                "| | Downbeat | %d | %s %d |%n",
                run.ledger("planned"),
                downbeat,
                run.json().at("/censored/count").longValue());
        return freeze;
    }
}
