package dev.downbeat.sqs;

import javax.net.ssl.TrustManager;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/** The SDK's clients that have no hooks: what is known of them are their metrics and their headers. */
final class PlainClients {
    private PlainClients() {}

    static SdkHttpClient urlConnection(SqsOptions options) {
        UrlConnectionHttpClient.Builder builder =
                UrlConnectionHttpClient.builder().connectionTimeout(options.connectTimeout());
        if (!options.verifyServer()) {
            return builder.buildWithDefaults(trustAll());
        }
        if (options.trusted().isPresent()) {
            builder.tlsTrustManagersProvider(() -> new TrustManager[] {Trust.of(options, () -> {})});
        }
        return builder.build();
    }

    static SdkAsyncHttpClient crt(SqsOptions options, int connections) {
        AwsCrtAsyncHttpClient.Builder builder = AwsCrtAsyncHttpClient.builder()
                .maxConcurrency(connections)
                .connectionAcquisitionTimeout(options.acquireTimeout())
                .connectionTimeout(options.connectTimeout())
                .connectionMaxIdleTime(options.maxIdle());
        return options.verifyServer() ? builder.build() : builder.buildWithDefaults(trustAll());
    }

    static AttributeMap trustAll() {
        return AttributeMap.builder()
                .put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true)
                .build();
    }
}
