package dev.downbeat.exchange;

import java.util.List;

/**
 * The system that receives the load: {@code Http} of downbeat-http, {@code Sqs} of downbeat-sqs or {@code Jdbc} of
 * downbeat-jdbc. The sending interface is not stable, so only Downbeat's own modules implement this. Thread-safe.
 */
public interface SystemUnderTest {
    /**
     * The equivalent command-line arguments: a target, and options such as {@code --connections=16}. Secrets are {@code
     * ***}.
     *
     * @return empty if there is no equivalent
     */
    default List<String> commandLineArguments() {
        return List.of();
    }
}
