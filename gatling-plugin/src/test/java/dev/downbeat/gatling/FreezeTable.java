package dev.downbeat.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Prints the table of the documentation: the same simulations, the same run, what both instruments say of a server that
 * stalled for 5 s, and what {@link Standstill} says. Not a test, but it ends with 1 if Downbeat is further from the law
 * than {@link #TOLERANCE}: {@code gatling-plugin/freeze-table} runs it.
 */
final class FreezeTable {
    private static final double TOLERANCE = 0.03;
    private static final int FEW_PER_SECOND = 40;
    private static final Duration STANDSTILL = Duration.ofSeconds(5);
    private static final double[] PERCENTILES = {50, 75, 95, 99, 100};
    private static boolean isFar;

    private FreezeTable() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException {
        Path results = Files.createTempDirectory("freeze-table");
        System.out.println("| simulation (ms) | says | requests | p50 | p75 | p95 | p99 | max | not seen to end |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (int rate : new int[] {FEW_PER_SECOND, 200}) {
            Freeze open = rows(
                    "open, " + rate + " users/s, 10 s",
                    Simulations.Open.class,
                    results.resolve("open" + rate),
                    Map.of("test.rate", "" + rate, "test.seconds", "10"),
                    2_500);
            long[] dueAt = Plans.open(startAt(open), rate, 10);
            laws(open, dueAt);
            if (rate == FEW_PER_SECOND) {
                hold(open, dueAt); // at the higher rate the generator too is busy with new connections
            }
        }
        Freeze paced = rows(
                "20 users x pace 100 ms, 10 s",
                Simulations.Paced.class,
                results.resolve("paced"),
                Map.of("test.users", "20", "test.seconds", "10"),
                2_500);
        long[] beats = Plans.paced(startAt(paced), 20, 10, 100_000_000);
        laws(paced, beats);
        hold(paced, beats);
        for (int pauseMillis : new int[] {1_000, 100}) {
            Freeze closed = rows(
                    "40 closed users, pause " + pauseMillis + " ms, 7 s",
                    Simulations.Closed.class,
                    results.resolve("closed" + pauseMillis),
                    Map.of("test.users", "40", "test.seconds", "7", "test.pause", "" + pauseMillis),
                    1_200);
            if (pauseMillis == 1_000) {
                long[] dueAt = Plans.closed(startAt(closed), 40, 7, pauseMillis * 1_000_000L, closed.still());
                laws(closed, dueAt);
                hold(closed, dueAt);
            }
        }
        rows(
                "open, 200 users/s, maxDuration in the freeze",
                Simulations.OpenCutOff.class,
                results.resolve("cut"),
                Map.of("test.rate", "200", "test.seconds", "7"),
                2_500);
        System.exit(isFar ? 1 : 0);
    }

    private static long startAt(Freeze freeze) throws IOException {
        return freeze.run().json().at("/started_monotonic_ns").longValue();
    }

    private static void laws(Freeze freeze, long[] dueAt) throws IOException {
        Standstill still = freeze.still();
        law("in theory, without drain", still.waits(dueAt));
        law(
                String.format(Locale.ROOT, "in theory, with the drain of %.0f ms", still.drainNanos(dueAt) / 1e6),
                still.waitsWithDrain(dueAt));
    }

    private static void hold(Freeze freeze, long[] dueAt) throws IOException {
        long[] withDrain = freeze.still().waitsWithDrain(dueAt);
        for (double percentile : PERCENTILES) {
            long must = Standstill.percentile(withDrain, percentile);
            long is = freeze.run().responses().getValueAtPercentile(percentile);
            if (percentile > 50
                    && Math.abs(is - must) > TOLERANCE * must + freeze.still().doubtNanos()) {
                isFar = true;
                System.err.printf("p%s is further than 3 %% from the law%n", percentile);
            }
        }
    }

    private static void law(String name, long[] waits) {
        StringBuilder law = new StringBuilder();
        for (double percentile : PERCENTILES) {
            law.append(String.format(Locale.ROOT, "%.1f | ", Standstill.percentile(waits, percentile) / 1e6));
        }
        System.out.printf("| | %s | %d | %s 0 |%n", name, waits.length, law);
    }

    /** As many parameters as a run has parts. */
    private static Freeze rows(
            String name, Class<?> simulation, Path results, Map<String, String> properties, int afterMillis)
            throws IOException {
        Freeze freeze =
                Freeze.of(simulation, results, properties, new Freeze.Plan(Duration.ofMillis(afterMillis), STANDSTILL));
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
