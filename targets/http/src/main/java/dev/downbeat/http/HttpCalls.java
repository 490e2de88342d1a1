package dev.downbeat.http;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.message.HttpResponse;
import dev.downbeat.http.message.RequestWriter.OutgoingRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.http.wire.OpenedLane.SharedThreadState;
import dev.downbeat.http.wire.Polling;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends varying requests to one service over the same engine as {@link HttpTarget}, for callers with their own
 * schedule. One thread owns the connections. A request without a free connection or stream waits, in order of arrival.
 * The timing is reported as an {@link Exchange} with {@code intendedAt} and {@code dispatchedAt} set to the submission,
 * so its backlog wait is the wait for a connection.
 *
 * <p>Thread-safe.
 */
public final class HttpCalls implements AutoCloseable {
    private static final Outcome NO_CONNECTION = Outcome.failed("no connection was free in time");
    private static final Outcome CLOSED = Outcome.failed("the client was closed");

    private static final long NAP_NANOS = 10_000_000;

    private final NanoClock clock;
    private final long longestWaitNanos;
    private final Polling polling;
    private final OpenedLane lane;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Deque<HttpCall> waiting = new ArrayDeque<>();
    private final Deque<Exchange> free = new ArrayDeque<>();
    private final @Nullable HttpCall[] bySlot;
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile boolean closing;
    private volatile ConnectionCounts connections = ConnectionCounts.NONE;

    /**
     * Starts the thread. No connection is opened before the first call, unless the server must choose the HTTP version.
     *
     * @param endpoint the service; its path is ignored
     * @param options connection options
     * @param longestWait maximum wait for a connection
     * @param clock the clock for all instants
     * @throws IOException if no selector can be created, or if the server must choose and does not respond
     */
    public HttpCalls(HttpEndpoint endpoint, HttpOptions options, Duration longestWait, NanoClock clock)
            throws IOException {
        HttpTarget target = new HttpTarget(HttpRequest.of("GET", endpoint, List.of(), new byte[0]), options);
        this.clock = clock;
        this.longestWaitNanos = longestWait.toNanos();
        int slots = target.mostInFlight(options.connections(), target.isHttp2(clock));
        this.polling = new Polling(clock, options.pacing());
        this.lane =
                target.lane(options.connections(), new SharedThreadState(polling, slots, null), clock, this::completed);
        this.bySlot = new HttpCall[slots];
        for (int slot = 0; slot < bySlot.length; slot++) {
            free.add(new Exchange(slot));
        }
        polling.interruptWhen(woken::get);
        thread = Daemon.of("downbeat-http-calls", this::loop);
        thread.start();
    }

    /**
     * Sends a request as soon as a connection is free.
     *
     * @param request sent to the endpoint of these calls, regardless of its own host and port
     * @return a handle for abandoning the call
     */
    public HttpCall send(HttpRequest request, HttpCall.Listener listener) {
        HttpCall call = new HttpCall(this::abort, request, listener, clock.nanoTime());
        submit(() -> waiting.addLast(call));
        return call;
    }

    /** Connection counts up to the latest finished call, or up to a few milliseconds ago. */
    public ConnectionCounts connections() {
        return connections;
    }

