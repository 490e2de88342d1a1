package dev.downbeat.spring;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Request;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/**
 * Records each request of a servlet container, to be the first of all filters. A request that goes on asynchronously ends when
 * it is complete, times out or fails; a status of 500 or more is a failure. Where {@link RecorderValve} is, that one records, and
 * this does nothing. Thread-safe.
 */
public final class RecorderFilter implements Filter {
    static final String RECORDED = RecorderFilter.class.getName() + ".recorded";

    private final LiveRecorder recorder;

    /**
     * A filter.
     *
     * @param recorder of a service
     */
    public RecorderFilter(LiveRecorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean isFirst =
                request.getDispatcherType() == DispatcherType.REQUEST && request.getAttribute(RECORDED) == null;
        if (!isFirst) {
            chain.doFilter(request, response);
            return;
        }
        Request recorded = recorder.request();
        request.setAttribute(RECORDED, true);
        boolean goesOn = false;
        try {
            chain.doFilter(request, response);
            goesOn = request.isAsyncStarted();
            if (goesOn) {
                request.getAsyncContext().addListener(new ServletEnding(recorded, response));
            } else {
                ServletEnding.end(recorded, response);
            }
        } catch (IOException | ServletException | RuntimeException | Error thrown) {
            recorded.failed(cause(thrown));
            throw thrown;
        } finally {
            if (!goesOn) {
                recorded.close();
            }
        }
    }

    private static Throwable cause(Throwable thrown) {
        return thrown instanceof ServletException wrapped && wrapped.getCause() != null ? wrapped.getCause() : thrown;
    }
}
