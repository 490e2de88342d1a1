package dev.downbeat.audit.format;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses times with units as tools print them. */
final class TextNumbers {
    private static final Pattern TIME = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*(ns|us|µs|ms|s|secs|m|h)");

    private TextNumbers() {}

    /** Nanoseconds. */
    static double nanos(String text) {
        Matcher time = TIME.matcher(text.strip());
        if (!time.matches()) {
            throw new IllegalArgumentException(
                    "'" + text.substring(0, Math.min(40, text.length())) + "' is not a time with a unit");
        }
        double unit = switch (time.group(2)) {
            case "ns" -> 1;
            case "us", "µs" -> 1e3;
            case "ms" -> 1e6;
            case "m" -> 60e9;
            case "h" -> 3_600e9;
            default -> 1e9;
        };
        return Double.parseDouble(time.group(1)) * unit;
    }
}
