package dev.downbeat.sqs.client;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A body in memory, published on request.
 *
 * @param body may be empty
 * @param done completed when the body was delivered or cancelled
 */
record OneBuffer(ByteBuffer body, CompletableFuture<Void> done) implements Publisher<ByteBuffer> {
    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        AtomicBoolean over = new AtomicBoolean();
        subscriber.onSubscribe(new Subscription() {
            @Override
            public void request(long count) {
                if (!over.compareAndSet(false, true)) {
                    return;
                }
                if (count <= 0) {
                    subscriber.onError(new IllegalArgumentException("demand must be at least 1, but was " + count));
                } else {
                    give(subscriber);
                }
                done.complete(null);
            }

            @Override
            public void cancel() {
                over.set(true);
                done.complete(null);
            }
        });
        if (!body.hasRemaining() && over.compareAndSet(false, true)) {
            give(subscriber); // a subscriber that requests nothing, since there is nothing, would otherwise wait
            done.complete(null);
        }
    }

    private void give(Subscriber<? super ByteBuffer> subscriber) {
        if (body.hasRemaining()) {
            subscriber.onNext(body);
        }
        subscriber.onComplete();
    }
}
