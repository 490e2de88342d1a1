package dev.downbeat.cli.measurement.value;

import dev.downbeat.http.options.AddressOptions;
import java.security.Security;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code --lookup}: once, per connection, or with a time to live.
 *
 * @param perConnection whether each new connection looks the name up
 * @param validFor how long a look-up is reused, if it serves several connections
 */
public record LookupWhen(boolean perConnection, Optional<Duration> validFor) {
    private static final LookupWhen ONCE = new LookupWhen(false, Optional.empty());

    /** Limits Java's cache of look-ups, 30 s by default, for the whole process. */
    public void limitJvmLookupCache() {
        if (perConnection) {
            long seconds = validFor.map(Duration::toSeconds).orElse(0L);
            Security.setProperty("networkaddress.cache.ttl", Long.toString(seconds));
        }
    }

    public void applyTo(AddressOptions.Builder options) {
        if (perConnection) {
            options.lookup(AddressOptions.Lookup.PER_CONNECTION);
            validFor.ifPresent(options::lookupTtl);
        }
    }

    /** Parses the keywords and a duration. */
    public static LookupWhen parse(String text) {
        if (text.equals("once")) {
            return ONCE;
        }
        if (text.equals("per-connection")) {
            return new LookupWhen(true, Optional.empty());
        }
        Duration time;
        try {
            time = DurationConverter.parse(text);
        } catch (TypeConversionException noDuration) {
            throw new TypeConversionException("'" + text + "' is not once, per-connection or a duration such as 30s");
        }
        Refusal.when(time.isZero(), "a look-up must be good for more than 0: per-connection, or 30s");
        return new LookupWhen(true, Optional.of(time));
    }

    public String text() {
        return validFor.map(DurationConverter::text).orElse(perConnection ? "per-connection" : "once");
    }
}
