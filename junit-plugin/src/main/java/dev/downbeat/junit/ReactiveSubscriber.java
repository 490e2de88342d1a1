package dev.downbeat.junit;

import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Tells when a publisher of Reactive Streams is done; a class that is loaded only where there are any. */
final class ReactiveSubscriber implements Subscriber<Object> {
    private final Subscribed end;

    private ReactiveSubscriber(Subscribed end) {
        this.end = end;
    }

    static Subscribed to(Publisher<?> publisher) {
        Subscribed end = new Subscribed();
        publisher.subscribe(new ReactiveSubscriber(end));
        return end;
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
