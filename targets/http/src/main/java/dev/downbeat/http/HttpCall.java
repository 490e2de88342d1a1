package dev.downbeat.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.HttpResponse;
import dev.downbeat.http.message.OutgoingRequest;
import dev.downbeat.http.message.ResponseText;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request of {@code HttpCalls} in progress. Its public methods are thread-safe. */
public final class HttpCall {
    /** Notified once of the end of a call, on the connection thread; must not block it. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The call has ended.
         *
         * @param exchange its timing and outcome; must not be retained
         * @param response the response, whatever its status; null if none arrived in full
         */
        void ended(Exchange exchange, @Nullable HttpResponse response);

        /**
         * A connection is free for the call or is being opened for it. Not called for a call that is refused while
         * waiting.
         *
         * @param startedAt when that happened
         */
        default void started(long startedAt) {}
    }

    private final Consumer<HttpCall> aborting;
    private final byte[] request;
    private final boolean expectsNoBody;
    private final Listener listener;
    private final ResponseText text = new ResponseText();
    final long givenAt;

    /** The fields below belong to the connection thread. */
    private @Nullable Exchange exchange;

    int slot = -1;

    HttpCall(Consumer<HttpCall> aborting, byte[] request, boolean expectsNoBody, Listener listener, long givenAt) {
        this.aborting = aborting;
        this.request = request;
        this.expectsNoBody = expectsNoBody;
        this.listener = listener;
        this.givenAt = givenAt;
    }

    /**
     * Abandons the call: its listener is not notified any more, unless a notification is in progress. No effect once
     * the call is over.
     */
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

    /** Ends the call without a response. */
    void refuse(Outcome why, long now) {
        Exchange never = new Exchange(0);
        never.begin(givenAt, givenAt, now);
        never.outcome = why;
        tell(never, null);
    }

    private void tell(Exchange ended, @Nullable HttpResponse response) {
        guarded(() -> listener.ended(ended, response));
    }

    /** An exception in a listener must not end other calls. */
    private static void guarded(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException broken) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, broken);
        }
    }
}
