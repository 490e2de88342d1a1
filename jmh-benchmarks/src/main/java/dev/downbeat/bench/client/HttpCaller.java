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
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;

/** A blocking GET by an HTTP client with its defaults, which keep a connection. */
public interface HttpCaller extends AutoCloseable {
    /** One request; returns the status of its answer. Called by one thread at a time. */
    int get() throws Exception;

    /** The same as a POST without a body, which no client may send twice by itself. */
    int post() throws Exception;

    @Override
    void close();

    /** Which client. */
    enum Library {
        /** The JDK's own. */
        JDK {
            @Override
            public HttpCaller open(URI service) {
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
                java.net.http.HttpRequest get =
                        java.net.http.HttpRequest.newBuilder(service).build();
                java.net.http.HttpRequest post = java.net.http.HttpRequest.newBuilder(service)
                        .POST(java.net.http.HttpRequest.BodyPublishers.noBody())
                        .build();
                return of(() -> status(client, get), () -> status(client, post), () -> {});
            }

            private int status(HttpClient client, java.net.http.HttpRequest request) throws Exception {
                return client.send(request, HttpResponse.BodyHandlers.ofByteArray())
                        .statusCode();
            }
        },
        /** Apache HttpClient 5, blocking. */
        APACHE5 {
            @Override
            public HttpCaller open(URI service) {
                CloseableHttpClient client = HttpClients.createDefault();
                return of(
                        () -> status(client, new HttpGet(service)),
                        () -> status(client, new HttpPost(service)),
                        client::close);
            }

            private int status(CloseableHttpClient client, ClassicHttpRequest request) throws Exception {
                return client.execute(request, response -> {
                    EntityUtils.consume(response.getEntity());
                    return response.getCode();
                });
            }
        },
        /** OkHttp. */
        OKHTTP {
            @Override
            public HttpCaller open(URI service) {
                OkHttpClient client = new OkHttpClient();
                Request get = new Request.Builder().url(service.toString()).build();
                Request post = new Request.Builder()
                        .url(service.toString())
                        .post(RequestBody.create(new byte[0]))
                        .build();
                return of(() -> status(client, get), () -> status(client, post), () -> {
                    client.dispatcher().executorService().shutdown();
                    client.connectionPool().evictAll();
                });
            }

            private int status(OkHttpClient client, Request request) throws Exception {
                try (Response response = client.newCall(request).execute()) {
                    response.body().bytes();
                    return response.code();
                }
            }
        },
        /** The AWS SDK's client on Netty, without the rest of the SDK. */
        SDK_NETTY {
            @Override
            public HttpCaller open(URI service) {
                SdkAsyncHttpClient client = NettyNioAsyncHttpClient.create();
                return of(
                        () -> SdkCalls.status(client, SdkHttpMethod.GET, service),
                        () -> SdkCalls.status(client, SdkHttpMethod.POST, service),
                        client);
            }
        },
        /** The AWS Common Runtime, which is in C, through the SDK's client. */
        SDK_CRT {
            @Override
            public HttpCaller open(URI service) {
                SdkAsyncHttpClient client = AwsCrtAsyncHttpClient.create();
                return of(
                        () -> SdkCalls.status(client, SdkHttpMethod.GET, service),
                        () -> SdkCalls.status(client, SdkHttpMethod.POST, service),
                        client);
            }
        },
        /** Jetty's client. */
        JETTY {
            @Override
            public HttpCaller open(URI service) throws Exception {
                org.eclipse.jetty.client.HttpClient client = new org.eclipse.jetty.client.HttpClient();
                client.start();
                return of(() -> client.GET(service).getStatus(), client::stop);
            }
        },
        /** Netty's codec on a channel, and nothing more. */
        NETTY {
            @Override
            public HttpCaller open(URI service) throws Exception {
                NettyChannel channel = new NettyChannel(service);
                return of(channel::get, channel::close);
            }
        },
        /** Our own engine. */
        OURS {
            @Override
            public HttpCaller open(URI service) throws Exception {
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
        public abstract HttpCaller open(URI service) throws Exception;

        private static HttpCaller of(Callable<Integer> get, AutoCloseable close) {
            return of(
                    get,
                    () -> {
                        throw new UnsupportedOperationException("this client only gets");
                    },
                    close);
        }

        private static HttpCaller of(Callable<Integer> get, Callable<Integer> post, AutoCloseable close) {
            return new HttpCaller() {
                @Override
                public int get() throws Exception {
                    return get.call();
                }

                @Override
                public int post() throws Exception {
                    return post.call();
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
