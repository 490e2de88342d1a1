package dev.downbeat.sqs.client;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Observes each attempt of an HTTP client and collects what its hooks report. Thread-safe. */
interface AttemptWatch extends AutoCloseable {
    /** Observes nothing. */
    AttemptWatch NONE = new AttemptWatch() {};

    /** Prepares for such a request as far as possible without a connection and without a lookup. */
    default void prepare(SdkHttpRequest request) {}

    /** An attempt is passed to the client, on the same thread. */
    default void begin(@Nullable String id, CallObservation observation) {}

    /** The attempt has ended; for a blocking client, on the same thread. */
    default void end(@Nullable String id, CallObservation observation, boolean answered) {}

    /** Whether it reports the wait for a connection more precisely than the client's own metrics. */
    default boolean knowsWait() {
        return false;
    }

    /** Called after the client is closed. */
    @Override
    default void close() {}
}
