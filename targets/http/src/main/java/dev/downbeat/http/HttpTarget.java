package dev.downbeat.http;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.message.AbsoluteForm;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.one.HttpLane;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.http.tls.TlsProvider;
import dev.downbeat.http.two.H2Lane;
import dev.downbeat.http.wire.ConnectLane;
import dev.downbeat.http.wire.Destination;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.http.wire.OpenedLane.SharedThreadState;
import dev.downbeat.http.wire.Polling;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A service over HTTP/1.1 or HTTP/2, by TCP, TLS or a Unix socket. One request is in flight per connection or stream. A
 * status below 400 counts as answered, including redirects, which are not followed.
 *
 * <p>Before the clock starts, the host name is looked up and connections are opened, as configured. Thread-safe.
 */
public final class HttpTarget implements Target {
    private final Destination destination;
    private final HttpOptions options;
    private final @Nullable HttpRequests requests;
    private final String description;
    private final List<HttpTarget> services;
    private @Nullable HttpVersion chosen;

    /**
     * A target that repeats one request.
     *
     * @throws IllegalArgumentException if the JDK rejects the trust settings
     */
    public HttpTarget(HttpRequest request, HttpOptions options) {
        this(
                request.endpoint(),
                null,
                request.toString(),
                request.closesConnection(),
                encoded(request, options),
                options,
                List.of());
    }

    /**
     * A target with varying requests. Each service has its own connections, as many as configured.
     *
     * @throws IllegalArgumentException if the JDK rejects the trust settings
     */
    public HttpTarget(HttpRequests requests, HttpOptions options) {
        this(
                requests.services().get(0),
                requests,
                options,
                requests.services().size() == 1
                        ? List.of()
                        : requests.services().stream()
                                .map(service -> new HttpTarget(service, requests, options, List.of()))
                                .toList());
    }

    private HttpTarget(HttpEndpoint endpoint, HttpRequests requests, HttpOptions options, List<HttpTarget> services) {
        this(endpoint, requests, requests.describe(), false, new byte[0], options, services);
    }

    private HttpTarget(
            HttpEndpoint endpoint,
            @Nullable HttpRequests requests,
            String description,
            boolean closesConnection,
            byte[] bytes,
            HttpOptions options,
            List<HttpTarget> services) {
        this.requests = requests;
        this.description = description;
        this.services = services;
        this.options = Objects.requireNonNull(options, "options");
        if (options.http() == HttpVersion.HTTP_2 && options.proxy().isPresent() && !endpoint.tls()) {
            throw new IllegalArgumentException(
                    "an HTTP proxy cannot forward unencrypted HTTP/2: use --http 1.1 or an https:// target");
        }
        this.destination = new Destination(
                endpoint, options, bytes, closesConnection, requests == null ? "" : address(endpoint, options) + ": ");
    }

    /** The address for messages: that of the service, and the one connected to if it differs. */
    private static String address(HttpEndpoint endpoint, HttpOptions options) {
        return endpoint.address()
                + options.addresses()
                        .connectTo()
                        .map(to -> " (connecting to " + (options.proxy().isPresent() ? "the proxy " : "") + to + ")")
                        .orElse("");
    }

    private SharedThreadState unshared(int slots, NanoClock clock) throws IOException {
        RequestWriter writer = requests == null ? null : through(requests.writer(slots, !options.keepAlive()));
        return new SharedThreadState(new Polling(clock, options.pacing()), slots, writer);
    }

    private static byte[] encoded(HttpRequest request, HttpOptions options) {
        byte[] plain = request.encode(!options.keepAlive());
        return ofProxy(request.endpoint(), options).map(form -> form.of(plain)).orElse(plain);
    }

    /** Empty unless a proxy forwards the requests. */
    private static Optional<AbsoluteForm> ofProxy(HttpEndpoint service, HttpOptions options) {
        return options.proxy().filter(proxy -> !service.tls()).map(proxy -> new AbsoluteForm(service, proxy));
    }

    private RequestWriter through(RequestWriter writer) {
        return ofProxy(destination.endpoint(), options)
                .<RequestWriter>map(form -> new RequestWriter.Rewriting(writer, form))
                .orElse(writer);
    }

