package dev.downbeat.sqs;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsBaseClientBuilder;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;

/**
 * One client of the SDK with its HTTP client, and what is seen of them.
 *
 * @param calls the operations
 * @param log what happened to the connections
 * @param http closed with this
 * @param watch closed with this
 * @param observations of the calls
 * @param retries whether it tries again what has failed
 */
record Connections(
        SqsCalls calls,
        ConnectionLog log,
        AutoCloseable http,
        AttemptWatch watch,
        Observations observations,
        boolean retries)
        implements AutoCloseable {
    private static final int FIRST_CALLS = 3;
    private static final int PATIENCE_SECONDS = 2;

    static Connections blocking(Place place, SdkHttpClient client, ConnectionLog log, AttemptWatch watch) {
        Observations observations = new Observations(log);
        SqsClient sqs = configured(SqsClient.builder(), place, observations)
                .httpClient(new BlockingHttp(client, observations, log, watch))
                .build();
        return new Connections(
                new BlockingCalls(sqs),
                log,
                client,
                watch,
                observations,
                place.options().maxAttempts() > 1);
    }

    static Connections async(Place place, SdkAsyncHttpClient client, ConnectionLog log, AttemptWatch watch) {
        Observations observations = new Observations(log);
        SqsAsyncClient sqs = configured(SqsAsyncClient.builder(), place, observations)
                .httpClient(new AsyncHttp(client, observations, log, watch))
                .build();
        return new Connections(
                new AsyncCalls(sqs),
                log,
                client,
                watch,
                observations,
                place.options().maxAttempts() > 1);
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
        builder.region(Region.of(place.region()));
        place.endpoint().ifPresent(builder::endpointOverride);
        place.credentials().ifPresent(provider -> builder.credentialsProvider(provider));
        return builder.checksumValidationEnabled(place.checked());
    }

    /**
     * Makes the first calls of this client, which are answered in it: no connection is opened and nothing is counted. What
     * the SDK does only once for each client (it finds endpoint and signer, and starts threads) would else be taken for a
     * cost of the first connection.
     */
    void warmUp(Queue queue) {
        GetQueueAttributesRequest request =
                GetQueueAttributesRequest.builder().queueUrl(queue.url()).build();
        observations.rehearsing(true);
        try {
            for (int i = 0; i < FIRST_CALLS; i++) {
                calls.queueAttributes(request).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException cannot) {
            // The measurement itself will say what it lacks.
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        } finally {
            observations.rehearsing(false);
        }
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
