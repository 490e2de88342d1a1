package dev.downbeat.gatling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gatling.app.Gatling$;
import io.gatling.charts.stats.GeneralStats;
import io.gatling.charts.stats.LogFileReader;
import io.gatling.core.config.GatlingConfiguration;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * A real run of Gatling in this JVM, and what both instruments say of it.
 *
 * @param exitCode Gatling's own
 * @param folder of Gatling's results
 * @param out what was printed
 */
record GatlingRun(int exitCode, Path folder, String out) {
    /** Runs a simulation, with system properties that are taken back afterwards. */
    static GatlingRun of(Class<?> simulation, Path results, Map<String, String> properties) throws IOException {
        properties.forEach(System::setProperty);
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            int code = Gatling$.MODULE$.fromArgs(
                    new String[] {"-s", simulation.getName(), "-rf", results.toString(), "-nr"});
            return new GatlingRun(code, only(results), printed.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(before);
            properties.keySet().forEach(System::clearProperty);
        }
    }

    static Path only(Path results) throws IOException {
        try (Stream<Path> folders = Files.list(results)) {
            List<Path> all = folders.toList();
            if (all.size() != 1) {
                throw new IOException("one folder of results expected, but found " + all);
            }
            return all.get(0);
        }
    }

    /** What was saved beside Gatling's log. */
    JsonNode json() throws IOException {
        return new ObjectMapper().readTree(folder.resolve("downbeat.json").toFile());
    }

    /** What Gatling's own report would show. */
    GeneralStats gatling() {
        return LogFileReader.apply(folder.getFileName().toString(), folder.getParent(), GatlingConfiguration.load())
                .read()
                .requestGeneralStats(scala.Option.empty(), scala.Option.empty(), scala.Option.empty())
                .get();
    }

    long gatlingMillis(double percentile) {
        return ((Number) gatling().percentile().apply(percentile)).longValue();
    }

    /** The request's whole way through the ledger. */
    long ledger(String column) throws IOException {
        return json().at("/ledger/" + column).longValue();
    }

    boolean addsUp() throws IOException {
        return json().at("/ledger/adds_up").booleanValue()
                && ledger("planned")
                        == ledger("answered")
                                + ledger("failed")
                                + ledger("timed_out")
                                + ledger("in_flight")
                                + ledger("never_sent");
    }

    /** Response times of all requests; of one that was not seen to end, what it had lasted. */
    Histogram responses() throws IOException {
        Histogram all = new Histogram(3);
        try (InputStream log =
                new FileInputStream(folder.resolve("downbeat.hlog").toFile())) {
            HistogramLogReader reader = new HistogramLogReader(log);
            while (reader.hasNext()) {
                EncodableHistogram next = reader.nextIntervalHistogram();
                if (next instanceof Histogram histogram
                        && (histogram.getTag() == null || histogram.getTag().equals("censored"))) {
                    all.add(histogram);
                }
            }
        }
        return all;
    }
}
