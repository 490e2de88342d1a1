package dev.downbeat.exchange;

import java.util.List;

/**
 * What a load is put on: {@code Http} of downbeat-http, {@code Sqs} of downbeat-sqs, {@code Jdbc} of downbeat-jdbc. How
 * requests are sent is not promised, so only Downbeat's own modules make one. Thread-safe.
 */
public interface SystemUnderTest {
    /**
     * How the command line is told the same: a target, and options such as {@code --connections=16}. Secrets are {@code ***}.
     *
     * @return empty if it cannot be
     */
    default List<String> words() {
        return List.of();
    }
}
