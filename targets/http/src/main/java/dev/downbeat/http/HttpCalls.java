package dev.downbeat.http;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.http.wire.Polling;
import dev.downbeat.http.wire.SharedThreadState;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Requests that differ, to one service, over the same engine as {@link HttpTarget}: for whoever has a schedule and
 * clients of their own. One thread keeps the connections; a request for which none is free, or no stream, waits in the order of
 * its coming. What a request takes is told as an {@link Exchange}, whose {@code intendedAt} and {@code dispatchedAt} are the
 * moment at which it was given, so that its backlog wait is the wait for a connection.
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
    private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
    private final Deque<HttpCall> waiting = new ArrayDeque<>();
    private final Deque<Exchange> free = new ArrayDeque<>();
    private final @Nullable HttpCall[] bySlot;
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile boolean closing;
    private volatile ConnectionCounts connections = ConnectionCounts.NONE;

    /**
     * Starts the thread. No connection is opened before the first call, unless the server is to choose the version of HTTP.
     *
     * @param endpoint whom to call; its path is not used
     * @param options of the connections
     * @param longestWait how long a call may wait for a connection
     * @param clock what all instants are readings of
     * @throws IOException if the system has no selector for us, or nobody answers who is to choose
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
        thread = new Thread(this::loop, "downbeat-http-calls");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Sends a request as soon as a connection is free.
     *
     * @param request to the endpoint of these calls, whatever its own says of host and port
     * @return what can be abandoned
     */
    public HttpCall send(HttpRequest request, HttpCall.Listener listener) {
        HttpCall call =
                new HttpCall(this::abort, request.encode(false), request.expectsNoBody(), listener, clock.nanoTime());
        ask(() -> waiting.addLast(call));
        return call;
    }

    /** What happened to the connections: all up to the latest call that ended, and else up to some milliseconds ago. */
    public ConnectionCounts connections() {
        return connections;
    }

    /** Ends all calls that are out, as failed, and closes all connections. */
    @Override
    public void close() {
        closing = true;
        polling.wake();
        try {
            thread.join();
            endAll(); // what was given while the thread ended
        } catch (InterruptedException later) {
            Thread.currentThread().interrupt();
        }
    }

    private void abort(HttpCall call) {
        ask(() -> {
            if (call.slot >= 0) {
                Exchange exchange = call.exchange();
                lane.abandon(exchange);
                forget(call, exchange);
            } else {
                waiting.remove(call);
            }
        });
    }

    private void ask(Runnable what) {
        asked.add(what);
        if (woken.compareAndSet(false, true)) {
            polling.wake();
        }
        if (!thread.isAlive()) {
            endAll(); // nobody else is left to do so
        }
    }

    private void loop() {
        try {
            while (!closing) {
                takeAsked();
                startWaiting(clock.nanoTime());
                lane.poll(clock.nanoTime() + NAP_NANOS);
                connections = lane.connections();
            }
        } finally {
            endAll();
            lane.close();
        }
    }

    private void takeAsked() {
        woken.set(false); // first: what is asked from here on wakes us again
        for (Runnable what = asked.poll(); what != null; what = asked.poll()) {
            what.run();
        }
    }

    private void startWaiting(long now) {
        while (!waiting.isEmpty()) {
            HttpCall first = waiting.getFirst();
            if (now - first.givenAt >= longestWaitNanos) {
                waiting.removeFirst();
                first.refuse(NO_CONNECTION, now);
            } else if (free.isEmpty()) {
                return;
            } else {
                waiting.removeFirst();
                start(first, free.removeFirst());
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
            // Before the listener: a count taken at the last response has the close that came with it.
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
        takeAsked();
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
}
