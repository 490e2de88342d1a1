package dev.downbeat.spring;

import dev.downbeat.load.ServiceRecorder;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/**
 * Records each request of Tomcat from when its connector began to read it, before any filter. Must be the engine's
 * first valve. Thread-safe.
 */
public final class RecorderValve extends ValveBase {
    /** Of Tomcat; a clock's other readings may be negative. */
    private static final long NO_STAMP = -1;

    private final ServiceRecorder recorder;
    private final Predicate<String> isRecorded;

    /**
     * Creates a valve.
     *
     * @param recorder a recorder of a service
     */
    public RecorderValve(ServiceRecorder recorder) {
        this(recorder, path -> true);
    }

    RecorderValve(ServiceRecorder recorder, Predicate<String> isRecorded) {
        super(true);
        this.recorder = recorder;
        this.isRecorded = isRecorded;
    }

    @Override
    @SuppressWarnings("IllegalCatch") // languages without checked exceptions throw any of them
    public void invoke(Request request, Response response) throws IOException, ServletException {
        ServletCompletion completion = Contained.begin(() -> begun(request, response));
        if (completion == null) {
            getNext().invoke(request, response);
            return;
        }
        try {
            getNext().invoke(request, response);
        } catch (Throwable thrown) {
            completion.failed(thrown);
            throw thrown;
        }
        completion.returned(() -> request.isAsync() ? request.getAsyncContextInternal() : null);
    }

    /** Null for one that is dispatched again, or without a caller that waits. */
    private @Nullable ServletCompletion begun(Request request, Response response) {
        if (request.getAttribute(RecorderFilter.RECORDED) != null || !isRecorded.test(path(request))) {
            return null;
        }
        request.setAttribute(RecorderFilter.RECORDED, true);
        long stampedAt = request.getCoyoteRequest().getStartTimeNanos();
        return new ServletCompletion(
                stampedAt == NO_STAMP ? recorder.request() : recorder.requestSince(stampedAt), request, response);
    }

    /**
     * The path within the application, since Tomcat has mapped the request by now; empty for a request that it could not
     * parse and refuses.
     */
    private static String path(Request request) {
        String uri = request.getRequestURI();
        String context = request.getContextPath();
        if (uri == null) {
            return "";
        }
        return context != null && uri.startsWith(context) ? uri.substring(context.length()) : uri;
    }
}