    @Override
    public List<String> names() {
        return requests == null ? List.of() : requests.names();
    }

    @Override
    public int nameOf(Exchange exchange) {
        return requests == null ? 0 : requests.nameOf(exchange);
    }

    /** The TLS provider; empty without encryption. */
    public Optional<TlsProvider> tls() {
        return !destination.isEncrypted() && services.stream().noneMatch(service -> service.destination.isEncrypted())
                ? Optional.empty()
                : Optional.of(options.tls().provider());
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public long preconnects() {
        int each = options.connectionsNeeded(
                options.connections(), options.streams().streams());
        return opensAllBeforehand() ? (long) each * Math.max(1, services.size()) : 0;
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
        int capacity = Target.share("connections", options.connections(), share, shares);
        if (!services.isEmpty()) {
            return ofServices(capacity, clock, listener);
        }
        int slots = destination.mostInFlight(capacity, isHttp2(clock));
        return openedBeforehand(lane(capacity, unshared(slots, clock), clock, listener), capacity);
    }

    int mostInFlight(int connections, boolean isHttp2) {
        return destination.mostInFlight(connections, isHttp2);
    }

    /** A lane without connections. */
    OpenedLane lane(int connections, SharedThreadState shared, NanoClock clock, Exchange.Listener listener)
            throws IOException {
        if (destination.endpoint().isOnlyConnected()) {
            return new ConnectLane(destination, connections, shared, clock, listener);
        }
        return isHttp2(clock)
                ? new H2Lane(destination, connections, shared, clock, listener)
                : new HttpLane(destination, connections, shared, clock, listener);
    }

    /** A lane for one connection, regardless of the options; nothing is open yet. */
    OpenedLane singleLane(NanoClock clock, Exchange.Listener listener) throws IOException {
        return lane(1, unshared(destination.mostInFlight(1, isHttp2(clock)), clock), clock, listener);
    }

    private Lane ofServices(int capacity, NanoClock clock, Exchange.Listener listener) throws IOException {
        HttpRequests varying = Objects.requireNonNull(requests);
        int slots = ServicesLane.MOST_QUEUED;
        for (HttpTarget service : services) {
            slots += service.destination.mostInFlight(capacity, service.isHttp2(clock));
        }
        RequestWriter writer = varying.writer(slots, !options.keepAlive());
        ServicesLane all = new ServicesLane(varying, new Polling(clock, options.pacing()), slots, clock, listener);
        try {
            for (HttpTarget service : services) {
                SharedThreadState shared = new SharedThreadState(all.polling(), slots, service.through(writer));
                all.add(completions ->
                        service.openedBeforehand(service.lane(capacity, shared, clock, completions), capacity));
            }
            return all;
        } catch (IOException | RuntimeException failure) {
            all.close();
            throw failure;
        }
    }

    private OpenedLane openedBeforehand(OpenedLane lane, int capacity) throws IOException {
        return options.cold() ? lane : opened(lane, opensAllBeforehand() ? capacity : 1);
    }

    private boolean opensAllBeforehand() {
        return options.preconnect() && options.keepAlive() && !options.cold();
    }

    private OpenedLane opened(OpenedLane lane, int connections) throws IOException {
        try {
            lane.openBeforehand(connections);
            return lane;
        } catch (RuntimeException broken) {
            lane.close();
            throw broken;
        } catch (IOException failure) {
            lane.close();
            String message = String.valueOf(failure.getMessage());
            String address = address(destination.endpoint(), options);
            boolean isUnknown = failure.getCause() instanceof UnknownHostException
                    && options.proxy().isEmpty(); // whose host the message would seem to call the target
            boolean namesIt = isUnknown || message.startsWith(address);
            throw namesIt ? failure : new IOException(address + ": " + message, failure);
        }
    }

    /** Lets the server choose the HTTP version if configured, once for all lanes, on a separate connection. */
    synchronized boolean isHttp2(NanoClock clock) throws IOException {
        if (options.http() != HttpVersion.AUTO || !destination.isEncrypted()) {
            return options.http() == HttpVersion.HTTP_2;
        }
        if (chosen == null) {
            H2Lane trial = new H2Lane(
                    destination, 1, unshared(destination.mostInFlight(1, true), clock), clock, exchange -> {});
            try {
                opened(trial, 1).close();
                chosen = HttpVersion.HTTP_2;
            } catch (IOException refused) {
                if (!trial.wasNotChosen()) {
                    throw refused;
                }
                chosen = HttpVersion.HTTP_1_1;
            }
        }
        return chosen == HttpVersion.HTTP_2;
    }

    /**
     * The lanes of one generator thread to several services, polled together. Each service has its own connections. A
     * request without a free one queues here for its service, so an unresponsive service does not delay the others.
     * Only when {@link #MOST_QUEUED} requests are queued must all wait.
     */
    private static final class ServicesLane implements Lane {
        /** Over all services. */
        static final int MOST_QUEUED = 16_384;

        private final HttpRequests requests;
        private final Polling polling;
        private final int slots;
        private final NanoClock clock;
        private final Exchange.Listener listener;
        private final List<Service> services = new ArrayList<>();

        /**
         * For each queued exchange, {@link Polling#idleWhenFullNanos} at the start of its wait; otherwise {@link
         * #SENT}.
         */
        private final long[] idleBefore;

        private static final long SENT = -1;

        private int inUse;
        private int queuedCount;
        private long idleWhenFullNanos;

        /** Opens the lane of a service that reports the ends of its exchanges to the given listener. */
        @FunctionalInterface
        interface Opening {
            OpenedLane open(Exchange.Listener completions) throws IOException;
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
            private final Deque<Exchange> queue = new ArrayDeque<>();
            private int free;
            private boolean isSending;

            Service(Opening opening) throws IOException {
                lane = opening.open(this);
                free = lane.capacity();
            }

            void send(Exchange exchange) {
                if (free > 0 && queue.isEmpty()) {
                    free--;
                    lane.send(exchange);
                } else {
                    exchange.unconnected = true;
                    idleBefore[exchange.slot] = polling.idleWhenFullNanos();
                    queue.addLast(exchange);
                    queuedCount++;
                }
            }

            /**
             * Sends queued requests while connections are free. A send may end at once and free its connection again.
             */
            void sendQueued() {
                if (isSending) {
                    return;
                }
                isSending = true;
                while (free > 0 && !queue.isEmpty()) {
                    Exchange next = queue.removeFirst();
                    leaveQueue(next);
                    next.unconnected = false;
                    free--;
                    lane.send(next);
                }
                isSending = false;
            }

            /** The service time starts here. Idle time during the wait cannot be Downbeat's delay. */
            private void leaveQueue(Exchange exchange) {
                exchange.startedAt = clock.nanoTime();
                exchange.firstByteAt = exchange.startedAt;
                exchange.stalledNanos = Math.min(
                        exchange.backlogWaitNanos(),
                        exchange.stalledNanos + polling.idleWhenFullNanos() - idleBefore[exchange.slot]);
                idleBefore[exchange.slot] = SENT;
                queuedCount--;
            }

            void abandon(Exchange exchange) {
                inUse--;
                if (idleBefore[exchange.slot] == SENT) {
                    lane.abandon(exchange);
                    free++;
                } else {
                    queue.remove(exchange); // nearly always the first
                    leaveQueue(exchange);
                }
            }

            @Override
            public void completed(Exchange exchange) {
                inUse--;
                free++;
                listener.completed(exchange);
                sendQueued();
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
            boolean isWaiting = queuedCount > 0;
            for (int i = 0; i < services.size(); i++) {
                services.get(i).sendQueued(); // because its predecessors timed out
                until = services.get(i).lane.beforeWait(until);
                isWaiting |= services.get(i).lane.hasWaiting();
            }
            boolean isFull = inUse == slots;
            long idleNanos = polling.idleWhenFullNanos();
            polling.until(until, inUse > queuedCount, isWaiting);
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
            return services.stream()
                    .map(service -> service.lane.counts())
                    .reduce(TargetCounts.NONE, TargetCounts::plus);
        }

        @Override
        public void close() {
            services.forEach(service -> service.lane.close());
            polling.close();
        }
    }
}
