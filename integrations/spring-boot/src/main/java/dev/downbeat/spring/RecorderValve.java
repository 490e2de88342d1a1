package dev.downbeat.spring;

import dev.downbeat.load.ServiceRecorder;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

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
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (request.getAttribute(RecorderFilter.RECORDED) != null || !isRecorded.test(path(request))) {
            getNext().invoke(request, response); // dispatched again, or without a caller that waits
            return;
        }
        request.setAttribute(RecorderFilter.RECORDED, true);
        long stampedAt = request.getCoyoteRequest().getStartTimeNanos();
        dev.downbeat.load.Request recorded =
                stampedAt == NO_STAMP ? recorder.request() : recorder.requestSince(stampedAt);
        ServletCompletion completion = new ServletCompletion(recorded, request, response);
        boolean isAsync = false;
        try {
            getNext().invoke(request, response);
            isAsync = request.isAsync();
            if (isAsync) {
                request.getAsyncContextInternal().addListener(completion);
            } else {
                completion.end();
            }
        } catch (IOException | ServletException | RuntimeException | Error thrown) {
            completion.failed(thrown);
            throw thrown;
        } finally {
            if (!isAsync) {
                recorded.close();
            }
        }
    }

    /** The path within the application; Tomcat has mapped the request by now. */
    private static String path(Request request) {
        String uri = request.getRequestURI();
        String context = request.getContextPath();
        return context != null && uri.startsWith(context) ? uri.substring(context.length()) : uri;
    }
}
