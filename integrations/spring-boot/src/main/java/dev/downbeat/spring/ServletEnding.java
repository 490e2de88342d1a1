package dev.downbeat.spring;

import dev.downbeat.load.Request;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;

/**
 * How a request of a servlet container ends: at once, or by whatever ends it when it goes on asynchronously; the first end counts.
 *
 * @param response the one to be looked at: an event has none unless it was given to the container with its listener
 */
record ServletEnding(Request recorded, ServletResponse response) implements AsyncListener {
    /** A request that has its response now. */
    static void end(Request recorded, ServletResponse response) {
        Ending.end(recorded, response instanceof HttpServletResponse http ? http.getStatus() : 0);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end(recorded, response);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        recorded.failed("timed out");
    }

    @Override
    public void onError(AsyncEvent event) {
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
