package dev.downbeat.bench.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * Tables on the page of client costs that are generated from JMH's JSON, below a comment with their kind and files; empty without
 * these files. {@code mvn test -Ddownbeat.golden=write} regenerates them.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeasuredTablesTest {
    private static final Path RESULTS = Path.of("results");
    private static final Path PAGE = RESULTS.resolve("2026-11-21-client-costs.md");
    private static final Pattern TABLE =
            Pattern.compile("(<!-- measured: (handshakes|pool-rule) (.*?) -->\n\n)((?:\\|.*\n)+\n)?");
    private static final int PER_SECOND = 500;

    /** Two-sided 95 % quantiles of Student's t, from one degree of freedom. */
    private static final double[] T95 = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};

    @Test
    void generated_tables_match_the_raw_results() throws IOException {
        String page = Files.readString(PAGE);
        Matcher found = TABLE.matcher(page);
        List<MatchResult> tables = found.results().toList();
        assertThat(tables).hasSize(2);
        String measured = page;
        for (MatchResult table : tables) {
            List<JsonNode> results = new ArrayList<>();
            List<Path> files = Arrays.stream(table.group(3).split(" ", -1))
                    .map(RESULTS::resolve)
                    .toList();
            boolean isMeasured = files.stream().allMatch(Files::exists);
            for (Path file : isMeasured ? files : List.<Path>of()) {
                results.addAll(JsonNode.parser().parse(Files.readString(file)).asArray());
            }
            String made =
                    !isMeasured ? "" : table.group(2).equals("handshakes") ? handshakes(results) : poolRule(results);
            measured = measured.replace(table.group(), table.group(1) + made);
        }
        if ("write".equals(System.getProperty("downbeat.golden"))) {
            Files.writeString(PAGE, measured);
        } else {
            assertThat(page).isEqualTo(measured);
        }
    }

    private static String handshakes(List<JsonNode> results) {
        StringBuilder rows = new StringBuilder("""
                | key, version, session | engine | wall, us | client's part | warm-up, s | processor, us | of it who measures | the compilers | the collector |
                |---|---|--:|--:|--:|--:|--:|--:|--:|
                """);
        results.stream()
                .sorted(Comparator.comparing(
                        result -> param(result, "key") + param(result, "version") + param(result, "session")))
                .forEach(result -> {
                    double client = mean(values(result, "clientMicros"));
                    double server = mean(values(result, "serverMicros"));
                    rows.append(String.format(
                            Locale.ROOT,
                            "| %s, %s %s | %s | %s | %.0f %% | %.0f | %s | %s | %s | %s |%n",
                            param(result, "key").equals("EC") ? "ECDSA" : param(result, "key"),
                            param(result, "version").replace("TLSv", ""),
                            param(result, "session").toLowerCase(Locale.ROOT),
                            param(result, "engine").equals("JDK") ? "JDK" : "BoringSSL",
                            figure(values(result, "score"), 1),
                            100 * client / (client + server),
                            Collections.max(values(result, "warmUpSeconds")),
                            number(mean(values(result, "processor")) / 1e3),
                            number(mean(values(result, "processor.others")) / 1e3),
                            number(mean(values(result, "processor.compiler")) / 1e3),
                            number(mean(values(result, "processor.gc")) / 1e3)));
                });
        return rows.append("\n").toString();
    }

    private static String poolRule(List<JsonNode> results) {
        StringBuilder rows = new StringBuilder("""
                | busy | connections | client | wait for one, mean ms | M/M/c | M/M/c, service as measured | wait p99, ms | M/M/c |
                |--:|--:|---|--:|--:|--:|--:|--:|
                """);
        for (JsonNode result : results) {
            int busy = Integer.parseInt(param(result, "busy"));
            int connections = Integer.parseInt(param(result, "connections"));
            boolean rule = connections == MmcQueue.enoughFor(busy);
            MmcQueue law = new MmcQueue(PER_SECOND, busy * 1_000_000_000L / PER_SECOND, connections);
            MmcQueue fitted =
                    new MmcQueue(PER_SECOND, Math.round(mean(values(result, "service.mean")) * 1e6), connections);
            rows.append(String.format(
                    Locale.ROOT,
                    "| %d | %s | %s | %s | %s | %s | %s | %s |%n",
                    busy,
                    rule
                            ? "**" + connections + "**"
                            : connections + (connections == busy + 2 ? " (two more)" : " (square root)"),
                    param(result, "client").equals("OURS") ? "Downbeat" : "Apache 5",
                    figure(values(result, "backlog_wait.mean"), 1),
                    number(law.meanWaitNanos() / 1e6),
                    fitted.isStable() ? number(fitted.meanWaitNanos() / 1e6) : "∞",
                    merged(result, "backlog_wait.p99"),
                    number(law.waitNanos(99) / 1e6)));
        }
        return rows.append("\n").toString();
    }

    private static String param(JsonNode result, String name) {
        return result.field("params")
                .flatMap(all -> all.field(name))
                .map(JsonNode::text)
                .orElse("");
    }

    private static JsonNode metric(JsonNode result, String label) {
        return (label.equals("score")
                        ? result.field("primaryMetric")
                        : result.field("secondaryMetrics").flatMap(all -> all.field(label)))
                .orElseThrow(() -> new AssertionError("no " + label));
    }

    private static List<Double> values(JsonNode result, String label) {
        return metric(result, label).field("rawData").orElseThrow().asArray().stream()
                .flatMap(fork -> fork.asArray().stream())
                .map(value -> Double.valueOf(value.text()))
                .toList();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** A mean and half the width of its 95 % interval. */
    private static String figure(List<Double> values, double scale) {
        double mean = mean(values);
        double squares =
                values.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
        double error = Math.sqrt(squares / (values.size() - 1) / values.size());
        double half = T95[values.size() - 2] * error * scale;
        String format = "%,." + digits(mean * scale) + "f";
        return String.format(Locale.ROOT, format + " ± " + format, mean * scale, half);
    }

    /** A percentile of all operations together, with the minimum and maximum of single runs. */
    private static String merged(JsonNode result, String label) {
        List<Double> single = values(result, label);
        String score = metric(result, label).field("score").orElseThrow().text();
        return number(Double.parseDouble(score)) + " (" + number(Collections.min(single)) + " to "
                + number(Collections.max(single)) + ")";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,." + digits(value) + "f", value);
    }

    private static int digits(double value) {
        return value >= 100 ? 0 : value >= 10 ? 1 : 2;
    }
}
