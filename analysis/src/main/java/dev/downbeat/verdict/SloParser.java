package dev.downbeat.verdict;

import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses objectives; its errors state what to write instead. */
final class SloParser {
    private static final String ACCEPTED = "p99<50ms, p99.9<=1s, max<2s, mean<10ms, errors<0.1% or rate>=99%";
    private static final Pattern SHAPE =
            Pattern.compile("(p[0-9.]+|p\\([0-9.]+\\)|max|mean|errors|rate)(<=|>=|<|>)(.*)");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    private final String text;
    private final String subject;
    private final String sign;
    private final String limit;

    /** Keeps the whole text for messages. */
    private SloParser(String text, String objective) {
        this.text = text;
        Matcher shape = SHAPE.matcher(objective.replaceAll("\\s", ""));
        if (!shape.matches()) {
            throw malformed();
        }
        subject = shape.group(1);
        sign = shape.group(2);
        limit = shape.group(3);
    }

    /** The text before the last colon is a name. Objectives contain no colon, but names may. */
    static AskedObjective parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return new SloParser(text, text).slo();
        }
        String name = text.substring(0, colon).strip();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("objective \"" + text + "\" has no name before its colon");
        }
        return new AskedObjective.Named(name, new SloParser(text, text.substring(colon + 1)).slo());
    }

    private AskedObjective slo() {
        boolean inclusive = sign.endsWith("=");
        if (subject.equals("rate")) {
            requireSign('>');
            return new AskedObjective.AchievedRate(inclusive, percent());
        }
        requireSign('<');
        AskedObjective.Ceiling ceiling = new AskedObjective.Ceiling(inclusive);
        return switch (subject) {
            case "errors" -> new AskedObjective.Errors(ceiling, percent());
            case "mean" -> new AskedObjective.Mean(ceiling, nanos());
            case "max" -> new AskedObjective.Percentile(100, ceiling, nanos());
            default -> new AskedObjective.Percentile(percentile(), ceiling, nanos());
        };
    }

    private void requireSign(char direction) {
        if (sign.charAt(0) != direction) {
            String turned = subject + direction + sign.substring(1) + limit;
            throw new IllegalArgumentException("objective \"" + text + "\" limits the wrong side: write " + turned);
        }
    }

    private double percentile() {
        String digits = subject.replaceAll("[p()]", "");
        if (!NUMBER.matcher(digits).matches() || digits.length() > 12) {
            throw malformed();
        }
        double percentile = Double.parseDouble(digits);
        if (percentile <= 0 || percentile > 100) {
            throw new IllegalArgumentException("objective \"" + text
                    + "\": a percentile must be above 0 and up to 100, but was " + digits
                    + (digits.matches("9{3,6}") ? "; p" + digits + " is written p99." + digits.substring(2) : ""));
        }
        return percentile;
    }

    private long nanos() {
        if (NUMBER.matcher(limit).matches()) {
            String begin = subject + sign + limit;
            throw new IllegalArgumentException(
                    "objective \"" + text + "\" needs a unit: write " + begin + "ms or " + begin + "s");
        }
        try {
            long nanos = DurationText.parseNanos(limit);
            if (nanos > 0) {
                return nanos;
            }
        } catch (IllegalArgumentException notADuration) {
            throw new IllegalArgumentException(
                    "objective \"" + text + "\": " + notADuration.getMessage(), notADuration);
        }
        throw new IllegalArgumentException("objective \"" + text + "\": the limit must be above zero");
    }

    private BigDecimal percent() {
        if (NUMBER.matcher(limit).matches()) {
            throw new IllegalArgumentException(
                    "objective \"" + text + "\" needs a %: write " + subject + sign + limit + "%");
        }
        String digits = limit.endsWith("%") ? limit.substring(0, limit.length() - 1) : "";
        if (!NUMBER.matcher(digits).matches() || digits.length() > 12) {
            throw malformed();
        }
        BigDecimal percent = new BigDecimal(digits).stripTrailingZeros();
        if (percent.compareTo(BigDecimal.valueOf(100)) > 0) {
            throw new IllegalArgumentException(
                    "objective \"" + text + "\": a share must be from 0% to 100%, but was " + limit);
        }
        return percent;
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("objective must look like " + ACCEPTED + ", but was \"" + text + "\"");
    }
}
