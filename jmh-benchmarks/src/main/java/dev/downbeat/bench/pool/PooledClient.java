package dev.downbeat.bench.pool;

import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.time.NanoClock;
import java.net.URI;

/** A client with a pool of connections, kept over several runs. */
public interface PooledClient extends AutoCloseable {
    /** More than can be waiting in a run that lasts some seconds: the line must form in the client's own pool. */
    int MOST_WAITING = 20_000;

    /** What a run sends through it. */
    Target target();

    /** Closes the pool. */
    @Override
    void close();

    /** Whose pool, and how the line before it forms. */
    enum Kind {
        /** Downbeat's own connections: the line is the generator's. */
        OURS {
            @Override
            PooledClient open(URI service, int connections, boolean warm) {
                HttpOptions options = HttpOptions.builder()
                        .connections(connections)
                        .preconnect(warm)
                        .pacing(Pacing.BLOCK)
                        .build();
                return new Fixed(new HttpTarget(HttpRequest.get(service.toString()), options), () -> {});
            }
        },
        /** Apache HttpClient 5, blocking, a thread for each caller. */
        APACHE5 {
            @Override
            PooledClient open(URI service, int connections, boolean warm) {
                ApachePool pool = new ApachePool(service, connections);
                return of(new BlockingCalls(pool::call), pool::close);
            }
        },
        /** The HTTP client of the AWS SDK on Netty, asynchronous. */
        SDK_NETTY {
            @Override
            PooledClient open(URI service, int connections, boolean warm) {
                SdkNettyPool pool = new SdkNettyPool(service, connections);
                return of(pool, pool::shutDown);
            }
        };

        /**
         * Opens it.
         *
         * @param service what it sends to
         * @param connections most connections
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

    /** A lane for a client that stays open when the lane is closed. */
    record Calls(CallClient client) implements Target {
        @Override
        public String describe() {
            return client.getClass().getSimpleName();
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            return new CallLane(MOST_WAITING, clock, listener, call -> client.start(call)); // not its close
        }
    }
}
