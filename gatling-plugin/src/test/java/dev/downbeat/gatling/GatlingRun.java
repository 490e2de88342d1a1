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
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final Pattern SCRIPTS = Pattern.compile("(?s)<(script|style)\\b.*?</\\1>");
    private static final Pattern FOREIGN =
            Pattern.compile("(?i)spinning|pacing by|(?<![\\w-])(-[RdctoHkv]|--[a-z][a-z-]+)(?![\\w-])");
    private static final Pattern OF_CONNECTIONS = Pattern.compile("for a (free )?connection|to get a connection");

    /** Runs a simulation, with system properties that are taken back afterwards. */
    static GatlingRun of(Class<?> simulation, Path results, Map<String, String> properties) throws IOException {
        properties.forEach(System::setProperty);
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            int code = Gatling$.MODULE$.fromArgs(
                    new String[] {"-s", simulation.getName(), "-rf", results.toString(), "-nr"});
            Path folder = only(results);
            refuseForeignWords(folder);
            return new GatlingRun(code, folder, printed.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(before);
            properties.keySet().forEach(System::clearProperty);
        }
    }

    /**
     * No page of a run speaks of our pacing or of the command line's options, nor of connections but for queues, whose
     * connections are ours.
     */
    private static void refuseForeignWords(Path folder) throws IOException {
        for (String name : List.of("downbeat.html", "downbeat.json", "downbeat-junit.xml")) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                String text =
                        SCRIPTS.matcher(Files.readString(file)).replaceAll("").replaceAll("<[^>]+>", "\n");
                refuse(FOREIGN.matcher(text), name, text);
                if (countsNoConnection(folder)) {
                    refuse(OF_CONNECTIONS.matcher(text), name, text);
                }
            }
        }
    }

    private static boolean countsNoConnection(Path folder) throws IOException {
        Path json = folder.resolve("downbeat.json");
        return Files.exists(json)
                && new ObjectMapper()
                                .readTree(json.toFile())
                                .at("/connections/opened")
                                .asLong()
                        == 0;
    }

    private static void refuse(Matcher foreign, String name, String text) {
        if (foreign.find()) {
            throw new AssertionError(name + " of a Gatling run says '" + foreign.group() + "' in: "
                    + text.substring(Math.max(0, foreign.start() - 80), Math.min(text.length(), foreign.end() + 80)));
        }
    }

    static Path only(Path results) throws IOException {
        try (Stream<Path> folders = Files.list(results)) {
            List<Path> all = folders.filter(Files::isDirectory).toList();
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

    /** Planned, answered and failed requests by group and name. */
    Map<String, List<Long>> requests() throws IOException {
        Map<String, List<Long>> rows = new TreeMap<>();
        for (Map.Entry<String, List<String>> row : rows().entrySet()) {
            rows.put(
                    row.getKey(),
                    row.getValue().subList(0, 3).stream().map(Long::valueOf).toList());
        }
        return rows;
    }

    /** The cells of each request after its name. */
    Map<String, List<String>> rows() throws IOException {
        Map<String, List<String>> rows = new TreeMap<>();
        for (String line : Files.readAllLines(folder.resolve("downbeat-requests.csv"))) {
            int end = line.indexOf("\",", 1);
            if (line.startsWith("\"") && line.contains(",request,")) {
                rows.put(line.substring(1, end), List.of(line.substring(end + 2).split(",", -1)));
            }
        }
        return rows;
    }

    /** Planned, answered, failed, timed out, in flight, never sent and p50, without what Gatling's pace leaves out. */
    List<Long> byGatlingsPace() throws IOException {
        for (String line : Files.readAllLines(folder.resolve("downbeat-requests.csv"))) {
            if (line.contains(",pace,")) {
                List<String> cells =
                        List.of(line.substring(line.indexOf("\",", 1) + 2).split(",", -1));
                return cells.subList(0, 7).stream().map(Long::valueOf).toList();
            }
        }
        throw new IOException("the two paces do not differ");
    }

    /** Gatling's own page. */
    String page() throws IOException {
        return Files.readString(folder.resolve("index.html"));
    }

    /** A count in the ledger of the page, as its reader sees it. */
    long page(String fate) throws IOException {
        String page = Files.readString(folder.resolve("downbeat.html"));
        Matcher row = Pattern.compile("<th scope=\"row\">" + fate + "</th>\\s*<td[^>]*>([0-9,]+)<")
                .matcher(page.substring(page.indexOf("id=\"ledger\"")));
        if (!row.find()) {
            throw new IOException("no row for " + fate + " in the page's ledger");
        }
        return Long.parseLong(row.group(1).replace(",", ""));
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
