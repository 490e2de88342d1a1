package dev.downbeat.junit;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;

/**
 * When a call of an asynchronous {@link LoadTest} is over: with the stage or the publisher that it is given. The method itself
 * must return at once, and JUnit runs no test that returns one.
 *
 * <pre>{@code
 * @LoadTest(rate = "2k/s")
 * void places_orders(Beat beat, Answer answer) {
 *     answer.of(client.placeAsync(order(beat.index())));
 * }
 * }</pre>
 *
 * <p>One for each call; what it waits for is cancelled when the call times out. Not thread-safe: to be given before the method
 * returns.
 */
public final class Answer {
    static final String FORGOTTEN = "gave its Answer nothing to wait for: answer.of(stage)";

    private @Nullable CompletionStage<?> stage;

    Answer() {}

    /**
     * It is over when this stage completes; it failed if that fails.
     *
     * @throws IllegalStateException if it was given one before
     */
    public void of(CompletionStage<?> stage) {
        Objects.requireNonNull(stage, "stage");
        if (this.stage != null) {
            throw new IllegalStateException("an answer waits for one stage or publisher, and was given another");
        }
        this.stage = stage;
    }

    /**
     * It is over when this publisher, subscribed to now, is; all that it publishes is asked for.
     *
     * @throws IllegalStateException if it was given one before
     */
    public void ofFlow(Flow.Publisher<?> publisher) {
        of(Subscribed.to(publisher));
    }

    /**
     * The same for those of Reactor ({@code Mono}, {@code Flux}), RxJava and others who use Reactive Streams.
     *
     * @throws IllegalStateException if it was given one before
     */
    public void ofPublisher(Publisher<?> publisher) {
        of(Subscribed.to(FlowAdapters.toFlowPublisher(publisher)));
    }

    /** What was given; a failed stage if nothing was. */
    CompletionStage<?> stage() {
        return stage == null
                ? CompletableFuture.failedFuture(new IllegalStateException("the method " + FORGOTTEN))
                : stage;
    }

    boolean isForgotten() {
        return stage == null;
    }
}
