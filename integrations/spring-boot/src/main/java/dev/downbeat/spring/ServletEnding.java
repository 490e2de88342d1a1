package dev.downbeat.spring;

import dev.downbeat.load.Request;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Ends a recorded servlet request: at once, or through the first event if it continues asynchronously.
 *
 * @param request has its route once Spring has found a handler
 * @param response the response to inspect: an event lacks one unless it was registered with its listener
 */
record ServletEnding(Request recorded, ServletRequest request, ServletResponse response) implements AsyncListener {
    private static final String ROUTE = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";
    private static final String NOTED = ServletEnding.class.getName() + ".route";

    /**
     * Called after the filters, before the container dispatches a failure to an error page, whose route is not the
     * caller's.
     */
    static void noteRoute(ServletRequest request) {
        if (request.getAttribute(NOTED) == null) {
            request.setAttribute(NOTED, request.getAttribute(ROUTE));
        }
    }

    /** Ends a request with a complete response. */
    void end() {
        int status = status();
        named(status);
        Ending.end(recorded, status);
    }

    /** Ends the request with an exception. */
    void failed(Throwable thrown) {
        named(status());
        recorded.failed(thrown);
    }

    private int status() {
        return response instanceof HttpServletResponse http ? http.getStatus() : 0;
    }

    private void named(int status) {
        Object noted = request.getAttribute(NOTED);
        recorded.named(Ending.row(noted == null ? request.getAttribute(ROUTE) : noted, status));
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        named(0);
        recorded.failed("timed out");
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
