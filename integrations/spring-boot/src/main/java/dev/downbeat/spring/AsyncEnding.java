package dev.downbeat.spring;

import dev.downbeat.load.Request;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletResponse;

/**
 * Whatever ends an asynchronous request; the first end counts.
 *
 * @param response the one to be looked at: an event has none unless it was given to the container with its listener
 */
record AsyncEnding(Request recorded, ServletResponse response) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
        RecorderFilter.end(recorded, response);
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
