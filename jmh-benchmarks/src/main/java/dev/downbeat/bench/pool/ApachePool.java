package dev.downbeat.bench.pool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.ExecutionException;
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

/** Apache HttpClient 5 with a pool of so many connections, whose leases are timed. Thread-safe. */
final class ApachePool {
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
        public void connect(ConnectionEndpoint endpoint, TimeValue timeout, HttpContext context) throws IOException {
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
