package dev.downbeat.audit.format;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Parses the timestamp formats of other tools to nanoseconds since 1970. */
final class Instants {
    private static final DateTimeFormatter SLASHES = new DateTimeFormatterBuilder()
            .appendPattern("uuuu/MM/dd'T'HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter(Locale.ROOT);

    private static final List<DateTimeFormatter> LOCAL = List.of(DateTimeFormatter.ISO_LOCAL_DATE_TIME, SLASHES);

    private Instants() {}

    /**
     * Parses RFC 3339, or a local time, which is taken for UTC: the date with hyphens or slashes, then a space or T, and
     * any fraction of a second. {@code zone} takes its zone.
     */
    static long of(String text, Consumer<Optional<ZoneOffset>> zone) {
        String bare = text.strip();
        try {
            OffsetDateTime found = OffsetDateTime.parse(bare);
            zone.accept(Optional.of(found.getOffset()));
            return nanos(found.toInstant());
        } catch (DateTimeException other) {
            Instant found = LOCAL.stream()
                    .flatMap(form -> local(bare, form).stream())
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'" + bare.substring(0, Math.min(40, bare.length())) + "' is not a time", other));
            zone.accept(Optional.empty());
            return nanos(found);
        }
    }

    private static Optional<Instant> local(String text, DateTimeFormatter form) {
        try {
            return Optional.of(LocalDateTime.parse(text.replace(' ', 'T'), form).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException malformed) {
            return Optional.empty();
        }
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    /** The unit of a timestamp since 1970, by its size: seconds, milliseconds, microseconds or nanoseconds. */
    static long unitOf(long number) {
        long size = Math.abs(number);
        if (size < 100_000_000_000L) {
            return 1_000_000_000L;
        }
        return size < 100_000_000_000_000L ? 1_000_000L : size < 100_000_000_000_000_000L ? 1_000L : 1L;
    }
}
