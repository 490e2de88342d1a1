package dev.downbeat.junit;

import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Tells when a publisher of Reactive Streams is done. */
final class ReactiveSubscriber implements Subscriber<Object> {
    private final Subscribed end;

    ReactiveSubscriber(Subscribed end) {
        this.end = end;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        end.began(subscription::cancel);
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object item) {}

    @Override
    public void onError(Throwable thrown) {
        end.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        end.complete(null);
    }
}
