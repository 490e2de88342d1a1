package dev.downbeat.bench.pool;

import dev.downbeat.bench.sqs.SdkRequests;
import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.metrics.MetricCollector;

/** A client with a pool of connections, kept over several runs. */
public interface PooledClient extends AutoCloseable {
    /** More requests than can wait in a run of a few seconds, so that they queue in the client's own pool. */
    int MOST_WAITING = 20_000;

    /** The target that sends through this client. */
    Target target();

    /** Closes the pool. */
    @Override
    void close();

    /** The clients. */
    enum Kind {
        /** Downbeat's connections; requests queue in the generator. */
        OURS {
            @Override
            PooledClient open(URI service, int connections, boolean warm) {
                HttpOptions options = HttpOptions.of(draft -> {
                    draft.connections = connections;
                    draft.preconnect = warm;
                    draft.pacing = Pacing.BLOCK;
                });
                return new Fixed(new HttpTarget(HttpRequest.get(service.toString()), options), () -> {});
            }
        },
        /** Apache HttpClient 5, blocking, with a thread per call. */
        APACHE5 {
            @Override
            PooledClient open(URI service, int connections, boolean warm) {
                ApachePool pool = new ApachePool(service, connections);
                return of(new BlockingCalls(pool::call), pool::close);
            }
        },
        /** The AWS SDK's asynchronous HTTP client on Netty. */
        SDK_NETTY {
            @Override
            PooledClient open(URI service, int connections, boolean warm) {
                SdkNettyPool pool = new SdkNettyPool(service, connections);
                return of(pool, pool::shutDown);
            }
        };

        /**
         * Opens the client.
         *
         * @param service address of the service
         * @param connections maximum number of connections
         * @param warm whether all connections are opened now, where the client can do so
         */
        abstract PooledClient open(URI service, int connections, boolean warm);

        private static PooledClient of(CallClient client, Runnable close) {
            return new Fixed(new Calls(client), () -> {
                close.run();
                client.close();
            });
        }
    }

    record Fixed(Target target, Runnable end) implements PooledClient {
        @Override
        public void close() {
            end.run();
        }
    }

    /** A target whose client stays open when a lane is closed. */
    record Calls(CallClient client) implements Target {
        @Override
        public String describe() {
            return client.getClass().getSimpleName();
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            return new CallLane(MOST_WAITING, clock, listener, call -> client.start(call)); // does not close the client
        }
    }

    /** Apache HttpClient 5 with a pool whose leases are timed. Thread-safe. */
    static final class ApachePool {
        private final URI service;
        private final CloseableHttpClient client;
        private final ThreadLocal<Long> waitedNanos = ThreadLocal.withInitial(() -> 0L);

        ApachePool(URI service, int connections) {
            this.service = service;
            PoolingHttpClientConnectionManager pool = PoolingHttpClientConnectionManagerBuilder.create()
                    .setMaxConnTotal(connections)
                    .setMaxConnPerRoute(connections)
                    .build();
            this.client = HttpClients.custom()
                    .setConnectionManager(new TimedLeases(pool))
                    .disableAutomaticRetries()
                    .build();
        }

        long call() throws IOException {
            client.execute(new HttpGet(service), response -> {
                EntityUtils.consume(response.getEntity());
                return response.getCode();
            });
            return waitedNanos.get();
        }

        void close() {
            try {
                client.close();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        private final class TimedLeases implements HttpClientConnectionManager {
            private final PoolingHttpClientConnectionManager pool;

            TimedLeases(PoolingHttpClientConnectionManager pool) {
                this.pool = pool;
            }

            @Override
            public LeaseRequest lease(String id, HttpRoute route, Timeout timeout, @Nullable Object state) {
                LeaseRequest lease = pool.lease(id, route, timeout, state);
                return new LeaseRequest() {
                    @Override
                    public ConnectionEndpoint get(Timeout limit)
                            throws InterruptedException, ExecutionException, TimeoutException {
                        long beganAt = System.nanoTime();
                        ConnectionEndpoint endpoint = lease.get(limit);
                        waitedNanos.set(System.nanoTime() - beganAt);
                        return endpoint;
                    }

                    @Override
                    public boolean cancel() {
                        return lease.cancel();
                    }
                };
            }

            @Override
            public void release(ConnectionEndpoint endpoint, @Nullable Object state, TimeValue keepAlive) {
                pool.release(endpoint, state, keepAlive);
            }

            @Override
            public void connect(ConnectionEndpoint endpoint, TimeValue timeout, HttpContext context)
                    throws IOException {
                pool.connect(endpoint, timeout, context);
            }

            @Override
            public void upgrade(ConnectionEndpoint endpoint, HttpContext context) throws IOException {
                pool.upgrade(endpoint, context);
            }

            @Override
            public void close(CloseMode mode) {
                pool.close(mode);
            }

            @Override
            public void close() {
                pool.close();
            }
        }
    }

    /** A blocking client with a thread per call in flight, as in servlet containers. */
    static final class BlockingCalls implements CallClient {
        private static final Outcome FAILED = Outcome.failed("failed");

        private final Blocking client;
        private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(null, work, "caller", 256 * 1024);
            thread.setDaemon(true);
            return thread;
        });

        /** One blocking call. */
        @FunctionalInterface
        interface Blocking {
            /** Returns the time in ns that it waited for a connection. */
            long call() throws Exception;
        }

        BlockingCalls(Blocking client) {
            this.client = client;
        }

        @Override
        public void start(Call call) {
            threads.execute(() -> {
                Outcome outcome = Outcome.answered();
                try {
                    call.waited(client.call());
                } catch (Exception broken) {
                    outcome = FAILED;
                }
                call.complete(outcome);
            });
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }

    /** The AWS SDK's HTTP client on Netty without the rest of the SDK. The wait for a connection is its own metric. */
    static final class SdkNettyPool implements CallClient {
        private static final Outcome FAILED = Outcome.failed("failed");

        private final SdkAsyncHttpClient client;
        private final SdkHttpRequest request;

        SdkNettyPool(URI service, int connections) {
            client = NettyNioAsyncHttpClient.builder()
                    .maxConcurrency(connections)
                    .maxPendingConnectionAcquires(PooledClient.MOST_WAITING)
                    .connectionAcquisitionTimeout(Duration.ofMinutes(1))
                    .build();
            request = SdkHttpRequest.builder()
                    .method(SdkHttpMethod.GET)
                    .uri(service)
                    .build();
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the call reports failures
        public void start(Call call) {
            MetricCollector metrics = MetricCollector.create("call");
            client.execute(AsyncExecuteRequest.builder()
                            .request(request)
                            .requestContentPublisher(SdkRequests.noBody())
                            .responseHandler(SdkRequests.ignoring())
                            .metricCollector(metrics)
                            .build())
                    .whenComplete((nothing, failure) -> {
                        List<Duration> waits = metrics.collect().metricValues(HttpMetric.CONCURRENCY_ACQUIRE_DURATION);
                        call.waited(waits.stream().mapToLong(Duration::toNanos).sum());
                        call.complete(failure == null ? Outcome.answered() : FAILED);
                    });
        }

        void shutDown() {
            client.close();
        }
    }
}
