package dev.downbeat.watch;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of unified logging (JEP 158): decorations in brackets, then a message.
 *
 * @param atNanos since 1970, if the line has it
 * @param uptimeNanos since the JVM's start, if the line has it
 */
record GcLogLine(OptionalLong atNanos, OptionalLong uptimeNanos, String message) {
    private static final Pattern DECORATIONS = Pattern.compile("^((?:\\[[^\\]]*\\])+) ?(.*)$");
    private static final Pattern DATE =
            Pattern.compile("\\[(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)[.,](\\d{3})([+-]\\d{4})\\s*\\]");
    private static final Pattern MILLIS = Pattern.compile("\\[(\\d{12,15})ms\\s*\\]");
    private static final Pattern UPTIME = Pattern.compile("\\[(\\d{1,9})[.,](\\d{3})s\\s*\\]");
    private static final Pattern UPTIME_MILLIS = Pattern.compile("\\[(\\d{1,11})ms\\s*\\]");
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT);
    private static final long PER_MILLI = 1_000_000;

    /** Parses a line; empty if it has another form. */
    static Optional<GcLogLine> of(String line) {
        Matcher matcher = DECORATIONS.matcher(line);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String decorations = matcher.group(1);
        OptionalLong at = date(decorations);
        return Optional.of(new GcLogLine(
                at.isPresent() ? at : number(MILLIS, decorations),
                uptime(decorations),
                matcher.group(2).strip()));
    }

    private static OptionalLong date(String decorations) {
        Matcher matcher = DATE.matcher(decorations);
        if (!matcher.find()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(FlightEvents.nanos(
                    FORMAT.parse(matcher.group(1) + "." + matcher.group(2) + matcher.group(3), Instant::from)));
        } catch (DateTimeException noDate) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong uptime(String decorations) {
        Matcher matcher = UPTIME.matcher(decorations);
        return matcher.find()
                ? OptionalLong.of(
                        (Long.parseLong(matcher.group(1)) * 1000 + Long.parseLong(matcher.group(2))) * PER_MILLI)
                : number(UPTIME_MILLIS, decorations);
    }

    private static OptionalLong number(Pattern pattern, String decorations) {
        Matcher matcher = pattern.matcher(decorations);
        return matcher.find() ? OptionalLong.of(Long.parseLong(matcher.group(1)) * PER_MILLI) : OptionalLong.empty();
    }
}
