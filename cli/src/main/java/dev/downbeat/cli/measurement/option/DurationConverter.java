package dev.downbeat.cli.measurement.option;

import dev.downbeat.time.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations: {@code 300ms}, {@code 1.5s}, {@code 1h30m}, {@code 2d}, and ISO's {@code PT30S}. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Duration LONGEST = Duration.ofDays(3650);

    @Override
    public Duration convert(String text) {
        return parse(text);
    }

    public static Duration parse(String text) {
        Duration duration;
        try {
            duration = Duration.ofNanos(DurationText.parseNanos(text));
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        }
        if (duration.compareTo(LONGEST) > 0) {
            throw new TypeConversionException("a duration must be at most 3650d, but was '" + text + "'");
        }
        return duration;
    }

    /** Formats a duration for {@link #parse}. */
    public static String text(Duration duration) {
        return spaced(duration).replace(" ", "");
    }

    /** Formats a duration for readers. */
    public static String spaced(Duration duration) {
        return DurationText.format(duration.toNanos());
    }
}
