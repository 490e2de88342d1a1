package dev.downbeat.cli.turns;

import dev.downbeat.cli.measurement.option.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The accepted slowdown: 0.05 for 5 %. */
public record Tolerance(double share) {
    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,4}(?:\\.[0-9]{1,6})?) ?%");

    /** Parses {@code 5%}; a number without a unit would be ambiguous. */
    public static Tolerance parse(String text) {
        Matcher percent = PERCENT.matcher(text.strip());
        Refusal.when(!percent.matches(), "'" + text + "' is not a tolerance such as 5%");
        return new Tolerance(Double.parseDouble(percent.group(1)) / 100);
    }
}
