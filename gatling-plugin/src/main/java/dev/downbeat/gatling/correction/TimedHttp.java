package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.Journal;
import dev.downbeat.gatling.ledger.RequestInFlight;
import dev.downbeat.gatling.version.EnvironmentCheck;
import dev.downbeat.gatling.version.GatlingComponents;
import dev.downbeat.gatling.version.PrivateField;
import dev.downbeat.gatling.version.UserMistake;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.RequestAction;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolComponents;
import io.gatling.core.protocol.ProtocolKey;
import io.gatling.http.cache.HttpCaches;
import io.gatling.http.client.HttpClient;
import io.gatling.http.client.HttpListener;
import io.gatling.http.client.Request;
import io.gatling.http.client.SslContextsHolder;
import io.gatling.http.client.impl.RequestTimeoutException;
import io.gatling.http.client.util.Pair;
import io.gatling.http.engine.GatlingHttpListener;
import io.gatling.http.engine.HttpClientFactory;
import io.gatling.http.engine.HttpEngine;
import io.gatling.http.engine.response.DefaultStatsProcessor;
import io.gatling.http.engine.tx.HttpTx;
import io.gatling.http.engine.tx.HttpTxExecutor;
import io.gatling.http.protocol.HttpComponents;
import io.gatling.http.protocol.HttpProtocol;
import io.gatling.http.request.HttpRequestDef;
import io.gatling.http.util.SslContextsFactory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/**
 * Gatling's HTTP engine with a client that reads the clock when bytes are sent and received. Loaded only if Gatling's
 * HTTP module is present.
 */
final class TimedHttp {
    /** The class of a request, by name because Gatling's HTTP module may be absent. */
    static final String REQUEST = "io.gatling.http.action.HttpRequestAction";

    private static final VarHandle TRANSACTION = transaction();

    private TimedHttp() {}

    /** The link from a request to its session is private to Gatling's listener. */
    private static VarHandle transaction() {
        try {
            return MethodHandles.privateLookupIn(GatlingHttpListener.class, MethodHandles.lookup())
                    .findVarHandle(GatlingHttpListener.class, "tx", HttpTx.class);
        } catch (ReflectiveOperationException changed) {
            throw new UserMistake("this Gatling keeps its HTTP requests differently from " + EnvironmentCheck.VERSIONS
                    + ": " + changed.getMessage());
        }
    }

    /** Whether Gatling is told not to report a {@link #REQUEST}. */
    static boolean isSilent(RequestAction request) {
        return PrivateField.known(request, "httpRequestDef") instanceof HttpRequestDef definition
                && definition.requestConfig().silent().contains(true);
    }

    /** Like Gatling's {@code HttpProtocolKey}, except for the client. */
    static void install(
            scala.collection.mutable.Map<ProtocolKey<?, ?>, Function1<Protocol, ProtocolComponents>> factories,
            CoreComponents core) {
        SslContextsFactory tls = tls(core.configuration());
        HttpClient client = new HttpClientFactory(tls, core.configuration()).newClient();
        HttpEngine engine =
                new HttpEngine(tls, new TimedClient(client), core.eventLoopGroup(), core.clock(), core.configuration());
        GatlingComponents.onTermination(core, engine::close);
        HttpCaches caches = new HttpCaches(core.clock(), core.configuration());
        DefaultStatsProcessor stats = new DefaultStatsProcessor(core.statsEngine());
        factories.put(HttpProtocol.HttpProtocolKey(), protocol -> {
            HttpProtocol http = (HttpProtocol) protocol;
            HttpTxExecutor executor = new HttpTxExecutor(core, engine, caches, stats, http);
            HttpComponents components = components(core, http, engine, caches, executor);
            engine.warmUp(components);
            return components;
        });
    }

    /** From 3.16 on, they have the controller, to end the run if a user's key store cannot be read. */
    private static HttpComponents components(
            CoreComponents core, HttpProtocol http, HttpEngine engine, HttpCaches caches, HttpTxExecutor executor) {
        boolean takesController = HttpComponents.class.getConstructors()[0].getParameterCount() == 5;
        return takesController
                ? GatlingComponents.make(
                        HttpComponents.class, http, engine, caches, executor, GatlingComponents.get(core, "controller"))
                : new HttpComponents(http, engine, caches, executor);
    }

