package dev.downbeat.sqs.client;

import dev.downbeat.sqs.client.CallObservations.AttemptWatch;
import dev.downbeat.sqs.options.SqsOptions;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.ProxyConfiguration;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;

/**
 * Telemetry from the Netty client's channels. The SDK accepts event loops and a channel factory, which lets Downbeat
 * add two handlers to each pipeline. One at its head sees connect and TLS; one behind the HTTP codec sees requests and
 * responses. Requests are identified by the SDK's id in their headers. The wait for a connection is the time until the
 * request is written, minus time spent on a new connection; 0 if there were fewer requests than connections.
 */
final class NettyTelemetry implements AttemptWatch {
    private static final String AFTER_CODEC = "downbeat-http";

    private final Map<String, Attempt> attempts = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final ConnectionLog log;
    private final EventLoopGroup loops = new NioEventLoopGroup(0, new DefaultThreadFactory("downbeat-sqs-netty", true));

    NettyTelemetry(ConnectionLog log) {
        this.log = log;
    }

    private volatile int poolSize;

    /** An attempt. Unless all connections were in use at its start, the client's own work is no wait for one. */
    private record Attempt(CallObservation observation, long begunAt, boolean mayWait) {}

    SdkAsyncHttpClient client(ServiceEndpoint service, int connections) {
        SqsOptions.SqsClientOptions options = service.options().client();
        poolSize = connections;
        loops.forEach(loop -> loop.execute(() -> {})); // their threads start with their first task
        NettyNioAsyncHttpClient.Builder builder = NettyNioAsyncHttpClient.builder()
                .maxConcurrency(connections)
                .maxPendingConnectionAcquires(Integer.MAX_VALUE)
                .connectionAcquisitionTimeout(options.acquireTimeout())
                .connectionTimeout(options.connectTimeout())
                .connectionMaxIdleTime(options.maxIdle())
                .tcpKeepAlive(options.tcpKeepAlive())
                .protocol(Protocol.HTTP1_1)
                .proxyConfiguration(proxy(service))
                .eventLoopGroup(SdkEventLoopGroup.create(loops, this::channel));
        if (!options.verifyServer()) {
            return builder.buildWithDefaults(Trust.all());
        }
        if (options.trusted().isPresent()) {
            builder.tlsTrustManagersProvider(() -> new TrustManager[] {Trust.of(options, () -> {})});
        }
        return builder.build();
    }

    private static ProxyConfiguration proxy(ServiceEndpoint service) {
        ProxyConfiguration.Builder proxy =
                ProxyConfiguration.builder().useSystemPropertyValues(false).useEnvironmentVariableValues(false);
        service.proxy().ifPresent(there -> {
            proxy.scheme("http").host(there.host()).port(there.port());
            there.user().ifPresent(proxy::username);
            there.password().ifPresent(proxy::password);
        });
        return proxy.build();
    }

    private Channel channel() {
        NioSocketChannel channel = new NioSocketChannel();
        channel.pipeline().addFirst(new Line(log.now()));
        return channel;
    }

    @Override
    public void begin(@Nullable String id, CallObservation observation) {
        if (id != null) {
            attempts.put(id, new Attempt(observation, log.now(), attempts.size() >= poolSize));
        }
    }

    @Override
    public void end(@Nullable String id, CallObservation observation, boolean answered) {
        if (id != null) {
            attempts.remove(id);
        }
        log.gauges(open.get(), Math.min(open.get(), attempts.size()));
    }

    @Override
    public boolean knowsWait() {
        return true;
    }

    @Override
    public void close() {
        // The client's pools still have tasks for the loops when it is closed.
        Future<?> unused = loops.shutdownGracefully(200, 2_000, TimeUnit.MILLISECONDS);
    }

    private final class Line extends ChannelDuplexHandler {
        private final long createdAt;
        private long connectAt;
        private long activeAt;
        private @Nullable Attempt first;
        private long requests;
        private boolean announced;
        private boolean closedByUs;

        Line(long createdAt) {
            this.createdAt = createdAt;
        }

        @Override
        public void connect(ChannelHandlerContext context, SocketAddress to, SocketAddress from, ChannelPromise promise)
                throws Exception {
            connectAt = log.now();
            addAfterCodec(context);
            promise.addListener(opening -> {
                if (!opening.isSuccess()) {
                    log.failedToOpen();
                }
            });
            super.connect(context, to, from, promise);
        }

        private void addAfterCodec(ChannelHandlerContext context) {
            ChannelHandlerContext codec = context.pipeline().context(HttpClientCodec.class);
            if (codec != null && context.pipeline().get(AFTER_CODEC) == null) {
                context.pipeline().addAfter(codec.name(), AFTER_CODEC, new Http(this));
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext context) throws Exception {
            activeAt = log.now();
            open.incrementAndGet();
            super.channelActive(context);
        }

        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
            closedByUs = true;
            super.close(context, promise);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) throws Exception {
            open.decrementAndGet();
            if (!announced && !closedByUs) {
                log.closedWithoutNotice();
            }
            super.channelInactive(context);
        }

        /** The first request is written earlier and waits in the TLS handler for this. */
        void handshaken() {
            if (first != null) {
                first.observation.handshake(spent(first, activeAt, log.now()));
                first = null;
            }
        }

        void announced() {
            announced = true;
        }

        void requested(HttpRequest request) {
            requests++;
            if (requests == 1) {
                log.opened(false);
            }
            String id = request.headers().get(CallObservations.ID);
            Attempt attempt = id == null ? null : attempts.get(id);
            if (attempt != null) {
                report(attempt);
            }
        }

        private void report(Attempt attempt) {
            CallObservation observation = attempt.observation;
            observation.position(requests);
            long waited = log.now() - attempt.begunAt;
            if (requests == 1) {
                // A connection may have been started for another request, which then got one that became free.
                long lookup = spent(attempt, createdAt, connectAt);
                long connect = spent(attempt, connectAt, activeAt);
                observation.lookup(lookup);
                observation.connected(connect);
                waited -= lookup + connect;
                first = attempt;
            }
            if (attempt.mayWait) {
                observation.waited(waited);
            }
        }

        /** The part of a period that lies within the attempt. */
        private long spent(Attempt attempt, long from, long until) {
            long begin = from - attempt.begunAt < 0 ? attempt.begunAt : from;
            return Math.max(0, until - begin);
        }
    }

    private static final class Http extends ChannelDuplexHandler {
        private final Line line;

        Http(Line line) {
            this.line = line;
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof HttpRequest request) {
                line.requested(request);
            }
            super.write(context, message, promise);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            if (message instanceof HttpResponse response && !HttpUtil.isKeepAlive(response)) {
                line.announced();
            }
            super.channelRead(context, message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
                line.handshaken();
            }
            super.userEventTriggered(context, event);
        }
    }
}
