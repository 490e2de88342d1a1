package dev.downbeat.junit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Completes when a publisher has; ends the subscription when it is cancelled. Thread-safe. */
final class Subscribed extends CompletableFuture<@Nullable Void> {
    private volatile @Nullable Runnable unsubscribe;

    Subscribed() {}

    static Subscribed to(Flow.Publisher<?> publisher) {
        Subscribed end = new Subscribed();
        publisher.subscribe(new Flow.Subscriber<Object>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
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
        });
        return end;
    }

    void began(Runnable ending) {
        unsubscribe = ending;
        if (isCancelled()) {
            ending.run();
        }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        Runnable ending = unsubscribe;
        if (cancelled && ending != null) {
            ending.run();
        }
        return cancelled;
    }
}
