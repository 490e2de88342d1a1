package dev.downbeat.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * Checks the figures on the page of client costs against JMH's JSON. Its percentiles are those of all operations together. A
 * comment above each table names the file, the unit and the metrics of its last columns.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientCostsPageTest {
    private static final Path RESULTS = Path.of("results");
    private static final String PAGE = "2026-11-21-client-costs.md";
    private static final Pattern TABLE = Pattern.compile("<!-- raw: (\\S+) (ms|us) (.*?) -->\\s*((?:\\|.*\\n)+)");
    private static final Pattern FIGURE = Pattern.compile("([0-9][0-9.,]*) \\(([0-9.,]+) to ([0-9.,]*[0-9])\\)");
    private static final Pattern MEAN = Pattern.compile("([0-9][0-9.,]*)\\s±\\s([0-9.,]*[0-9])");

    /** Two-sided 95 % quantiles of Student's t, from one degree of freedom. */
    private static final double[] T95 = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    private static List<JsonNode> metrics(String file, String label) throws IOException {
        return JsonNode.parser()
                .parse(Files.readString(RESULTS.resolve("2026-11-21-" + file + ".json")))
                .asArray()
                .stream()
                .flatMap(result -> result.field("secondaryMetrics").flatMap(all -> all.field(label)).stream())
                .toList();
    }

    private static String text(JsonNode metric, String field) {
        return metric.field(field).map(JsonNode::text).orElse("");
    }

    private static boolean shows(JsonNode metric, Matcher figure, String unit) {
        List<Double> single = metric.field("rawData").orElseThrow().asArray().stream()
                .flatMap(fork -> fork.asArray().stream())
                .map(value -> Double.valueOf(value.text()))
                .toList();
        if (single.isEmpty()) {
            return false;
        }
        double scale = unit.equals("us") && text(metric, "scoreUnit").startsWith("ms") ? 1_000 : 1;
        return isRounded(figure.group(1), Double.parseDouble(text(metric, "score")) * scale)
                && isRounded(figure.group(2), Collections.min(single) * scale)
                && isRounded(figure.group(3), Collections.max(single) * scale);
    }

    private static boolean isRounded(String shown, double value) {
        BigDecimal number = new BigDecimal(shown.replace(",", ""));
        BigDecimal exact = BigDecimal.valueOf(value);
        return exact.setScale(number.scale(), RoundingMode.HALF_EVEN).compareTo(number) == 0
                || exact.setScale(number.scale(), RoundingMode.HALF_UP).compareTo(number) == 0;
    }

    @Test
    void every_percentile_in_a_table_is_the_merged_one_of_the_raw_results() throws IOException {
        Matcher table = TABLE.matcher(Files.readString(RESULTS.resolve(PAGE)));
        int figures = 0;
        while (table.find()) {
            List<String> labels = Arrays.asList(table.group(3).split(" ", -1));
            String[] lines = table.group(4).split("\n", -1);
            for (String line : Arrays.copyOfRange(lines, 2, lines.length)) {
                List<String> cells = Arrays.asList(line.split("\\|", -1));
                for (int i = 0; i < labels.size() && cells.size() > labels.size(); i++) {
                    Matcher figure = FIGURE.matcher(cells.get(cells.size() - 1 - labels.size() + i));
                    if (figure.find()) {
                        assertThat(metrics(table.group(1), labels.get(i)))
                                .as("%s of %s", labels.get(i), line)
                                .anyMatch(metric -> shows(metric, figure, table.group(2)));
                        figures++;
                    }
                }
            }
        }
        assertThat(figures).isGreaterThanOrEqualTo(5 * 5 + 7 * 2);
    }

    /** A mean or percentile and its interval. */
    private record Figure(double value, double low, double high) {
        Figure times(double scale) {
            return new Figure(value * scale, low * scale, high * scale);
        }

        boolean isShownAs(String mean, String half) {
            return isNear(mean, value) && isNear(half, (high - low) / 2);
        }

        boolean isShownAs(String middle, String from, String to) {
            return isNear(middle, value) && isNear(from, low) && isNear(to, high);
        }

        /** Allows a little more than half of the last digit, since some libraries round twice. */
        private static boolean isNear(String shown, double value) {
            BigDecimal number = new BigDecimal(shown.replace(",", ""));
            return Math.abs(number.doubleValue() - value) <= 0.50005 * Math.pow(10, -number.scale());
        }
    }

    /** All figures that a page may give for a metric, in any unit. */
    private static Stream<Figure> figures(JsonNode result, JsonNode metric) {
        List<List<Double>> forks = metric.field("rawData").stream()
                .flatMap(all -> all.asArray().stream())
                .map(fork -> fork.asArray().stream()
                        .map(JsonNode::text)
                        .map(Double::valueOf)
                        .toList())
                .filter(fork -> !fork.isEmpty())
                .toList();
        List<Double> values = forks.stream().flatMap(List::stream).toList();
        if (values.size() < 2) {
            return Stream.empty();
        }
        double[] each = values.stream().mapToDouble(Double::doubleValue).toArray();
        double[] independent = forks.size() < 3
                ? each
                : forks.stream().mapToDouble(ClientCostsPageTest::mean).toArray();
        double mean = mean(values);
        double half = T95[Math.min(30, independent.length - 1) - 1] * error(independent);
        double ofFive = T95[3] * deviation(each) / Math.sqrt(5); // the interval of means of five such values
        double score = Double.parseDouble(text(metric, "score"));
        double perRequest = result.field("params").flatMap(all -> all.field("requests")).stream()
                .mapToDouble(requests -> 1 / Double.parseDouble(requests.text()))
                .findFirst()
                .orElse(1);
        return Stream.of(
                        new Figure(mean, mean - half, mean + half),
                        new Figure(mean, Math.max(0, mean - ofFive), mean + ofFive),
                        new Figure(score, Collections.min(values), Collections.max(values)))
                .flatMap(figure -> DoubleStream.of(1, 1e3, 1e-3, 1e-6)
                        .boxed()
                        .flatMap(scale -> Stream.of(figure.times(scale), figure.times(scale * perRequest))));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static double deviation(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return Math.sqrt(Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum() / (values.length - 1));
    }

    private static double error(double[] values) {
        return deviation(values) / Math.sqrt(values.length);
    }

    @Test
    void every_figure_with_an_interval_is_in_the_raw_results() throws IOException {
        List<Figure> raw = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(RESULTS, "2026-11-2[12]-*.json")) {
            for (Path file : files) {
                if (Files.size(file) > 0) {
                    for (JsonNode result :
                            JsonNode.parser().parse(Files.readString(file)).asArray()) {
                        Stream.concat(
                                        result.field("primaryMetric").stream(),
                                        result.field("secondaryMetrics").stream()
                                                .flatMap(all -> all.asObject().values().stream()))
                                .forEach(metric -> figures(result, metric).forEach(raw::add));
                    }
                }
            }
        }
        String page = Files.readString(RESULTS.resolve(PAGE));
        int again = page.indexOf("## Run again"); // has ratios of two files
        String measured = page.substring(0, again) + page.substring(page.indexOf("## ", again + 3));
        List<String> missing = new ArrayList<>();
        int shown = 0;
        for (Matcher mean = MEAN.matcher(measured); mean.find(); shown++) {
            if (raw.stream().noneMatch(figure -> figure.isShownAs(mean.group(1), mean.group(2)))) {
                missing.add(mean.group());
            }
        }
        for (Matcher range = FIGURE.matcher(measured); range.find(); shown++) {
            if (raw.stream().noneMatch(figure -> figure.isShownAs(range.group(1), range.group(2), range.group(3)))) {
                missing.add(range.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(shown).isGreaterThan(200);
    }
}
