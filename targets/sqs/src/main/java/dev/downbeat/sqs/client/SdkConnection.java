package dev.downbeat.sqs.client;

import dev.downbeat.sqs.options.ClientOptions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sns.SnsAsyncClient;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;

/**
 * An SDK client with its HTTP client and their observation.
 *
 * @param calls the operations
 * @param log connection counts
 * @param http closed with this
 * @param watch closed with this
 * @param topics topic operations by the same client; empty without a topic
 * @param observations observations of the calls
 * @param retries whether it retries failures
 */
public record SdkConnection(
        SqsCalls calls,
        Optional<TopicCalls> topics,
        ConnectionLog log,
        AutoCloseable http,
        AttemptWatch watch,
        CallObservations observations,
        boolean retries)
        implements AutoCloseable {
    private static final int FIRST_CALLS = 3;
    private static final int PATIENCE_SECONDS = 2;

    static SdkConnection blocking(ServicePlace place, SdkHttpClient client, ConnectionLog log, AttemptWatch watch) {
        CallObservations observations = new CallObservations(log);
        BlockingHttp watched = new BlockingHttp(client, observations, log, watch);
        ThreadedCalls calls = new ThreadedCalls(configured(SqsClient.builder(), place, observations)
                .checksumValidationEnabled(!place.isInThisProcess())
                .httpClient(watched)
                .build());
        Optional<TopicCalls> topics = place.topic()
                .map(topic -> configured(SnsClient.builder(), place.forTopic(topic), observations))
                .map(topic -> calls.topics(topic.httpClient(watched).build()));
        return new SdkConnection(calls, topics, log, client, watch, observations, retries(place));
    }

    static SdkConnection async(ServicePlace place, SdkAsyncHttpClient client, ConnectionLog log, AttemptWatch watch) {
        CallObservations observations = new CallObservations(log);
        AsyncHttp watched = new AsyncHttp(client, observations, log, watch);
        AsyncCalls calls = new AsyncCalls(configured(SqsAsyncClient.builder(), place, observations)
                .checksumValidationEnabled(!place.isInThisProcess())
                .httpClient(watched)
                .build());
        Optional<TopicCalls> topics = place.topic()
                .map(topic -> configured(SnsAsyncClient.builder(), place.forTopic(topic), observations))
                .map(topic -> calls.topics(topic.httpClient(watched).build()));
        return new SdkConnection(calls, topics, log, client, watch, observations, retries(place));
    }

    private static boolean retries(ServicePlace place) {
        return place.options().client().maxAttempts() > 1;
    }

    private static <B extends AwsClientBuilder<B, C>, C> B configured(
            B builder, ServicePlace place, CallObservations observations) {
        ClientOptions options = place.options().client();
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
        return builder;
    }

    /**
     * Makes the client's first calls, which are answered locally: no connection is opened and nothing is counted.
     * One-time work of the SDK per client (resolving endpoint and signer, starting threads) would otherwise appear as a
     * cost of the first connection.
     */
    public void warmUp(Queue queue) {
        GetQueueAttributesRequest request =
                GetQueueAttributesRequest.builder().queueUrl(queue.url()).build();
        observations.rehearsing(true);
        try {
            for (int i = 0; i < FIRST_CALLS; i++) {
                calls.queueAttributes(request).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException failed) {
            // The measurement itself will report any error.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            observations.rehearsing(false);
        }
        topics.ifPresent(this::warmUp);
    }

    /** Any response is invalid for it, so one call is enough. */
    private void warmUp(TopicCalls calls) {
        observations.rehearsing(true);
        CompletableFuture<?> over = calls.publish(PublishRequest.builder()
                        .topicArn("arn:aws:sns:us-east-1:000000000000:rehearsal")
                        .message("x")
                        .build())
                .handle((answer, refused) -> null)
                .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS);
        over.join();
        observations.rehearsing(false);
    }

    @Override
    public void close() {
        topics.ifPresent(TopicCalls::close);
        calls.close();
        try {
            http.close();
        } catch (Exception ignored) {
            // There is nothing left to lose.
        }
        watch.close();
    }

    /**
     * Operations with a non-blocking client. The SDK builds and signs a request on the calling thread, which here is one of
     * a small pool, so that the generator is not delayed. This work is part of the service time, as with a blocking client.
     */
    private static final class AsyncCalls implements SqsCalls {
        private final SqsAsyncClient client;
        private final ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), task -> {
                    Thread thread = new Thread(task, "downbeat-sqs-start");
                    thread.setDaemon(true);
                    return thread;
                });

        AsyncCalls(SqsAsyncClient client) {
            this.client = client;
        }

        /** Topics, on the same threads; closed separately. */
        TopicCalls topics(SnsAsyncClient topics) {
            return new TopicCalls(
                    request -> call(() -> topics.publish(request)),
                    request -> call(() -> topics.listSubscriptionsByTopic(request)),
                    request -> call(() -> topics.getSubscriptionAttributes(request)),
                    topics::close);
        }

        private <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> operation) {
            CompletableFuture<T> result = new CompletableFuture<>();
            threads.execute(() -> {
                if (result.isDone()) {
                    return; // abandoned before it started
                }
                try {
                    forward(operation.get(), result);
                } catch (RuntimeException refused) {
                    result.completeExceptionally(refused);
                }
            });
            return result;
        }

        private static <T> void forward(CompletableFuture<T> sent, CompletableFuture<T> result) {
            CompletableFuture<T> unused = sent.whenComplete((answer, thrown) -> {
                if (thrown == null) {
                    result.complete(answer);
                } else {
                    result.completeExceptionally(thrown);
                }
            });
            CompletableFuture<T> unusedToo = result.whenComplete((answer, thrown) -> {
                if (result.isCancelled()) {
                    sent.cancel(true);
                }
            });
        }

        @Override
        public <T> CompletableFuture<T> call(
                Function<SqsClient, T> blocking, Function<SqsAsyncClient, CompletableFuture<T>> async) {
            return call(() -> async.apply(client));
        }

        @Override
        public void close() {
            threads.shutdownNow();
            client.close();
        }
    }

    /**
     * Operations with a blocking client, with one thread per call in progress. No call waits for a thread; waits for a
     * connection happen in the client.
     */
    private static final class ThreadedCalls implements SqsCalls {
        private final SqsClient client;
        private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "downbeat-sqs-call");
            thread.setDaemon(true);
            return thread;
        });

        ThreadedCalls(SqsClient client) {
            this.client = client;
        }

        /** Topics, on the same threads; closed separately. */
        TopicCalls topics(SnsClient topics) {
            return new TopicCalls(
                    request -> call(() -> topics.publish(request)),
                    request -> call(() -> topics.listSubscriptionsByTopic(request)),
                    request -> call(() -> topics.getSubscriptionAttributes(request)),
                    topics::close);
        }

        private <T> CompletableFuture<T> call(Supplier<T> operation) {
            CompletableFuture<T> result = new CompletableFuture<>();
            Future<?> task = threads.submit(() -> {
                try {
                    result.complete(operation.get());
                } catch (RuntimeException failed) {
                    result.completeExceptionally(failed);
                }
            });
            CompletableFuture<T> unused = result.whenComplete((value, thrown) -> {
                if (result.isCancelled()) {
                    task.cancel(true);
                }
            });
            return result;
        }

        @Override
        public <T> CompletableFuture<T> call(
                Function<SqsClient, T> blocking, Function<SqsAsyncClient, CompletableFuture<T>> async) {
            return call(() -> blocking.apply(client));
        }

        @Override
        public void close() {
            threads.shutdownNow();
            client.close();
        }
    }
}
