package dev.downbeat.load;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request that a {@link LiveRecorder} counts when it ends.
 *
 * <pre>{@code
 * try (Request request = orders.request()) {
 *     handle(order);
 *     request.answered();
 * }
 * }</pre>
 *
 * <p>Only the first end counts. A request closed without an end has failed as {@value #NOT_ANSWERED}, including one
 * whose block threw an exception. It may be handed to another thread and end there. Thread-safe.
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
     * Sets the kind of request, such as {@code /orders/{id}}: reports have a row per name. Call before the end; the
     * last name wins.
     *
     * @param kind one of a few: after the first hundred names, further ones are counted together
     * @return this request
     */
    public Request named(String kind) {
        name = Objects.requireNonNull(kind, "kind");
        return this;
    }

    long intendedAt() {
        return intendedAt;
    }

    /** The request was answered just now. */
    public void answered() {
        if (isFirstEnd()) {
            recorder.answered(name, intendedAt, startedAt, recorder.now());
        }
    }

    /**
     * The request failed just now.
     *
     * @param reason one of a few short texts: after the first 200 since {@link LiveRecorder#take}, further ones are counted
     *     together
     */
    public void failed(String reason) {
        Objects.requireNonNull(reason, "reason"); // before the end is taken, which close then counts
        if (isFirstEnd()) {
            recorder.failed(name, intendedAt, reason);
        }
    }

    /**
     * The request failed just now, with the name of an exception as the reason.
     *
     * @param thrown the exception; a future's wrapper is removed
     */
    public void failed(Throwable thrown) {
        failed(ExceptionCounts.name(thrown));
    }

    private boolean isFirstEnd() {
        boolean isFirst = ended.compareAndSet(false, true);
        if (isFirst) {
            recorder.trackEnd(intendedAt);
        }
        return isFirst;
    }

    /** Ends the request as failed, unless it has already ended. */
    @Override
    public void close() {
        failed(NOT_ANSWERED);
    }
}
