package dev.downbeat.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * Percentiles on the page of client costs are those that JMH's JSON has of all operations together. Above each table a
 * comment names the file, the unit and, column by column from the last, what is in it.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientCostsPageTest {
    private static final Path RESULTS = Path.of("results");
    private static final String PAGE = "2026-11-21-client-costs.md";
    private static final Pattern TABLE = Pattern.compile("<!-- raw: (\\S+) (ms|us) (.*?) -->\\s*((?:\\|.*\\n)+)");
    private static final Pattern FIGURE = Pattern.compile("([0-9.,]+) \\(([0-9.,]+) to ([0-9.,]+)\\)");

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
    void every_percentile_of_its_tables_is_the_merged_one_of_the_raw_results() throws IOException {
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
}
