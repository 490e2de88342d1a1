package dev.downbeat.spring;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of the recorder.
 *
 * @param enabled whether requests are recorded
 * @param name for the report's first line, and the prefix of the meters' names
 * @param interval length of a measurement, at least one second
 * @param objectives such as {@code p99<50ms}; the default is {@code errors<1%}
 * @param leaveOut path prefixes of requests that are not recorded, such as health checks
 */
@ConfigurationProperties(prefix = "downbeat.recorder", ignoreUnknownFields = false)
record DownbeatProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("requests") String name,
        @DefaultValue("1m") Duration interval,
        @DefaultValue List<String> objectives,
        @DefaultValue({"/actuator", "/livez", "/readyz"}) List<String> leaveOut) {
    DownbeatProperties {
        if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "downbeat.recorder.interval must be at least 1s, but was " + interval.toMillis() + "ms");
        }
        objectives = List.copyOf(objectives);
        leaveOut = List.copyOf(leaveOut);
    }

    /** Whether a request is recorded. */
    boolean isRecorded(String path) {
        return leaveOut.stream()
                .noneMatch(left -> path.startsWith(left)
                        && (path.length() == left.length() || left.endsWith("/") || path.charAt(left.length()) == '/'));
    }
}
