package dev.downbeat.http;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.http.wire.Polling;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The lanes of one generator thread to several services, polled together. Each service has its own connections. A
 * request without a free one queues here for its service, so an unresponsive service does not delay the others. Only
 * when {@link #WAITING_ROOM} requests are queued must all wait.
 */
final class ServicesLane implements Lane {
    /** The maximum number of queued requests over all services. */
    static final int WAITING_ROOM = 16_384;

    private final HttpRequests requests;
    private final Polling polling;
    private final int slots;
    private final NanoClock clock;
    private final Exchange.Listener listener;
    private final List<Service> services = new ArrayList<>();

    /**
     * For each queued exchange, {@link Polling#idleWhenFullNanos} at the start of its wait; otherwise {@link #SENT}.
     */
    private final long[] idleBefore;

    private static final long SENT = -1;

    private int inUse;
    private int inLine;
    private long idleWhenFullNanos;

    /** Opens the lane of a service that reports the ends of its exchanges to the given listener. */
    @FunctionalInterface
    interface Opening {
        OpenedLane open(Exchange.Listener told) throws IOException;
    }

    ServicesLane(HttpRequests requests, Polling polling, int slots, NanoClock clock, Exchange.Listener listener) {
        this.requests = requests;
        this.polling = polling;
        this.slots = slots;
        this.clock = clock;
        this.listener = listener;
        this.idleBefore = new long[slots];
        Arrays.fill(idleBefore, SENT);
    }

    Polling polling() {
        return polling;
    }

    /** Adds the next service, in the order of {@link HttpRequests#services}. */
    void add(Opening opening) throws IOException {
        services.add(new Service(opening));
    }

    /** A service with its lane and its queue. */
    private final class Service implements Exchange.Listener {
        private final OpenedLane lane;
        private final Deque<Exchange> line = new ArrayDeque<>();
        private int free;
        private boolean isSending;

        Service(Opening opening) throws IOException {
            lane = opening.open(this);
            free = lane.capacity();
        }

        void send(Exchange exchange) {
            if (free > 0 && line.isEmpty()) {
                free--;
                lane.send(exchange);
            } else {
                exchange.unconnected = true;
                idleBefore[exchange.slot] = polling.idleWhenFullNanos();
                line.addLast(exchange);
                inLine++;
            }
        }

        /** Sends queued requests while connections are free. A send may end at once and free its connection again. */
        void sendOn() {
            if (isSending) {
                return;
            }
            isSending = true;
            while (free > 0 && !line.isEmpty()) {
                Exchange next = line.removeFirst();
                leaveLine(next);
                next.unconnected = false;
                free--;
                lane.send(next);
            }
            isSending = false;
        }

        /** The service time starts here. Idle time during the wait cannot be Downbeat's delay. */
        private void leaveLine(Exchange exchange) {
            exchange.startedAt = clock.nanoTime();
            exchange.firstByteAt = exchange.startedAt;
            exchange.stalledNanos = Math.min(
                    exchange.backlogWaitNanos(),
                    exchange.stalledNanos + polling.idleWhenFullNanos() - idleBefore[exchange.slot]);
            idleBefore[exchange.slot] = SENT;
            inLine--;
        }

        void abandon(Exchange exchange) {
            inUse--;
            if (idleBefore[exchange.slot] == SENT) {
                lane.abandon(exchange);
                free++;
            } else {
                line.remove(exchange); // nearly always the first
                leaveLine(exchange);
            }
        }

        @Override
        public void completed(Exchange exchange) {
            inUse--;
            free++;
            listener.completed(exchange);
            sendOn();
        }
    }

    @Override
    public int capacity() {
        return slots;
    }

    @Override
    public void send(Exchange exchange) {
        inUse++;
        services.get(requests.serviceOf(exchange)).send(exchange);
    }

    @Override
    public void abandon(Exchange exchange) {
        services.get(requests.serviceOf(exchange)).abandon(exchange);
    }

    @Override
    public void poll(long untilAt) {
        long until = untilAt;
        boolean isWaiting = inLine > 0;
        for (int i = 0; i < services.size(); i++) {
            services.get(i).sendOn(); // because its predecessors timed out
            until = services.get(i).lane.beforeWait(until);
            isWaiting |= services.get(i).lane.hasWaiting();
        }
        boolean isFull = inUse == slots;
        long idleNanos = polling.idleWhenFullNanos();
        polling.until(until, inUse > inLine, isWaiting);
        idleWhenFullNanos += isFull ? polling.idleWhenFullNanos() - idleNanos : 0;
        for (int i = 0; i < services.size(); i++) {
            services.get(i).lane.afterWait();
        }
    }

    @Override
    public long idleWhenFullNanos() {
        return idleWhenFullNanos;
    }

    @Override
    public ConnectionCounts connections() {
        return services.stream()
                .map(service -> service.lane.connections())
                .reduce(ConnectionCounts.NONE, ConnectionCounts::plus);
    }

    @Override
    public TargetCounts counts() {
        return services.stream().map(service -> service.lane.counts()).reduce(TargetCounts.NONE, TargetCounts::plus);
    }

    @Override
    public void close() {
        services.forEach(service -> service.lane.close());
        polling.close();
    }
}
