package dev.downbeat.http.two;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.ErrorCode;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Failure reasons specific to HTTP/2, one instance each. Thread-safe. */
final class H2Failures {
    static final Outcome NO_SETTINGS = Outcome.failed("closed before HTTP/2 SETTINGS");
    static final Outcome SETTINGS_TIMED_OUT = Outcome.failed("HTTP/2 SETTINGS timed out");
    static final Outcome BAD_HEAD = Outcome.failed("bad response: header fields");
    static final Outcome NO_STREAMS =
            Outcome.failed("the server allows no HTTP/2 streams (SETTINGS_MAX_CONCURRENT_STREAMS is 0)");

    private static final String NOT_PROCESSED = "not processed, even after resending";
    private static final Outcome REFUSED = Outcome.failed("HTTP/2: " + NOT_PROCESSED);

    private static final Map<ErrorCode, Outcome> RESETS = ofCodes("stream reset");
    private static final Map<ErrorCode, Outcome> GOAWAYS = ofCodes("GOAWAY");
    private static final Map<ErrorCode, Outcome> REFUSALS = ofCodes(NOT_PROCESSED + ": GOAWAY");

    private H2Failures() {}

    private static Map<ErrorCode, Outcome> ofCodes(String what) {
        Map<ErrorCode, Outcome> all = new EnumMap<>(ErrorCode.class);
        for (ErrorCode code : ErrorCode.values()) {
            String words = code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            all.put(code, Outcome.failed("HTTP/2: " + what + " (" + words + ")"));
        }
        return all;
    }

    /** The server closed a connection after reporting an error. */
    static Outcome goAway(ErrorCode code) {
        return Objects.requireNonNull(GOAWAYS.get(code));
    }

    /** The server processed a request on none of several connections; {@code code} is that of its GOAWAY, if it sent one. */
    static Outcome notProcessed(@Nullable ErrorCode code) {
        return code == null ? REFUSED : Objects.requireNonNull(REFUSALS.get(code));
    }

    /** The server reset a stream before its response was complete. */
    static Outcome reset(ErrorCode code) {
        return Objects.requireNonNull(RESETS.get(code));
    }
}
