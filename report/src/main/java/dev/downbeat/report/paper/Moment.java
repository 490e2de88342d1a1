package dev.downbeat.report.paper;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats instants for readers: to the second, in UTC. */
public final class Moment {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Moment() {}

    /** "2026-03-01 12:00:00 UTC". */
    public static String text(Instant at) {
        return FORMAT.format(at);
    }
}
