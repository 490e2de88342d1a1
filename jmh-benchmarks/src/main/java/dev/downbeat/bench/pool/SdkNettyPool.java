package dev.downbeat.bench.pool;

import dev.downbeat.bench.sqs.SdkRequests;
import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.Outcome;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.metrics.MetricCollector;

/** The AWS SDK's HTTP client on Netty, without the rest of the SDK; its own metric tells the wait for a connection. */
final class SdkNettyPool implements CallClient {
    private static final Outcome FAILED = Outcome.failed("failed");

    private final SdkAsyncHttpClient client;
    private final SdkHttpRequest request;

    SdkNettyPool(URI service, int connections) {
        client = NettyNioAsyncHttpClient.builder()
                .maxConcurrency(connections)
                .maxPendingConnectionAcquires(PooledClient.MOST_WAITING)
                .connectionAcquisitionTimeout(Duration.ofMinutes(1))
                .build();
        request =
                SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(service).build();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is told to the call
    public void start(Call call) {
        MetricCollector metrics = MetricCollector.create("call");
        client.execute(AsyncExecuteRequest.builder()
                        .request(request)
                        .requestContentPublisher(SdkRequests.noBody())
                        .responseHandler(SdkRequests.ignoring())
                        .metricCollector(metrics)
                        .build())
                .whenComplete((nothing, failure) -> {
                    List<Duration> waits = metrics.collect().metricValues(HttpMetric.CONCURRENCY_ACQUIRE_DURATION);
                    call.waited(waits.stream().mapToLong(Duration::toNanos).sum());
                    call.complete(failure == null ? Outcome.answered() : FAILED);
                });
    }

    void shutDown() {
        client.close();
    }
}
