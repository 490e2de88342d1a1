package dev.downbeat.junit;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;

/**
 * Sets when a call of an asynchronous {@link LoadTest} ends: with a given stage or publisher. The method itself must
 * return at once and return void, because JUnit runs no test that returns a stage.
 *
 * <pre>{@code
 * @LoadTest(rate = "2k/s")
 * void places_orders(Beat beat, Answer answer) {
 *     answer.of(client.placeAsync(order(beat.index())));
 * }
 * }</pre>
 *
 * <p>One per call; the stage or subscription is cancelled when the call times out. Not thread-safe: set it before the
 * method returns.
 */
public final class Answer {
    static final String FORGOTTEN = "did not set its Answer: call answer.of(stage)";

    private @Nullable CompletionStage<?> stage;

    Answer() {}

    /**
     * The call ends when this stage completes, and fails if it does.
     *
     * @throws IllegalStateException if an end was already set
     */
    public void of(CompletionStage<?> stage) {
        Objects.requireNonNull(stage, "stage");
        if (this.stage != null) {
            throw new IllegalStateException("an Answer takes one stage or publisher, but was set twice");
        }
        this.stage = stage;
    }

    /**
     * The call ends when this publisher completes. It is subscribed to now, with unbounded demand.
     *
     * @throws IllegalStateException if an end was already set
     */
    public void ofFlow(Flow.Publisher<?> publisher) {
        of(Subscribed.to(publisher));
    }

    /**
     * The same for Reactor ({@code Mono}, {@code Flux}), RxJava and other implementations of Reactive Streams.
     *
     * @throws IllegalStateException if an end was already set
     */
    public void ofPublisher(Publisher<?> publisher) {
        of(Subscribed.to(FlowAdapters.toFlowPublisher(publisher)));
    }

    /** The stage; a failed one if none was set. */
    CompletionStage<?> stage() {
        return stage == null
                ? CompletableFuture.failedFuture(new IllegalStateException("the method " + FORGOTTEN))
                : stage;
    }

    boolean isForgotten() {
        return stage == null;
    }

    /** Completes when a publisher does, and cancels the subscription when cancelled. Thread-safe. */
    private static final class Subscribed extends CompletableFuture<@Nullable Void> implements Flow.Subscriber<Object> {
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
}
