package dev.downbeat.sqs.client;

import dev.downbeat.http.options.HttpOptions.Proxy;
import dev.downbeat.sqs.client.CallObservations.AttemptWatch;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.time.NanoClock;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.routing.DefaultProxyRoutePlanner;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.routing.HttpRoutePlanner;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.HttpsSupport;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/** Creates SDK clients with the configured HTTP client. */
public final class SdkClients {
    private SdkClients() {}

    /** A new client with this maximum number of connections. */
    public static SdkConnection open(ServiceEndpoint service, int connections, NanoClock clock) {
        ConnectionLog log = new ConnectionLog(clock);
        return switch (service.options().client().transport()) {
            case DOWNBEAT -> {
                DownbeatSdkHttpClient client = DownbeatSdkHttpClient.of(service, connections, log);
                yield SdkConnection.async(service, client, log, client);
            }
            case APACHE -> {
                ApacheTelemetry telemetry = new ApacheTelemetry(log);
                yield SdkConnection.blocking(service, telemetry.client(service, connections), log, telemetry);
            }
            case NETTY -> {
                NettyTelemetry telemetry = new NettyTelemetry(log);
                yield SdkConnection.async(service, telemetry.client(service, connections), log, telemetry);
            }
            case URL_CONNECTION ->
                SdkConnection.blocking(service, PlainClients.urlConnection(service), log, AttemptWatch.NONE);
            case CRT -> SdkConnection.async(service, PlainClients.crt(service, connections), log, AttemptWatch.NONE);
        };
    }

    /** SDK clients without hooks: only their metrics and headers are known. */
    private static final class PlainClients {
        private PlainClients() {}

        static SdkHttpClient urlConnection(ServiceEndpoint service) {
            SqsOptions.SqsClientOptions options = service.options().client();
            UrlConnectionHttpClient.Builder builder = UrlConnectionHttpClient.builder()
                    .connectionTimeout(options.connectTimeout())
                    .proxyConfiguration(proxy(service));
            if (!options.verifyServer()) {
                return builder.buildWithDefaults(Trust.all());
            }
            if (options.trusted().isPresent()) {
                builder.tlsTrustManagersProvider(() -> new TrustManager[] {Trust.of(options, () -> {})});
            }
            return builder.build();
        }

        static SdkAsyncHttpClient crt(ServiceEndpoint service, int connections) {
            SqsOptions.SqsClientOptions options = service.options().client();
            AwsCrtAsyncHttpClient.Builder builder = AwsCrtAsyncHttpClient.builder()
                    .maxConcurrency(connections)
                    .connectionAcquisitionTimeout(options.acquireTimeout())
                    .connectionTimeout(options.connectTimeout())
                    .connectionMaxIdleTime(options.maxIdle())
                    .proxyConfiguration(crtProxy(service));
            return options.verifyServer() ? builder.build() : builder.buildWithDefaults(Trust.all());
        }

        /** The endpoint knows the proxy; the client must not look for another. */
        private static software.amazon.awssdk.http.urlconnection.ProxyConfiguration proxy(ServiceEndpoint service) {
            var proxy = software.amazon.awssdk.http.urlconnection.ProxyConfiguration.builder()
                    .useSystemPropertyValues(false)
                    .useEnvironmentVariablesValues(false);
            service.proxy().ifPresent(there -> {
                proxy.endpoint(URI.create("http://" + there));
                there.user().ifPresent(proxy::username);
                there.password().ifPresent(proxy::password);
            });
            return proxy.build();
        }

        private static software.amazon.awssdk.http.crt.ProxyConfiguration crtProxy(ServiceEndpoint service) {
            var proxy = software.amazon.awssdk.http.crt.ProxyConfiguration.builder()
                    .useSystemPropertyValues(false)
                    .useEnvironmentVariableValues(false);
            service.proxy().ifPresent(there -> {
                proxy.scheme("http").host(there.host()).port(there.port());
                there.user().ifPresent(proxy::username);
                there.password().ifPresent(proxy::password);
            });
            return proxy.build();
        }
    }

    /**
     * Telemetry from the Apache client's public hooks: name resolver, TLS strategy and route planner. They run on the
     * calling thread, so a thread-local links them to the attempt. The end of a connect is visible only as the start of
     * a TLS handshake; without TLS it is unknown.
     */
    private record ApacheTelemetry(ConnectionLog log) implements AttemptWatch {
        /** The attempt of this thread; a client calls its hooks on the calling thread. */
        private static final ThreadLocal<@Nullable Attempt> CURRENT = new ThreadLocal<>();

        private static final class Attempt {
            final CallObservation observation;
            boolean created;
            boolean encrypted;
            boolean opened;
            boolean full;
            long connectAt;

            @Nullable
            HttpContext context;

            Attempt(CallObservation observation) {
                this.observation = observation;
            }
        }

