package dev.downbeat.sqs.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Leads from an HTTP request to the observation of its operation: by the id that the SDK gives each operation and sends
 * as a header. Thread-safe.
 */
final class CallObservations implements ExecutionInterceptor {
    static final String ID = "amz-sdk-invocation-id";

    private final Map<String, CallObservation> byId = new ConcurrentHashMap<>();
    private final ConnectionLog log;
    private volatile boolean rehearsing;

    CallObservations(ConnectionLog log) {
        this.log = log;
    }

    /** While this is so, requests are answered by {@link CannedAnswer} and are not counted. */
    void rehearsing(boolean on) {
        rehearsing = on;
    }

    boolean isRehearsing() {
        return rehearsing;
    }

    /** Once for each attempt, before it is given to the HTTP client. */
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

    /** Once for each attempt that was answered. */
    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        CallObservation observation = attributes.getAttribute(CallObservation.KEY);
        if (observation != null) {
            observation.answered(context.httpResponse().statusCode());
        }
    }

    /** The observation of this attempt, taken out; a new one, of which nobody hears, if there is none. */
    CallObservation take(SdkHttpRequest request) {
        String id = id(request);
        CallObservation known = id == null ? null : byId.remove(id);
        return known == null ? new CallObservation() : known;
    }

    static @Nullable String id(SdkHttpRequest request) {
        return request.firstMatchingHeader(ID).orElse(null);
    }
}
