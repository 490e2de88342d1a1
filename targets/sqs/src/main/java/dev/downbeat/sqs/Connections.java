package dev.downbeat.sqs;

import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsBaseClientBuilder;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * One client of the SDK with its HTTP client, and what is seen of them.
 *
 * @param calls the operations
 * @param log what happened to the connections
 * @param http closed with this
 * @param watch closed with this
 */
record Connections(SqsCalls calls, ConnectionLog log, AutoCloseable http, AttemptWatch watch) implements AutoCloseable {
    static Connections blocking(Place place, SdkHttpClient client, ConnectionLog log, AttemptWatch watch) {
        Observations observations = new Observations(log);
        SqsClient sqs = configured(SqsClient.builder(), place, observations)
                .httpClient(new BlockingHttp(client, observations, log, watch))
                .build();
        return new Connections(new BlockingCalls(sqs), log, client, watch);
    }

    static Connections async(Place place, SdkAsyncHttpClient client, ConnectionLog log, AttemptWatch watch) {
        Observations observations = new Observations(log);
        SqsAsyncClient sqs = configured(SqsAsyncClient.builder(), place, observations)
                .httpClient(new AsyncHttp(client, observations, log, watch))
                .build();
        return new Connections(new AsyncCalls(sqs), log, client, watch);
    }

    private static <B extends SqsBaseClientBuilder<B, C>, C> B configured(
            B builder, Place place, Observations observations) {
        SqsOptions options = place.options();
        RetryStrategy retries = options.maxAttempts() == 1
                ? AwsRetryStrategy.doNotRetry()
                : AwsRetryStrategy.standardRetryStrategy().toBuilder()
                        .maxAttempts(options.maxAttempts())
                        .build();
        builder.overrideConfiguration(
                configuration -> configuration.retryStrategy(retries).addExecutionInterceptor(observations));
        place.region().map(Region::of).ifPresent(builder::region);
        place.endpoint().ifPresent(builder::endpointOverride);
        place.credentials().ifPresent(provider -> builder.credentialsProvider(provider));
        return builder.checksumValidationEnabled(place.checked());
    }

    @Override
    public void close() {
        calls.close();
        try {
            http.close();
        } catch (Exception ignored) {
            // Nothing is left that could be lost.
        }
        watch.close();
    }
}
