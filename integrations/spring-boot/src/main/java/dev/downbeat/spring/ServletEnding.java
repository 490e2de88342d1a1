package dev.downbeat.spring;

import dev.downbeat.load.Request;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;

/**
 * How a request of a servlet container ends: at once, or by whatever ends it when it goes on asynchronously; the first end counts.
 *
 * @param request knows its route as soon as Spring has found a handler
 * @param response the one to be looked at: an event has none unless it was given to the container with its listener
 */
record ServletEnding(Request recorded, ServletRequest request, ServletResponse response) implements AsyncListener {
    private static final String ROUTE = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";
    private static final String NOTED = ServletEnding.class.getName() + ".route";

    /** A request that has its response now. */
    /** Behind the filters, before the container dispatches a failure to an error page, whose route is that of no caller. */
    static void noteRoute(ServletRequest request) {
        if (request.getAttribute(NOTED) == null) {
            request.setAttribute(NOTED, request.getAttribute(ROUTE));
        }
    }

    void end() {
        int status = status();
        named(status);
        Ending.end(recorded, status);
    }

    /** It ends by what was thrown. */
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

    /** It begins anew, and has forgotten its listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
