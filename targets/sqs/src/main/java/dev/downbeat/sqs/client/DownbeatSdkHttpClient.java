package dev.downbeat.sqs.client;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.HttpCalls;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.message.HttpResponse;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.Proxy;
import dev.downbeat.sqs.client.CallObservations.AttemptWatch;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.time.NanoClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/**
 * Downbeat's own HTTP engine as an SDK client: signed requests get the same telemetry as plain ones. Bodies are held
 * completely in memory in both directions, which suits SQS. HTTP/1.1. A proxy is used for plain HTTP only. Thread-safe.
 */
public final class DownbeatSdkHttpClient implements SdkAsyncHttpClient, AttemptWatch {
    private final HttpOptions options;
    private final Duration acquireTimeout;
    private final NanoClock clock;
    private final @Nullable Proxy proxy;
    private final Map<String, HttpCalls> byOrigin = new ConcurrentHashMap<>();
    private final Map<String, CallObservation> byId = new ConcurrentHashMap<>();

    DownbeatSdkHttpClient(HttpOptions options, Duration acquireTimeout, NanoClock clock, @Nullable Proxy proxy) {
        this.proxy = proxy;
        this.options = options;
        this.acquireTimeout = acquireTimeout;
        this.clock = clock;
    }

    static DownbeatSdkHttpClient of(ServiceEndpoint service, int connections, ConnectionLog log) {
        SqsOptions.SqsClientOptions options = service.options().client();
        HttpOptions http = HttpOptions.of(draft -> {
            draft.connections = connections;
            draft.connectTimeout = options.connectTimeout();
            draft.maxIdle = options.maxIdle();
            draft.maxRequests = options.maxRequests();
            draft.replaceAfter = options.replaceAfter();
            draft.tcpKeepAlive = options.tcpKeepAlive();
            draft.tls.verify = options.verifyServer();
            options.trusted().ifPresent(draft.tls::trust);
        });
        DownbeatSdkHttpClient client = new DownbeatSdkHttpClient(
                http, options.acquireTimeout(), log::now, service.proxy().orElse(null));
        log.countedBy(client::connections);
        return client;
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        request.requestContentPublisher()
                .subscribe(new WholeBody(body -> send(request, body, done), broken -> fail(request, done, broken)));
        return done;
    }

    private void send(AsyncExecuteRequest request, byte[] body, CompletableFuture<Void> done) {
        try {
            HttpRequest http = request(request.request(), body, proxy);
            HttpCalls.HttpCall call = calls(request.request(), http.endpoint()).send(http, new Watch(request, done));
            CompletableFuture<Void> unused = done.whenComplete((nothing, thrown) -> {
                if (thrown != null) {
                    call.abort(); // no effect, unless the caller cancelled
                }
            });
        } catch (IOException | IllegalArgumentException refused) {
            fail(request, done, refused);
        }
    }

    /** Reports the end to the SDK, and also the start to Downbeat's observer. */
    private final class Watch implements HttpCalls.HttpCall.Listener {
        private final AsyncExecuteRequest request;
        private final CompletableFuture<Void> done;
        private final @Nullable CallObservation observation;

        Watch(AsyncExecuteRequest request, CompletableFuture<Void> done) {
            this.request = request;
            this.done = done;
            String id = CallObservations.id(request.request());
            this.observation = id == null ? null : byId.get(id);
        }

        @Override
        public void started(long startedAt) {
            if (observation != null) {
                observation.started(startedAt);
            }
        }

        @Override
        public void ended(Exchange exchange, @Nullable HttpResponse response) {
            if (observation != null) {
                observation.waited(exchange.backlogWaitNanos());
                observation.lookup(exchange.lookupNanos);
                observation.connected(exchange.connectNanos);
                observation.handshake(exchange.handshakeNanos);
                observation.position(exchange.position);
            }
            if (response == null) {
                fail(request, done, exception(exchange));
                return;
            }
            long firstByteAt = exchange.firstByteAt;
            request.responseHandler().onHeaders(head(response));
            if (observation != null) {
                observation.firstByte(firstByteAt);
            }
            request.responseHandler().onStream(new OneBuffer(ByteBuffer.wrap(response.body()), done));
        }
    }

    @Override
    public void prepare(SdkHttpRequest request) {
        try {
            calls(request, request(request, new byte[0], proxy).endpoint());
        } catch (IOException | IllegalArgumentException refused) {
            // The first call will report it.
        }
    }

    private HttpCalls calls(SdkHttpRequest request, HttpEndpoint endpoint) throws IOException {
        String origin = request.protocol() + "://" + endpoint.address();
        synchronized (byOrigin) {
            HttpCalls known = byOrigin.get(origin);
            if (known == null) {
                known = new HttpCalls(endpoint, options, acquireTimeout, clock);
                byOrigin.put(origin, known);
            }
            return known;
        }
    }

