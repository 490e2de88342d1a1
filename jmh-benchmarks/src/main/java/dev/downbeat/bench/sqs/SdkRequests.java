package dev.downbeat.bench.sqs;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;

/** Minimal arguments for the SDK's asynchronous HTTP clients. */
public final class SdkRequests {
    private SdkRequests() {}

    /** An empty body. */
    public static SdkHttpContentPublisher noBody() {
        return new SdkHttpContentPublisher() {
            @Override
            public Optional<Long> contentLength() {
                return Optional.of(0L);
            }

            @Override
            public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
                subscriber.onSubscribe(new Subscription() {
                    @Override
                    public void request(long count) {
                        subscriber.onComplete();
                    }

                    @Override
                    public void cancel() {}
                });
            }
        };
    }

    /** Reads and discards a response. */
    public static SdkAsyncHttpResponseHandler ignoring() {
        return new SdkAsyncHttpResponseHandler() {
            @Override
            public void onHeaders(SdkHttpResponse headers) {}

            @Override
            public void onStream(Publisher<ByteBuffer> body) {
                body.subscribe(new Draining());
            }

            @Override
            public void onError(Throwable error) {}
        };
    }

    private static final class Draining implements Subscriber<ByteBuffer> {
        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer bytes) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {}
    }
}
