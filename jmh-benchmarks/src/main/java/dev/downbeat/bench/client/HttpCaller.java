package dev.downbeat.bench.client;

import dev.downbeat.http.HttpCalls;
import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.time.NanoClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** A blocking GET by an HTTP client with its defaults, over a connection that is kept. */
public interface HttpCaller extends AutoCloseable {
    /** One request; returns the status of its answer. Called by one thread at a time. */
    int get() throws Exception;

    @Override
    void close();

    /** Which client. */
    enum Library {
        /** The JDK's own. */
        JDK {
            @Override
            HttpCaller open(URI service) {
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
                java.net.http.HttpRequest request =
                        java.net.http.HttpRequest.newBuilder(service).build();
                return of(
                        () -> client.send(request, HttpResponse.BodyHandlers.ofByteArray())
                                .statusCode(),
                        () -> {});
            }
        },
        /** Apache HttpClient 5, blocking. */
        APACHE5 {
            @Override
            HttpCaller open(URI service) {
                CloseableHttpClient client = HttpClients.createDefault();
                return of(
                        () -> client.execute(new HttpGet(service), response -> {
                            EntityUtils.consume(response.getEntity());
                            return response.getCode();
                        }),
                        client::close);
            }
        },
        /** Jetty's client. */
        JETTY {
            @Override
            HttpCaller open(URI service) throws Exception {
                org.eclipse.jetty.client.HttpClient client = new org.eclipse.jetty.client.HttpClient();
                client.start();
                return of(() -> client.GET(service).getStatus(), client::stop);
            }
        },
        /** Netty's codec on a channel, and nothing more. */
        NETTY {
            @Override
            HttpCaller open(URI service) throws Exception {
                NettyChannel channel = new NettyChannel(service);
                return of(channel::get, channel::close);
            }
        },
        /** Our own engine. */
        OURS {
            @Override
            HttpCaller open(URI service) throws Exception {
                HttpEndpoint endpoint = HttpEndpoint.parse(service.toString());
                HttpOptions options = HttpOptions.builder().connections(1).build();
                HttpCalls calls = new HttpCalls(endpoint, options, Duration.ofSeconds(10), NanoClock.system());
                HttpRequest request = HttpRequest.of("GET", endpoint, List.of(), new byte[0]);
                return of(() -> status(calls, request), calls::close);
            }

            private int status(HttpCalls calls, HttpRequest request) {
                CompletableFuture<Integer> status = new CompletableFuture<>();
                calls.send(request, (exchange, response) -> status.complete(response == null ? 0 : response.status()));
                return status.join();
            }
        };

        /** Opens a client; connections follow with the first request. */
        abstract HttpCaller open(URI service) throws Exception;

        private static HttpCaller of(Callable<Integer> get, AutoCloseable close) {
            return new HttpCaller() {
                @Override
                public int get() throws Exception {
                    return get.call();
                }

                @Override
                public void close() {
                    try {
                        close.close();
                    } catch (Exception broken) {
                        throw new IllegalStateException("the client does not close", broken);
                    }
                }
            };
        }
    }
}
