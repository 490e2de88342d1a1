package dev.downbeat.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.HttpResponse;
import dev.downbeat.http.message.OutgoingRequest;
import dev.downbeat.http.message.ResponseText;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request of {@code HttpCalls} on its way. Thread-safe, as far as it is public. */
public final class HttpCall {
    /** Told once about the end of each call, on the thread that keeps the connections: do not block it. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The call is over.
         *
         * @param exchange when what happened, and how it ended; not to be kept
         * @param response what came, whatever its status; null if no response came in full
         */
        void ended(Exchange exchange, @Nullable HttpResponse response);

        /**
         * A connection was free for the call, or is opened for it. Not told of a call that waits until it is refused.
         *
         * @param startedAt when that was
         */
        default void started(long startedAt) {}
    }

    private final Consumer<HttpCall> aborting;
    private final byte[] request;
    private final boolean expectsNoBody;
    private final Listener listener;
    private final ResponseText text = new ResponseText();
    final long givenAt;

    /** What follows belongs to the thread of the calls. */
    private @Nullable Exchange exchange;

    int slot = -1;

    HttpCall(Consumer<HttpCall> aborting, byte[] request, boolean expectsNoBody, Listener listener, long givenAt) {
        this.aborting = aborting;
        this.request = request;
        this.expectsNoBody = expectsNoBody;
        this.listener = listener;
        this.givenAt = givenAt;
    }

    /** Gives it up: its listener is not told any more, unless it is being told now. Harmless if it is over. */
    public void abort() {
        aborting.accept(this);
    }

    OutgoingRequest outgoing() {
        return new OutgoingRequest(ByteBuffer.wrap(request), expectsNoBody, text);
    }

    void start(Exchange with, long now) {
        exchange = with;
        slot = with.slot;
        with.begin(givenAt, givenAt, now);
        guarded(() -> listener.started(now));
    }

    Exchange exchange() {
        if (exchange == null) {
            throw new IllegalStateException("the call has not started");
        }
        return exchange;
    }

    void end(Exchange ended) {
        tell(ended, ended.outcome.isResponse() ? text.response() : null);
    }

    /** Ends it without an answer. */
    void refuse(Outcome why, long now) {
        Exchange never = new Exchange(0);
        never.begin(givenAt, givenAt, now);
        never.outcome = why;
        tell(never, null);
    }

    private void tell(Exchange ended, @Nullable HttpResponse response) {
        guarded(() -> listener.ended(ended, response));
    }

    /** A listener's mistake must not end everybody else's calls. */
    private static void guarded(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException broken) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, broken);
        }
    }
}
