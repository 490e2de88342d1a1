package dev.downbeat.sqs.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Links an HTTP request to the observation of its operation, through the SDK's operation id, which is sent as a header.
 * Thread-safe.
 */
final class CallObservations implements ExecutionInterceptor {
    static final String ID = "amz-sdk-invocation-id";

    private final Map<String, CallObservation> byId = new ConcurrentHashMap<>();
    private final ConnectionLog log;
    private volatile boolean rehearsing;

    CallObservations(ConnectionLog log) {
        this.log = log;
    }

    /** While enabled, requests are answered by {@link SdkConnection.CannedAnswer} and not counted. */
    void rehearsing(boolean on) {
        rehearsing = on;
    }

    boolean isRehearsing() {
        return rehearsing;
    }

    /** Once per attempt, before it is passed to the HTTP client. */
    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        if (rehearsing) {
            return;
        }
        log.attempt();
        CallObservation observation = attributes.getAttribute(CallObservation.KEY);
        String id = id(context.httpRequest());
        if (observation != null && id != null) {
            observation.attempted();
            byId.put(id, observation);
        }
    }

    /** Once per attempt with a response. */
    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        CallObservation observation = attributes.getAttribute(CallObservation.KEY);
        if (observation != null) {
            observation.answered(context.httpResponse().statusCode());
        }
    }

    /** Removes and returns the observation of this attempt; a new, unused one if there is none. */
    CallObservation take(SdkHttpRequest request) {
        String id = id(request);
        CallObservation known = id == null ? null : byId.remove(id);
        return known == null ? new CallObservation() : known;
    }

    static @Nullable String id(SdkHttpRequest request) {
        return request.firstMatchingHeader(ID).orElse(null);
    }

    /** Observes each attempt of an HTTP client and collects what its hooks report. Thread-safe. */
    interface AttemptWatch extends AutoCloseable {
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

        @Override
        default void close() {}
    }
}
