package dev.downbeat.cli.console;

import dev.downbeat.cli.measurement.option.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A percentile named by the user, above 0 and below 100. */
public record NamedPercentile(double value) {
    private static final Pattern NAME = Pattern.compile("[pP]?([0-9]{1,2}(?:\\.[0-9]{1,6})?)");

    public static NamedPercentile parse(String text) {
        Matcher name = NAME.matcher(text.strip());
        Refusal.when(
                !name.matches() || !(Double.parseDouble(name.group(1)) > 0),
                "'" + text + "' is not a percentile between p0 and p100, such as p99 or p99.9");
        return new NamedPercentile(Double.parseDouble(name.group(1)));
    }
}