        SdkHttpClient client(ServiceEndpoint service, int connections) {
            SqsOptions.SqsClientOptions options = service.options().client();
            Apache5HttpClient.Builder builder = Apache5HttpClient.builder()
                    .maxConnections(connections)
                    .connectionAcquisitionTimeout(options.acquireTimeout())
                    .connectionTimeout(options.connectTimeout())
                    .connectionMaxIdleTime(options.maxIdle())
                    .tcpKeepAlive(options.tcpKeepAlive())
                    .dnsResolver(new Resolver())
                    .httpRoutePlanner(new Planner(service))
                    .proxyConfiguration(ProxyConfiguration.builder()
                            .useSystemPropertyValues(false)
                            .useEnvironmentVariableValues(false)
                            .build())
                    .tlsSocketStrategy(strategy(options));
            service.proxy().ifPresent(proxy -> authenticate(builder, proxy));
            return builder.build();
        }

        private static void authenticate(Apache5HttpClient.Builder builder, Proxy proxy) {
            proxy.user().ifPresent(user -> {
                BasicCredentialsProvider provider = new BasicCredentialsProvider();
                provider.setCredentials(
                        new AuthScope(proxy.host(), proxy.port()),
                        new UsernamePasswordCredentials(
                                user, proxy.password().orElse("").toCharArray()));
                builder.credentialsProvider(provider);
            });
        }

        private TlsSocketStrategy strategy(SqsOptions.SqsClientOptions options) {
            SSLContext context = Trust.context(options, this::certificateChecked);
            TlsSocketStrategy strategy = new DefaultClientTlsStrategy(
                    context,
                    HostnameVerificationPolicy.CLIENT,
                    options.verifyServer() ? HttpsSupport.getDefaultHostnameVerifier() : NoopHostnameVerifier.INSTANCE);
            return (socket, host, port, attachment, httpContext) -> {
                Attempt attempt = CURRENT.get();
                long from = log.now();
                if (attempt == null) {
                    return strategy.upgrade(socket, host, port, attachment, httpContext);
                }
                attempt.encrypted = true;
                attempt.observation.connected(from - attempt.connectAt);
                try {
                    SSLSocket upgraded = strategy.upgrade(socket, host, port, attachment, httpContext);
                    attempt.opened = true;
                    return upgraded;
                } finally {
                    attempt.observation.handshake(log.now() - from);
                }
            };
        }

        /** A resumed handshake does not check a certificate. */
        private void certificateChecked() {
            Attempt attempt = CURRENT.get();
            if (attempt != null) {
                attempt.full = true;
            }
        }

        private final class Resolver implements DnsResolver {
            @Override
            public InetAddress[] resolve(String host) throws UnknownHostException {
                Attempt attempt = CURRENT.get();
                long from = log.now();
                InetAddress[] addresses;
                try {
                    addresses = SystemDefaultDnsResolver.INSTANCE.resolve(host);
                } finally {
                    if (attempt != null) {
                        long until = log.now();
                        attempt.created = true;
                        attempt.connectAt = until;
                        attempt.observation.lookup(until - from);
                    }
                }
                return Arrays.copyOf(addresses, addresses.length);
            }

            @Override
            public String resolveCanonicalHostname(String host) throws UnknownHostException {
                return SystemDefaultDnsResolver.INSTANCE.resolveCanonicalHostname(host);
            }
        }

        /** The only hook with access to the context, from which the connection is available at the end. */
        private static final class Planner implements HttpRoutePlanner {
            private final HttpRoutePlanner planner;

            Planner(ServiceEndpoint service) {
                planner = service.proxy()
                        .<HttpRoutePlanner>map(
                                proxy -> new DefaultProxyRoutePlanner(new HttpHost("http", proxy.host(), proxy.port())))
                        .orElseGet(() -> new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE));
            }

            @Override
            public HttpRoute determineRoute(HttpHost target, HttpContext context) throws HttpException {
                Attempt attempt = CURRENT.get();
                if (attempt != null) {
                    attempt.context = context;
                }
                return planner.determineRoute(target, context);
            }
        }

        @Override
        public void begin(@Nullable String id, CallObservation observation) {
            CURRENT.set(new Attempt(observation));
        }

        @Override
        public void end(@Nullable String id, CallObservation observation, boolean answered) {
            Attempt attempt = CURRENT.get();
            CURRENT.remove();
            if (attempt == null) {
                return;
            }
            EndpointDetails details = attempt.context == null
                    ? null
                    : HttpCoreContext.cast(attempt.context).getEndpointDetails(); // from the first byte of a request on
            if (attempt.created && (attempt.opened || answered || details != null)) {
                log.opened(attempt.encrypted && !attempt.full);
            } else if (attempt.created) {
                log.failedToOpen();
            }
            if (answered && details != null) {
                observation.position(details.getRequestCount());
            }
        }
    }
}
