package dev.downbeat.spring;

import dev.downbeat.load.Request;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Ends a recorded servlet request: at once, or through an event if it continues asynchronously. Thread-safe: the
 * container calls its events one after the other.
 */
final class ServletCompletion implements AsyncListener {
    private static final String ROUTE = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";
    private static final String NOTED = ServletCompletion.class.getName() + ".route";

    private static final String BROKEN = ServletCompletion.class.getName() + ".broken";

    private final Request recorded;
    private final ServletRequest request;
    private final ServletResponse response;
    private volatile boolean isTimedOut;

    /**
     * Creates the end of a request.
     *
     * @param request has its route once Spring has found a handler
     * @param response the response to inspect: an event lacks one unless it was registered with its listener
     */
    ServletCompletion(Request recorded, ServletRequest request, ServletResponse response) {
        this.recorded = recorded;
        this.request = request;
        this.response = response;
    }

    /**
     * Called after the filters, before the container dispatches a failure to an error page, whose route is not the
     * caller's.
     */
    static void noteRoute(ServletRequest request) {
        if (request.getAttribute(NOTED) == null) {
            request.setAttribute(NOTED, request.getAttribute(ROUTE));
        }
    }

    /** Called before the container swallows the exception, whose status comes too late once a byte is sent. */
    static void noteBroken(ServletRequest request, ServletResponse response, Throwable thrown) {
        if (response.isCommitted()) {
            request.setAttribute(BROKEN, thrown);
        }
    }

    /** Ends a request as its response ended. */
    void end() {
        int status = status();
        named(status);
        if (request.getAttribute(BROKEN) instanceof Throwable thrown) {
            recorded.failed(thrown);
        } else if (isTimedOut && RequestEnd.isFailure(status)) {
            recorded.failed("timed out");
        } else {
            RequestEnd.end(recorded, status);
        }
    }

    void failed(Throwable thrown) {
        named(status());
        recorded.failed(thrown);
    }

    private int status() {
        return response instanceof HttpServletResponse http ? http.getStatus() : 0;
    }

    private void named(int status) {
        Object noted = request.getAttribute(NOTED);
        recorded.named(RequestEnd.row(noted == null ? request.getAttribute(ROUTE) : noted, status));
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    /** Long polls and event streams end by it with an ordinary response; onComplete follows and decides. */
    @Override
    public void onTimeout(AsyncEvent event) {
        isTimedOut = true;
    }

    @Override
    public void onError(AsyncEvent event) {
        named(0);
        recorded.failed(
                event.getThrowable() == null
                        ? "error"
                        : event.getThrowable().getClass().getSimpleName());
    }

    /** Asynchronous processing restarted, which removed the listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