    /** From 3.14 on, it has a parameter for host name verification. */
    private static SslContextsFactory tls(GatlingConfiguration configuration) {
        boolean verifiesHosts = SslContextsFactory.class.getConstructors()[0].getParameterCount() == 2;
        return verifiesHosts
                ? GatlingComponents.make(
                        SslContextsFactory.class,
                        configuration.ssl(),
                        configuration.http().enableHostnameVerification())
                : GatlingComponents.make(SslContextsFactory.class, configuration.ssl());
    }

    /** Users continue until Gatling's event loops end, but requests after the run must not be sent uncounted. */
    @SuppressWarnings("try") // the client's own close declares Exception
    private record TimedClient(HttpClient client) implements HttpClient {
        @Override
        public void sendRequest(
                Request request, long clientId, EventLoop loop, HttpListener listener, SslContextsHolder tls) {
            UserTiming timing = timingOf(listener);
            if (!isOver(timing)) {
                client.sendRequest(request, clientId, loop, timed(listener, timing), tls);
            }
        }

        /** Null for server-sent events and web sockets, which end differently and are recorded when Gatling logs them. */
        private static @Nullable UserTiming timingOf(HttpListener listener) {
            return listener instanceof GatlingHttpListener
                    ? UserTiming.of(((HttpTx) TRANSACTION.get(listener)).session())
                    : null;
        }

        private static boolean isOver(@Nullable UserTiming timing) {
            return timing != null && timing.population().isOver();
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
        public void sendHttp2Requests(
                Pair<Request, HttpListener>[] requests, long clientId, EventLoop loop, SslContextsHolder tls) {
            if (requests.length == 0) {
                return;
            }
            UserTiming timing = timingOf(requests[0].getRight()); // all are of one user
            if (isOver(timing)) {
                return;
            }
            Pair<Request, HttpListener>[] timed = new Pair[requests.length];
            for (int i = 0; i < requests.length; i++) {
                timed[i] = new Pair<>(requests[i].getLeft(), timed(requests[i].getRight(), timing));
            }
            client.sendHttp2Requests(timed, clientId, loop, tls);
        }

        private static HttpListener timed(HttpListener listener, @Nullable UserTiming timing) {
            if (timing == null) {
                return listener;
            }
            HttpTx transaction = (HttpTx) TRANSACTION.get(listener);
            if (transaction.silent()) {
                timing.silent();
                return listener;
            }
            IntendedRequest intent =
                    timing.send(System.nanoTime(), transaction.session().groups(), transaction.fullRequestName());
            return new TimedListener(listener, intent, timing.journal());
        }

        @Override
        public boolean isClosed() {
            return client.isClosed();
        }

        @Override
        public void flushClientIdChannels(long clientId, EventLoop loop) {
            client.flushClientIdChannels(clientId, loop);
        }

        @Override
        public void close() throws Exception {
            client.close();
        }
    }

    private static final class TimedListener extends RequestInFlight implements HttpListener {
        private final HttpListener listener;

        TimedListener(HttpListener listener, IntendedRequest intent, Journal journal) {
            super(intent, journal);
            this.listener = listener;
        }

        @Override
        public void onSend() {
            listener.onSend();
        }

        @Override
        public void onFinalClientRequest(Request request) {
            listener.onFinalClientRequest(request);
        }

        @Override
        public void onProtocolAwareness(boolean http2) {
            listener.onProtocolAwareness(http2);
        }

        @Override
        public void onWrite(Channel channel) {
            listener.onWrite(channel);
        }

        @Override
        public void onHttpResponse(HttpResponseStatus status, HttpHeaders headers) {
            firstByte();
            listener.onHttpResponse(status, headers);
        }

        @Override
        public void onHttpResponseBodyChunk(ByteBuf chunk, boolean last) {
            if (last) {
                end(false, () -> listener.onHttpResponseBodyChunk(chunk, true));
            } else {
                listener.onHttpResponseBodyChunk(chunk, false);
            }
        }

        @Override
        public void onThrowable(Throwable broken) {
            end(broken instanceof RequestTimeoutException, () -> listener.onThrowable(broken));
        }
    }
}
