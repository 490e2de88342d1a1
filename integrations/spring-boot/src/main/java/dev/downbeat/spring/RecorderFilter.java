package dev.downbeat.spring;

import dev.downbeat.load.Request;
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
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean isFirst =
                request.getDispatcherType() == DispatcherType.REQUEST && request.getAttribute(RECORDED) == null;
        if (!isFirst || !isRecorded.test(path(request))) {
            try {
                chain.doFilter(request, response);
            } catch (IOException | ServletException | RuntimeException | Error thrown) {
                ServletCompletion.noteBroken(request, response, cause(thrown));
                throw thrown;
            } finally {
                ServletCompletion.noteRoute(request);
            }
            return;
        }
        Request recorded = recorder.request();
        ServletCompletion completion = new ServletCompletion(recorded, request, response);
        request.setAttribute(RECORDED, true);
        boolean isAsync = false;
        try {
            chain.doFilter(request, response);
            isAsync = request.isAsyncStarted();
            if (isAsync) {
                request.getAsyncContext().addListener(completion);
            } else {
                completion.end();
            }
        } catch (IOException | ServletException | RuntimeException | Error thrown) {
            completion.failed(cause(thrown));
            throw thrown;
        } finally {
            ServletCompletion.noteRoute(request);
            if (!isAsync) {
                recorded.close();
            }
        }
    }

    /** The path within the application. */
    private static String path(ServletRequest request) {
        return request instanceof HttpServletRequest http && http.getRequestURI() != null
                ? http.getRequestURI()
                        .substring(Objects.requireNonNullElse(http.getContextPath(), "")
                                .length())
                : "";
    }

    private static Throwable cause(Throwable thrown) {
        return thrown instanceof ServletException wrapped && wrapped.getCause() != null ? wrapped.getCause() : thrown;
    }
}