    private static HttpRequest request(SdkHttpRequest request, byte[] body, @Nullable Proxy proxy) {
        String path = request.encodedPath().isEmpty() ? "/" : request.encodedPath();
        HttpEndpoint endpoint = new HttpEndpoint(
                proxy == null && request.protocol().equalsIgnoreCase("https"),
                proxy == null ? request.host() : proxy.host(),
                proxy == null ? request.port() : proxy.port(),
                Optional.empty(),
                proxy == null ? path : request.protocol() + "://" + request.host() + ":" + request.port() + path,
                request.encodedQueryParameters().map(Secret::of));
        List<HttpRequest.Header> headers = new ArrayList<>();
        request.forEachHeader((name, values) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!lower.equals("content-length") && !lower.equals("transfer-encoding") && !lower.equals("expect")) {
                values.forEach(value -> headers.add(new HttpRequest.Header(name, value)));
            }
        });
        if (proxy != null) {
            proxy.authorization().ifPresent(value -> headers.add(new HttpRequest.Header("Proxy-Authorization", value)));
        }
        return HttpRequest.of(request.method().name(), endpoint, headers, body);
    }

    private static SdkHttpResponse head(HttpResponse response) {
        SdkHttpResponse.Builder head =
                SdkHttpResponse.builder().statusCode(response.status()).statusText(response.reason());
        response.fields().forEach(field -> head.appendHeader(field.name(), field.value()));
        return head.build();
    }

    private static void fail(AsyncExecuteRequest request, CompletableFuture<Void> done, Throwable thrown) {
        request.responseHandler().onError(thrown);
        done.completeExceptionally(thrown);
    }

    /** The exception that the SDK's own clients would throw, so that it retries in the same cases. */
    private static IOException exception(Exchange exchange) {
        String reason = exchange.outcome.reason();
        return reason.startsWith("connection refused")
                ? new ConnectException("Connection refused")
                : new Broken(reason, exchange.unconnected);
    }

    /** An error of Downbeat's engine, in its own words. */
    public static final class Broken extends IOException {
        private static final long serialVersionUID = 1;

        private final boolean isUnsent;

        Broken(String reason, boolean isUnsent) {
            super(reason);
            this.isUnsent = isUnsent;
        }

        /** Whether its connection was not yet open. */
        public boolean isUnsent() {
            return isUnsent;
        }
    }

    private ConnectionCounts connections() {
        ConnectionCounts sum = ConnectionCounts.NONE;
        synchronized (byOrigin) {
            for (HttpCalls calls : byOrigin.values()) {
                sum = sum.plus(calls.connections());
            }
        }
        return sum;
    }

    @Override
    public void begin(@Nullable String id, CallObservation observation) {
        if (id != null) {
            byId.put(id, observation);
        }
    }

    @Override
    public void end(@Nullable String id, CallObservation observation, boolean answered) {
        if (id != null) {
            byId.remove(id);
        }
    }

    @Override
    public boolean knowsWait() {
        return true;
    }

    @Override
    public String clientName() {
        return "Downbeat";
    }

    @Override
    public void close() {
        List<HttpCalls> all;
        synchronized (byOrigin) {
            all = new ArrayList<>(byOrigin.values());
        }
        all.forEach(HttpCalls::close);
    }

    /** Collects a body from its parts. */
    private static final class WholeBody implements Subscriber<ByteBuffer> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Consumer<byte[]> then;
        private final Consumer<Throwable> otherwise;

        WholeBody(Consumer<byte[]> then, Consumer<Throwable> otherwise) {
            this.then = then;
            this.otherwise = otherwise;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer part) {
            byte[] copy = new byte[part.remaining()];
            part.duplicate().get(copy);
            bytes.writeBytes(copy);
        }

        @Override
        public void onError(Throwable broken) {
            otherwise.accept(broken);
        }

        @Override
        public void onComplete() {
            then.accept(bytes.toByteArray());
        }
    }

    /**
     * A body in memory, published on request.
     *
     * @param body may be empty
     * @param done completed when the body was delivered or cancelled
     */
    record OneBuffer(ByteBuffer body, CompletableFuture<Void> done) implements Publisher<ByteBuffer> {
        @Override
        public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
            AtomicBoolean over = new AtomicBoolean();
            subscriber.onSubscribe(new Subscription() {
                @Override
                public void request(long count) {
                    if (!over.compareAndSet(false, true)) {
                        return;
                    }
                    if (count <= 0) {
                        subscriber.onError(new IllegalArgumentException("demand must be at least 1, but was " + count));
                    } else {
                        give(subscriber);
                    }
                    done.complete(null);
                }

                @Override
                public void cancel() {
                    over.set(true);
                    done.complete(null);
                }
            });
            if (!body.hasRemaining() && over.compareAndSet(false, true)) {
                give(subscriber); // a subscriber that requests nothing, since there is nothing, would otherwise wait
                done.complete(null);
            }
        }

        private void give(Subscriber<? super ByteBuffer> subscriber) {
            if (body.hasRemaining()) {
                subscriber.onNext(body);
            }
            subscriber.onComplete();
        }
    }
}
