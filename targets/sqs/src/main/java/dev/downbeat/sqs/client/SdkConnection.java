package dev.downbeat.sqs.client;

import dev.downbeat.sqs.client.CallObservations.AttemptWatch;
import dev.downbeat.sqs.client.DownbeatSdkHttpClient.OneBuffer;
import dev.downbeat.sqs.client.SqsCalls.TopicCalls;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.time.Daemon;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricCollector;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sns.SnsAsyncClient;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

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

    static SdkConnection blocking(
            ServiceEndpoint service, SdkHttpClient client, ConnectionLog log, AttemptWatch watch) {
        CallObservations observations = new CallObservations(log);
        BlockingHttp watched = new BlockingHttp(client, observations, log, watch);
        ThreadedCalls calls = new ThreadedCalls(configured(SqsClient.builder(), service, observations)
                .checksumValidationEnabled(!service.isInThisProcess())
                .httpClient(watched)
                .build());
        Optional<TopicCalls> topics = service.topic()
                .map(topic -> configured(SnsClient.builder(), service.forTopic(topic), observations))
                .map(topic -> calls.topics(topic.httpClient(watched).build()));
        return new SdkConnection(calls, topics, log, client, watch, observations, retries(service));
    }

    static SdkConnection async(
            ServiceEndpoint service, SdkAsyncHttpClient client, ConnectionLog log, AttemptWatch watch) {
        CallObservations observations = new CallObservations(log);
        AsyncHttp watched = new AsyncHttp(client, observations, log, watch);
        AsyncCalls calls = new AsyncCalls(configured(SqsAsyncClient.builder(), service, observations)
                .checksumValidationEnabled(!service.isInThisProcess())
                .httpClient(watched)
                .build());
        Optional<TopicCalls> topics = service.topic()
                .map(topic -> configured(SnsAsyncClient.builder(), service.forTopic(topic), observations))
                .map(topic -> calls.topics(topic.httpClient(watched).build()));
        return new SdkConnection(calls, topics, log, client, watch, observations, retries(service));
    }

    private static boolean retries(ServiceEndpoint service) {
        return service.options().client().maxAttempts() > 1;
    }

    private static <B extends AwsClientBuilder<B, C>, C> B configured(
            B builder, ServiceEndpoint service, CallObservations observations) {
        SqsOptions.SqsClientOptions options = service.options().client();
        RetryStrategy retries = options.maxAttempts() == 1
                ? AwsRetryStrategy.doNotRetry()
                : AwsRetryStrategy.standardRetryStrategy().toBuilder()
                        .maxAttempts(options.maxAttempts())
                        .build();
        builder.overrideConfiguration(
                configuration -> configuration.retryStrategy(retries).addExecutionInterceptor(observations));
        builder.region(Region.of(service.region()));
        service.endpoint().ifPresent(builder::endpointOverride);
        service.credentials().ifPresent(provider -> builder.credentialsProvider(provider));
        return builder;
    }

    /**
     * Makes the client's first calls, which are answered locally: no connection is opened and nothing is counted.
     * One-time work of the SDK per client (resolving endpoint and signer, starting threads) would otherwise appear as a
     * cost of the first connection.
     */
    public void warmUp(Queue queue) {
        observations.rehearsing(true);
        try {
            for (int i = 0; i < FIRST_CALLS; i++) {
                calls.queueAttributes(queue.url()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
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
     * Operations with a non-blocking client. The SDK builds and signs a request on the calling thread, which here is
     * one of a small pool, so that the generator is not delayed. This work is part of the service time, as with a
     * blocking client.
     */
    private static final class AsyncCalls implements SqsCalls {
        private final SqsAsyncClient client;
        private final ExecutorService threads = Executors.newFixedThreadPool(
                Runtime.getRuntime().availableProcessors(), Daemon.factory("downbeat-sqs-start"));

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
                } catch (RuntimeException | Error refused) {
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
        private final ExecutorService threads = Executors.newCachedThreadPool(Daemon.factory("downbeat-sqs-call"));

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
                } catch (RuntimeException | Error failed) {
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

    /**
     * An observed blocking SDK client: its metrics, the start of the response, and whether the server announced a
     * close. Thread-safe if the client is.
     */
    record BlockingHttp(SdkHttpClient client, CallObservations observations, ConnectionLog log, AttemptWatch watch)
            implements SdkHttpClient {
        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            if (observations.isRehearsing()) {
                return new CannedAnswer();
            }
            MetricCollector metrics = MetricCollector.create("downbeat");
            HttpExecuteRequest.Builder watched =
                    HttpExecuteRequest.builder().request(request.httpRequest()).metricCollector(metrics);
            request.contentStreamProvider().ifPresent(watched::contentStreamProvider);
            ExecutableHttpRequest prepared = client.prepareRequest(watched.build());
            CallObservation observation = observations.take(request.httpRequest());
            return new ExecutableHttpRequest() {
                @Override
                public HttpExecuteResponse call() throws IOException {
                    observation.abortBy(prepared::abort);
                    String id = CallObservations.id(request.httpRequest());
                    boolean answered = false;
                    watch.begin(id, observation);
                    try {
                        HttpExecuteResponse response = prepared.call();
                        observation.firstByte(log.now());
                        noteClosing(response.httpResponse(), log);
                        answered = true;
                        return response;
                    } catch (IOException | RuntimeException broken) {
                        observation.failed(broken);
                        throw broken;
                    } finally {
                        watch.end(id, observation, answered);
                        note(metrics.collect(), observation, log);
                    }
                }

                @Override
                public void abort() {
                    prepared.abort();
                }
            };
        }

        static void note(MetricCollection metrics, CallObservation observation, ConnectionLog log) {
            for (Duration waited : metrics.metricValues(HttpMetric.CONCURRENCY_ACQUIRE_DURATION)) {
                observation.waited(waited.toNanos());
            }
            OptionalLong leased = last(metrics.metricValues(HttpMetric.LEASED_CONCURRENCY));
            OptionalLong idle = last(metrics.metricValues(HttpMetric.AVAILABLE_CONCURRENCY));
            if (leased.isPresent() && idle.isPresent()) {
                // Includes this attempt's connection, which has since been returned.
                long inUse = Math.max(0, leased.getAsLong() - 1);
                log.gauges(leased.getAsLong() + idle.getAsLong(), inUse);
            }
        }

        private static OptionalLong last(List<Integer> values) {
            return values.isEmpty() ? OptionalLong.empty() : OptionalLong.of(values.get(values.size() - 1));
        }

        static void noteClosing(SdkHttpResponse response, ConnectionLog log) {
            boolean closing = response.firstMatchingHeader("Connection")
                    .filter(value -> value.equalsIgnoreCase("close"))
                    .isPresent();
            if (closing) {
                log.closeAnnounced();
            }
        }

        @Override
        public String clientName() {
            return client.clientName();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Like {@link BlockingHttp}, for a non-blocking client. Thread-safe if the client is. */
    private record AsyncHttp(
            SdkAsyncHttpClient client, CallObservations observations, ConnectionLog log, AttemptWatch watch)
            implements SdkAsyncHttpClient {
        @Override
        public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
            if (observations.isRehearsing()) {
                watch.prepare(request.request());
                return CannedAnswer.to(request.responseHandler());
            }
            CallObservation observation = observations.take(request.request());
            String id = CallObservations.id(request.request());
            MetricCollector metrics = MetricCollector.create("downbeat");
            Watching watching = new Watching(request.responseHandler(), observation, metrics);
            AsyncExecuteRequest watched = AsyncExecuteRequest.builder()
                    .request(request.request())
                    .requestContentPublisher(request.requestContentPublisher())
                    .responseHandler(watching)
                    .metricCollector(metrics)
                    .fullDuplex(request.fullDuplex())
                    .httpExecutionAttributes(request.httpExecutionAttributes())
                    .build();
            watch.begin(id, observation);
            CompletableFuture<Void> sent = client.execute(watched);
            CompletableFuture<Void> unused = sent.whenComplete((nothing, thrown) -> {
                watch.end(id, observation, thrown == null);
                watching.note();
                if (thrown != null) {
                    watching.failed(thrown);
                }
            });
            return sent;
        }

        private final class Watching implements SdkAsyncHttpResponseHandler {
            private final SdkAsyncHttpResponseHandler handler;
            private final CallObservation observation;
            private final MetricCollector metrics;
            private final AtomicBoolean noted = new AtomicBoolean();
            private final AtomicBoolean hasFailed = new AtomicBoolean();

            Watching(SdkAsyncHttpResponseHandler handler, CallObservation observation, MetricCollector metrics) {
                this.handler = handler;
                this.observation = observation;
                this.metrics = metrics;
            }

            /**
             * When the headers arrive, since the operation may end before the attempt; later only if there were none.
             */
            void note() {
                if (!watch.knowsWait() && noted.compareAndSet(false, true)) {
                    BlockingHttp.note(metrics.collect(), observation, log);
                }
            }

            @Override
            public void onHeaders(SdkHttpResponse response) {
                observation.firstByte(log.now());
                note();
                BlockingHttp.noteClosing(response, log);
                handler.onHeaders(response);
            }

            @Override
            public void onStream(Publisher<ByteBuffer> body) {
                handler.onStream(body);
            }

            /** Reported by some clients to the handler first, by others to the future alone. */
            void failed(Throwable broken) {
                if (hasFailed.compareAndSet(false, true)) {
                    observation.failed(broken);
                }
            }

            @Override
            public void onError(Throwable broken) {
                failed(broken);
                handler.onError(broken);
            }
        }

        @Override
        public String clientName() {
            return client.clientName();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** An empty response without a connection, for exercising the SDK's first call. */
    private static final class CannedAnswer implements ExecutableHttpRequest {
        private static final byte[] BODY = "{}".getBytes(StandardCharsets.US_ASCII);
        private static final SdkHttpResponse HEAD =
                SdkHttpFullResponse.builder().statusCode(200).build();

        /** Passes it to a non-blocking client. */
        static CompletableFuture<Void> to(SdkAsyncHttpResponseHandler handler) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            handler.onHeaders(HEAD);
            handler.onStream(new OneBuffer(ByteBuffer.wrap(BODY), done));
            return done;
        }

        @Override
        public HttpExecuteResponse call() {
            return HttpExecuteResponse.builder()
                    .response(HEAD)
                    .responseBody(AbortableInputStream.create(new ByteArrayInputStream(BODY)))
                    .build();
        }

        @Override
        public void abort() {}
    }
}
