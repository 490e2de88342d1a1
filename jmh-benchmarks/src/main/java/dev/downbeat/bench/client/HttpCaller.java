package dev.downbeat.bench.client;

import dev.downbeat.bench.sqs.SdkRequests;
import dev.downbeat.http.HttpCalls;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.time.NanoClock;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.reactivestreams.Publisher;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;

/** Blocking requests by an HTTP client with its defaults, which keep a connection. */
public interface HttpCaller extends AutoCloseable {
    /** Sends a GET and returns the status of its response. Called by one thread at a time. */
    int get() throws Exception;

    /** Sends a POST without a body, which a client must not repeat on its own. */
    int post() throws Exception;

    @Override
    void close();

    /** The clients. */
    enum Library {
        /** The JDK's client. */
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
        /** The AWS Common Runtime (in C), through the SDK. */
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
        /** Netty's HTTP codec on a channel. */
        NETTY {
            @Override
            public HttpCaller open(URI service) throws Exception {
                NettyChannel channel = new NettyChannel(service);
                return of(channel::get, channel::close);
            }
        },
        /** Downbeat's engine. */
        OURS {
            @Override
            public HttpCaller open(URI service) throws Exception {
                HttpEndpoint endpoint = HttpEndpoint.parse(service.toString());
                HttpOptions options = HttpOptions.of(draft -> draft.connections = 1);
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

        /** Opens a client. Connections are opened with the first request. */
        public abstract HttpCaller open(URI service) throws Exception;

        private static HttpCaller of(Callable<Integer> get, AutoCloseable close) {
            return of(
                    get,
                    () -> {
                        throw new UnsupportedOperationException("this client supports GET only");
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
                        throw new IllegalStateException("the client could not be closed", broken);
                    }
                }
            };
        }
    }

    /** One connection with Netty's HTTP codec. For one caller at a time. */
    static final class NettyChannel {
        private static final int MOST_BODY_BYTES = 1024 * 1024;

        private final URI service;
        private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
        private final Channel channel;
        private volatile CompletableFuture<Integer> awaited = new CompletableFuture<>();

        NettyChannel(URI service) throws InterruptedException {
            this.service = service;
            this.channel = new Bootstrap()
                    .group(loop)
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel socket) {
                            socket.pipeline()
                                    .addLast(new HttpClientCodec())
                                    .addLast(new HttpObjectAggregator(MOST_BODY_BYTES))
                                    .addLast(new Answers());
                        }
                    })
                    .connect(service.getHost(), service.getPort())
                    .sync()
                    .channel();
        }

        private final class Answers extends SimpleChannelInboundHandler<FullHttpResponse> {
            @Override
            protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
                awaited.complete(response.status().code());
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                awaited.completeExceptionally(new ClosedChannelException());
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                awaited.completeExceptionally(cause);
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // a failed write ends in exceptionCaught
        int get() {
            CompletableFuture<Integer> status = new CompletableFuture<>();
            awaited = status;
            DefaultFullHttpRequest request =
                    new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", Unpooled.EMPTY_BUFFER);
            request.headers().set(HttpHeaderNames.HOST, service.getAuthority());
            channel.writeAndFlush(request).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
            return status.join();
        }

        void close() throws InterruptedException {
            channel.close().sync();
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    /** A blocking request by an HTTP client of the AWS SDK. */
    static final class SdkCalls {
        private SdkCalls() {}

        static int status(SdkAsyncHttpClient client, SdkHttpMethod method, URI service) throws Exception {
            AtomicInteger status = new AtomicInteger();
            SdkAsyncHttpResponseHandler ignoring = SdkRequests.ignoring();
            client.execute(AsyncExecuteRequest.builder()
                            .request(SdkHttpFullRequest.builder()
                                    .method(method)
                                    .uri(service)
                                    .putHeader("Host", service.getAuthority())
                                    .putHeader("Content-Length", "0")
                                    .build())
                            .requestContentPublisher(SdkRequests.noBody())
                            .responseHandler(new SdkAsyncHttpResponseHandler() {
                                @Override
                                public void onHeaders(SdkHttpResponse headers) {
                                    status.set(headers.statusCode());
                                }

                                @Override
                                public void onStream(Publisher<ByteBuffer> body) {
                                    ignoring.onStream(body);
                                }

                                @Override
                                public void onError(Throwable error) {
                                    // the future of the call fails, too
                                }
                            })
                            .build())
                    .get();
            return status.get();
        }
    }
}
