package dev.downbeat.sqs.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricCollector;

/**
 * An observed blocking SDK client: its metrics, the start of the response, and whether the server announced a close.
 * Thread-safe if the client is.
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

    /** Adds the client's metrics for one attempt. */
    static void note(MetricCollection metrics, CallObservation observation, ConnectionLog log) {
        for (Duration waited : metrics.metricValues(HttpMetric.CONCURRENCY_ACQUIRE_DURATION)) {
            observation.waited(waited.toNanos());
        }
        OptionalLong leased = last(metrics.metricValues(HttpMetric.LEASED_CONCURRENCY));
        OptionalLong idle = last(metrics.metricValues(HttpMetric.AVAILABLE_CONCURRENCY));
        if (leased.isPresent() && idle.isPresent()) {
            // Includes this attempt's connection, which has since been returned.
            long inUse = Math.max(0, leased.getAsLong() - 1);
            log.standing(leased.getAsLong() + idle.getAsLong(), inUse);
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
