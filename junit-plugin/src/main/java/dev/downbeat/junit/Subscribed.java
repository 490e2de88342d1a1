package dev.downbeat.junit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Completes when a publisher does, and cancels the subscription when cancelled. Thread-safe. */
final class Subscribed extends CompletableFuture<@Nullable Void> implements Flow.Subscriber<Object> {
    private volatile Flow.@Nullable Subscription subscription;

    private Subscribed() {}

    static Subscribed to(Flow.Publisher<?> publisher) {
        Subscribed end = new Subscribed();
        publisher.subscribe(end);
        return end;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        if (isCancelled()) {
            begun.cancel();
        }
        begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object item) {}

    @Override
    public void onError(Throwable thrown) {
        completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        complete(null);
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        Flow.Subscription begun = subscription;
        if (cancelled && begun != null) {
            begun.cancel();
        }
        return cancelled;
    }
}
