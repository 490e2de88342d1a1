package dev.downbeat.sqs.client;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.metrics.MetricCollector;

/** Like {@link BlockingHttp}, for a non-blocking client. Thread-safe if the client is. */
record AsyncHttp(SdkAsyncHttpClient client, CallObservations observations, ConnectionLog log, AttemptWatch watch)
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
        });
        return sent;
    }

    private final class Watching implements SdkAsyncHttpResponseHandler {
        private final SdkAsyncHttpResponseHandler handler;
        private final CallObservation observation;
        private final MetricCollector metrics;
        private final AtomicBoolean noted = new AtomicBoolean();

        Watching(SdkAsyncHttpResponseHandler handler, CallObservation observation, MetricCollector metrics) {
            this.handler = handler;
            this.observation = observation;
            this.metrics = metrics;
        }

        /** When the headers arrive, since the operation may end before the attempt; later only if there were none. */
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

        @Override
        public void onError(Throwable broken) {
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
