package dev.downbeat.watch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values of selected series in Prometheus text format. A bare name is the sum over all labels; a name with labels,
 * exactly as in the text, is one series.
 *
 * @param values series that are present
 * @param counters those that are counters
 */
record Exposition(Map<String, Double> values, Set<String> counters) {
    static Exposition read(String text, List<String> series) {
        Map<String, Double> values = new HashMap<>();
        Set<String> counterNames = new HashSet<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith("# TYPE ") && line.endsWith(" counter")) {
                counterNames.add(line.substring(7, line.length() - 8).trim());
            } else if (!line.startsWith("#")) {
                line(line, series, values);
            }
        }
        Set<String> counters = new HashSet<>();
        for (String each : series) {
            String name = name(each);
            if (counterNames.contains(name) || name.endsWith("_total") || name.endsWith("_count")) {
                counters.add(each);
            }
        }
        return new Exposition(values, counters);
    }

    private static String name(String series) {
        int brace = series.indexOf('{');
        return brace < 0 ? series : series.substring(0, brace);
    }

    private static void line(String line, List<String> series, Map<String, Double> values) {
        int close = line.lastIndexOf('}');
        int end = close >= 0 ? close + 1 : line.indexOf(' ');
        if (end <= 0 || end >= line.length()) {
            return;
        }
        String full = line.substring(0, end).trim();
        String name = name(full);
        String rest = line.substring(end).trim();
        int blank = rest.indexOf(' ');
        for (String each : series) {
            if (each.equals(name) || each.equals(full)) {
                try {
                    values.merge(each, Double.parseDouble(blank < 0 ? rest : rest.substring(0, blank)), Double::sum);
                } catch (NumberFormatException notANumber) { // such as +Inf: not a usable value
                    return;
                }
            }
        }
    }
}