    /** Fails all calls in progress and closes all connections. */
    @Override
    public void close() {
        closing = true;
        polling.wake();
        if (Thread.currentThread() == thread) {
            return; // a listener closes: the loop ends all once it returns
        }
        try {
            thread.join();
            endAll(); // calls submitted while the thread was ending
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void abort(HttpCall call) {
        submit(() -> {
            if (call.slot >= 0) {
                Exchange exchange = call.exchange();
                lane.abandon(exchange);
                forget(call, exchange);
            } else {
                waiting.remove(call);
            }
        });
    }

    private void submit(Runnable task) {
        tasks.add(task);
        if (woken.compareAndSet(false, true)) {
            polling.wake();
        }
        if (!thread.isAlive()) {
            endAll(); // no other thread will do it
        }
    }

    private void loop() {
        try {
            while (!closing) {
                runSubmittedTasks();
                startWaiting(clock.nanoTime());
                lane.poll(clock.nanoTime() + NAP_NANOS);
                connections = lane.connections();
            }
        } finally {
            endAll();
            lane.close();
        }
    }

    private void runSubmittedTasks() {
        woken.set(false); // first, so that later calls trigger another wake-up
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void startWaiting(long now) {
        while (!waiting.isEmpty()) {
            HttpCall first = waiting.getFirst();
            if (!free.isEmpty()) {
                waiting.removeFirst();
                start(first, free.removeFirst());
            } else if (now - first.submittedAt >= longestWaitNanos) {
                waiting.removeFirst();
                first.refuse(NO_CONNECTION, now);
            } else {
                return;
            }
        }
    }

    private void start(HttpCall call, Exchange exchange) {
        bySlot[exchange.slot] = call;
        call.start(exchange, clock.nanoTime());
        lane.send(exchange, call.outgoing());
    }

    private void completed(Exchange exchange) {
        HttpCall call = bySlot[exchange.slot];
        if (call != null) {
            // Before the listener, so that counts read at the last response include the close that came with it.
            connections = lane.connections();
            call.end(exchange);
            forget(call, exchange);
        }
    }

    private void forget(HttpCall call, Exchange exchange) {
        call.slot = -1;
        bySlot[exchange.slot] = null;
        free.addLast(exchange);
    }

    private synchronized void endAll() {
        runSubmittedTasks();
        long now = clock.nanoTime();
        for (HttpCall call : bySlot) {
            if (call != null) {
                Exchange exchange = call.exchange();
                lane.abandon(exchange);
                forget(call, exchange);
                call.refuse(CLOSED, now);
            }
        }
        for (HttpCall call : new ArrayList<>(waiting)) {
            call.refuse(CLOSED, now);
        }
        waiting.clear();
    }

    /** A request of {@code HttpCalls} in progress. Its public methods are thread-safe. */
    public static final class HttpCall {
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

        private final Consumer<HttpCall> onAbort;
        private final byte[] request;
        private final boolean closesConnection;
        private final Listener listener;
        private final HttpResponse.Reader responseReader = new HttpResponse.Reader();
        final long submittedAt;

        /** The fields below belong to the connection thread. */
        private @Nullable Exchange exchange;

        int slot = -1;

        HttpCall(Consumer<HttpCall> onAbort, HttpRequest request, Listener listener, long submittedAt) {
            this.onAbort = onAbort;
            this.request = request.encode(false);
            this.closesConnection = request.closesConnection();
            this.listener = listener;
            this.submittedAt = submittedAt;
        }

        /**
         * Abandons the call: its listener is not notified, unless a notification is in progress. No effect once
         * the call is over.
         */
        public void abort() {
            onAbort.accept(this);
        }

        OutgoingRequest outgoing() {
            return new OutgoingRequest(ByteBuffer.wrap(request), closesConnection, responseReader);
        }

        void start(Exchange with, long now) {
            exchange = with;
            slot = with.slot;
            with.begin(submittedAt, submittedAt, now);
            guarded(() -> listener.started(now));
        }

        Exchange exchange() {
            if (exchange == null) {
                throw new IllegalStateException("the call has not started");
            }
            return exchange;
        }

        void end(Exchange ended) {
            notifyEnded(ended, ended.outcome.isResponse() ? responseReader.response() : null);
        }

        void refuse(Outcome why, long now) {
            Exchange unsent = new Exchange(0);
            unsent.begin(submittedAt, submittedAt, now);
            unsent.outcome = why;
            notifyEnded(unsent, null);
        }

        private void notifyEnded(Exchange ended, @Nullable HttpResponse response) {
            guarded(() -> listener.ended(ended, response));
        }

        /** An exception in a listener must not end other calls. */
        private static void guarded(Runnable notification) {
            try {
                notification.run();
            } catch (RuntimeException broken) {
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, broken);
            }
        }
    }
}
