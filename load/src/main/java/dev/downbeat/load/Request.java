package dev.downbeat.load;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request that a {@link LiveRecorder} counts when it ends.
 *
 * <pre>{@code
 * try (Request request = orders.request()) {
 *     handle(order);
 *     request.answered();
 * }
 * }</pre>
 *
 * <p>The first end counts, and none after it. One that is closed without an end has failed as {@value #NOT_ANSWERED}: so has one
 * whose block an exception has left. It may be handed to another thread and end there. Thread-safe.
 */
public final class Request implements AutoCloseable {
    static final String NOT_ANSWERED = "not answered";

    private final LiveRecorder recorder;
    private final long intendedAt;
    private final long startedAt;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable String name;

    Request(LiveRecorder recorder, long intendedAt, long startedAt) {
        this.recorder = recorder;
        this.intendedAt = intendedAt;
        this.startedAt = startedAt;
    }

    /**
     * What kind of request it is, such as {@code /orders/{id}}: reports have a row for each name. To be said before its end; the
     * last word counts.
     *
     * @param kind one of few: beyond the first hundred names, requests are counted together
     * @return this request
     */
    public Request named(String kind) {
        name = Objects.requireNonNull(kind, "kind");
        return this;
    }

    long intendedAt() {
        return intendedAt;
    }

    /** It was answered, just now. */
    public void answered() {
        if (isFirstEnd()) {
            recorder.answered(name, intendedAt, startedAt, recorder.now());
        }
    }

    /**
     * It failed, just now.
     *
     * @param reason in a few words, of which there are not many different ones: they are counted, and remembered
     */
    public void failed(String reason) {
        if (isFirstEnd()) {
            recorder.failed(name, intendedAt, reason);
        }
    }

    /**
     * It failed, just now, under the name of an exception.
     *
     * @param thrown what was thrown; the cause of what a future wrapped
     */
    public void failed(Throwable thrown) {
        failed(Reasons.name(thrown));
    }

    private boolean isFirstEnd() {
        return ended.compareAndSet(false, true);
    }

    /** Ends it as failed, if it has no end yet. */
    @Override
    public void close() {
        failed(NOT_ANSWERED);
    }
}
