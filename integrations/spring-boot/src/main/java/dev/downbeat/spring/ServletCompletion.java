package dev.downbeat.spring;

import dev.downbeat.load.Request;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a recorded servlet request: at once, or through an event if it continues asynchronously. Thread-safe: the
 * container calls its events one after the other.
 */
final class ServletCompletion implements AsyncListener {
    private static final String ROUTE = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";
    private static final String NOTED = ServletCompletion.class.getName() + ".route";

    private static final String THROWN = ServletCompletion.class.getName() + ".thrown";
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
        Contained.run(() -> {
            if (request.getAttribute(NOTED) == null) {
                request.setAttribute(NOTED, request.getAttribute(ROUTE));
            }
        });
    }

    /** Called before the container swallows the exception, whose status comes too late once a byte is sent. */
    static void noteThrown(ServletRequest request, ServletResponse response, Throwable thrown) {
        Contained.run(() -> {
            request.setAttribute(THROWN, thrown);
            if (response.isCommitted()) {
                request.setAttribute(BROKEN, true);
            }
        });
    }

    /**
     * The container has returned from the request without an exception.
     *
     * @param async gives its asynchronous part, or null if it has ended
     */
    void returned(Supplier<@Nullable AsyncContext> async) {
        Contained.end(recorded, () -> {
            AsyncContext context = async.get();
            if (context == null) {
                end();
            } else {
                listenTo(context);
            }
        });
    }

    /** Some containers take no listener once the asynchronous part is complete: then the response has ended. */
    private void listenTo(AsyncContext context) {
        try {
            context.addListener(this);
        } catch (IllegalStateException refused) {
            if (request.isAsyncStarted()) {
                throw refused;
            }
            end();
        }
    }

    /** Ends a request as its response ended. */
    private void end() {
        int status = status();
        named(status);
        boolean isFailure = RequestEnd.isFailure(status);
        boolean isBroken = request.getAttribute(BROKEN) != null;
        Throwable thrown = thrown();
        if (isTimedOut && isFailure && !isBroken) {
            recorded.failed("status " + status + " after an async timeout");
        } else if (thrown != null && (isBroken || isFailure)) {
            recorded.failed(cause(thrown));
        } else {
            RequestEnd.end(recorded, status);
        }
    }

    /** What the application threw; the container knows what its filters have not seen. */
    private @Nullable Throwable thrown() {
        Object noted = request.getAttribute(THROWN);
        Object thrown = noted == null ? request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) : noted;
        return thrown instanceof Throwable known ? known : null;
    }

    void failed(Throwable thrown) {
        Contained.end(recorded, () -> {
            named(status());
            recorded.failed(cause(thrown));
        });
    }

    /** The application's exception, without the servlets' wrapper. */
    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof ServletException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
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
        Contained.end(recorded, this::end);
    }

    /** Long polls and event streams end by it with an ordinary response; onComplete follows and decides. */
    @Override
    public void onTimeout(AsyncEvent event) {
        isTimedOut = true;
    }

    @Override
    public void onError(AsyncEvent event) {
        Contained.end(recorded, () -> {
            named(0);
            if (event.getThrowable() == null) {
                recorded.failed("error");
            } else {
                recorded.failed(cause(event.getThrowable()));
            }
        });
    }

    /** Asynchronous processing restarted, which removed the listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        Contained.end(recorded, () -> listenTo(event.getAsyncContext()));
    }
}
