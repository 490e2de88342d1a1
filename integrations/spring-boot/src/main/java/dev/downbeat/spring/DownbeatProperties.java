package dev.downbeat.spring;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is recorded, and how often it is taken.
 *
 * @param enabled whether anything is
 * @param name for the report's first line, and what the meters' names begin with
 * @param interval how long one measurement is, at least a second
 * @param objectives such as {@code p99<50ms}; if none is given, {@code errors<1%}
 * @param leaveOut what the paths of requests begin with that are not recorded: those of whoever watches the service
 */
@ConfigurationProperties("downbeat.recorder")
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
