package dev.downbeat.spring;

import dev.downbeat.load.ServiceRecorder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records each request of a servlet container; must be the first filter. An asynchronous request ends when it
 * completes or fails. A status of 500 or more is a failure. If {@link RecorderValve} is installed, it
 * records, and this filter notes what the valve cannot see. Thread-safe.
 */
public final class RecorderFilter implements Filter {
    static final String RECORDED = RecorderFilter.class.getName() + ".recorded";

    private final ServiceRecorder recorder;
    private final Predicate<String> isRecorded;

    /**
     * Creates a filter.
     *
     * @param recorder a recorder of a service
     */
    public RecorderFilter(ServiceRecorder recorder) {
        this(recorder, path -> true);
    }

    RecorderFilter(ServiceRecorder recorder, Predicate<String> isRecorded) {
        this.recorder = recorder;
        this.isRecorded = isRecorded;
    }

    @Override
    @SuppressWarnings("IllegalCatch") // languages without checked exceptions throw any of them
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ServletCompletion completion = Contained.begin(() -> begun(request, response));
        try {
            chain.doFilter(request, response);
        } catch (Throwable thrown) {
            if (completion == null) {
                ServletCompletion.noteThrown(request, response, thrown);
            } else {
                completion.failed(thrown);
            }
            throw thrown;
        } finally {
            ServletCompletion.noteRoute(request);
        }
        if (completion != null) {
            completion.returned(() -> request.isAsyncStarted() ? request.getAsyncContext() : null);
        }
    }

    /** Null if another component records the request, or if nothing does. */
    private @Nullable ServletCompletion begun(ServletRequest request, ServletResponse response) {
        boolean isFirst =
                request.getDispatcherType() == DispatcherType.REQUEST && request.getAttribute(RECORDED) == null;
        if (!isFirst || !isRecorded.test(path(request))) {
            return null;
        }
        request.setAttribute(RECORDED, true);
        return new ServletCompletion(recorder.request(), request, response);
    }

    /** The path within the application. */
    private static String path(ServletRequest request) {
        return request instanceof HttpServletRequest http && http.getRequestURI() != null
                ? http.getRequestURI()
                        .substring(Objects.requireNonNullElse(http.getContextPath(), "")
                                .length())
                : "";
    }
}
