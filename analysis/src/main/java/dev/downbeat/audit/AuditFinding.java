package dev.downbeat.audit;

import dev.downbeat.exchange.SafeText;
import java.util.Locale;

/**
 * A reason to read a result's numbers with care.
 *
 * @param kind what was found
 * @param place position in the file, such as "line 12" or "from 4.0 s to 6.0 s"; may be empty
 * @param text one sentence
 * @param isWeighty whether it affects conclusions drawn from the percentiles
 */
public record AuditFinding(Kind kind, String place, String text, boolean isWeighty) {
    public AuditFinding {
        place = SafeText.line(place);
        text = SafeText.line(text);
    }

    /** Kinds of findings, named as in {@link #code}. */
    public enum Kind {
        ALREADY_CORRECTED,
        AVERAGED_PERCENTILES,
        CALIBRATION,
        CLOSED_LOOP,
        CUT_OFF,
        DROPPED_ITERATIONS,
        FAILURES,
        FEWER_STARTS,
        FEW_SAMPLES,
        GAP_OF_USER,
        IMPOSSIBLE_PERCENTILES,
        IN_FLIGHT_AT_END,
        INTERPOLATED,
        LINES_LEFT_OUT,
        MORE_STALLS,
        NO_COUNT,
        NO_PERCENTILES,
        OMITTED_REQUESTS,
        PART_STALLED,
        RESOLUTION,
        ROUNDED,
        SERVER_SIDE,
        SILENT_INTERVALS,
        SLOW_OR_STALLED,
        STALL,
        TIMEOUTS,
        TRANSACTIONS,
        VERTICAL_RISE,
        WHOLE_SECONDS
    }

    public static AuditFinding note(Kind kind, String place, String text) {
        return new AuditFinding(kind, place, text, false);
    }

    /** A note on the whole file. */
    public static AuditFinding note(Kind kind, String text) {
        return note(kind, "", text);
    }

    /** A finding that affects the percentiles. */
    public static AuditFinding weighty(Kind kind, String place, String text) {
        return new AuditFinding(kind, place, text, true);
    }

    /** A finding about the whole file that affects the percentiles. */
    public static AuditFinding weighty(Kind kind, String text) {
        return weighty(kind, "", text);
    }

    /** A stable name for programs, in snake_case. */
    public String code() {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
