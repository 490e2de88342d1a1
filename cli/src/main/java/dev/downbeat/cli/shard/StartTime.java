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
 * When all shards begin.
 *
 * @param at by the clock of the wall; null if somebody will say it on stdin when all are ready
 */
public record StartTime(@Nullable Instant at) {
    private static final String TOLD = "told";
    private static final StartTime ON_STDIN = new StartTime(null);

    /** Whether a parent process says it on stdin. */
    public boolean isTold() {
        return at == null;
    }

    public static StartTime parse(String text, Instant now) {
        if (text.equals(TOLD)) {
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

    /** Reads an absolute time with its offset from UTC, or a time from now on. */
    public static final class Converter implements ITypeConverter<StartTime> {
        @Override
        public StartTime convert(String text) {
            return parse(text, Instant.now());
        }
    }
}
