package dev.downbeat.sqs.client;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Hears of each attempt of one HTTP client, and finds out what its hooks tell. Thread-safe. */
interface AttemptWatch extends AutoCloseable {
    /** Finds out nothing. */
    AttemptWatch NONE = new AttemptWatch() {};

    /** What can be got ready for such a request without a connection and without a look-up. */
    default void prepare(SdkHttpRequest request) {}

    /** An attempt is given to the client, on the thread that does so. */
    default void begin(@Nullable String id, CallObservation observation) {}

    /** The attempt is over; a blocking client's on the same thread. */
    default void end(@Nullable String id, CallObservation observation, boolean answered) {}

    /** Whether it tells the wait for a connection, better than the client's own metrics. */
    default boolean knowsWait() {
        return false;
    }

    /** After the client is closed. */
    @Override
    default void close() {}
}
