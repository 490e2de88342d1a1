package dev.downbeat.sqs.client;

import dev.downbeat.sqs.options.ClientOptions;
import dev.downbeat.sqs.options.SqsProxy;
import java.net.URI;
import javax.net.ssl.TrustManager;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/** SDK clients without hooks: only their metrics and headers are known. */
final class PlainClients {
    private PlainClients() {}

    static SdkHttpClient urlConnection(ServicePlace place) {
        ClientOptions options = place.options().client();
        UrlConnectionHttpClient.Builder builder = UrlConnectionHttpClient.builder()
                .connectionTimeout(options.connectTimeout())
                .proxyConfiguration(proxy(place));
        if (!options.verifyServer()) {
            return builder.buildWithDefaults(trustAll());
        }
        if (options.trusted().isPresent()) {
            builder.tlsTrustManagersProvider(() -> new TrustManager[] {Trust.of(options, () -> {})});
        }
        return builder.build();
    }

    static SdkAsyncHttpClient crt(ServicePlace place, int connections) {
        ClientOptions options = place.options().client();
        AwsCrtAsyncHttpClient.Builder builder = AwsCrtAsyncHttpClient.builder()
                .maxConcurrency(connections)
                .connectionAcquisitionTimeout(options.acquireTimeout())
                .connectionTimeout(options.connectTimeout())
                .connectionMaxIdleTime(options.maxIdle())
                .proxyConfiguration(crtProxy(place));
        return options.verifyServer() ? builder.build() : builder.buildWithDefaults(trustAll());
    }

    /** The place knows the proxy; the client must not look for another. */
    private static ProxyConfiguration proxy(ServicePlace place) {
        ProxyConfiguration.Builder proxy =
                ProxyConfiguration.builder().useSystemPropertyValues(false).useEnvironmentVariablesValues(false);
        place.proxy().ifPresent(there -> {
            proxy.endpoint(URI.create("http://" + SqsProxy.shown(there)));
            SqsProxy.user(there).ifPresent(proxy::username);
            SqsProxy.password(there).ifPresent(proxy::password);
        });
        return proxy.build();
    }

    private static software.amazon.awssdk.http.crt.ProxyConfiguration crtProxy(ServicePlace place) {
        var proxy = software.amazon.awssdk.http.crt.ProxyConfiguration.builder()
                .useSystemPropertyValues(false)
                .useEnvironmentVariableValues(false);
        place.proxy().ifPresent(there -> {
            proxy.scheme("http").host(there.getHost()).port(SqsProxy.port(there));
            SqsProxy.user(there).ifPresent(proxy::username);
            SqsProxy.password(there).ifPresent(proxy::password);
        });
        return proxy.build();
    }

    static AttributeMap trustAll() {
        return AttributeMap.builder()
                .put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true)
                .build();
    }
}
