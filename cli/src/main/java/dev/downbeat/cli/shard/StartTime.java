package dev.downbeat.cli.shard;

import dev.downbeat.cli.measurement.value.DurationConverter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The common start of all shards.
 *
 * @param at wall-clock time; null if it is sent on stdin when all are ready
 */
public record StartTime(@Nullable Instant at) {
    private static final String FROM_PARENT = "told";
    private static final StartTime ON_STDIN = new StartTime(null);

    /** Whether a parent process sends it on stdin. */
    public boolean isOnStdin() {
        return at == null;
    }

    public static StartTime parse(String text, Instant now) {
        if (text.equals(FROM_PARENT)) {
            return ON_STDIN;
        }
        if (text.startsWith("+")) {
            Duration later = DurationConverter.parse(text.substring(1));
            return new StartTime(now.plus(later));
        }
        try {
            return new StartTime(
                    OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant());
        } catch (DateTimeException unreadable) {
            throw new TypeConversionException("'" + text
                    + "' is not a time such as 2026-05-01T12:00:00Z (with Z or an offset such as "
                    + "+02:00), or +30s from now");
        }
    }

    /** Parses an absolute time with its UTC offset, or a delay from now. */
    public static final class Converter implements ITypeConverter<StartTime> {
        @Override
        public StartTime convert(String text) {
            return parse(text, Instant.now());
        }
    }
}
