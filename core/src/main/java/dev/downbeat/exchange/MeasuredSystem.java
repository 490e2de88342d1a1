package dev.downbeat.exchange;

import java.util.List;

/** What a load asks of the system that receives it; for Downbeat's own modules only. Thread-safe. */
public interface MeasuredSystem extends SystemUnderTest {
    /** The equivalent command-line arguments, with secrets as {@code ***}; empty if there are none. */
    default List<String> commandLineArguments() {
        return List.of();
    }

    /**
     * The same system, where each user of a closed loop can have a request in flight, unless its limit was set.
     *
     * @param users 0 for an open load
     */
    default MeasuredSystem forUsers(int users) {
        return this;
    }
}
