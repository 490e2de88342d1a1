package dev.downbeat.sqs.client;

import dev.downbeat.exchange.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;

/**
 * The network observations of one operation: sums over its attempts, and the last attempt's response.
 *
 * <p>Attempts are sequential, and each writing thread happens-before the next; {@link #abort} may be called by any
 * thread.
 */
public final class CallObservation {
    /** An SDK attribute of the request, where the HTTP client's wrapper can find it. */
    static final ExecutionAttribute<CallObservation> KEY = new ExecutionAttribute<>("downbeat.observation");

    private static final int LEAST_REFUSAL = 400;
    private static final int LEAST_SERVER_ERROR = 500;

    private final LongConsumer whenStarted;
    private int attempts;
    private int refusals;
    private final List<Throwable> failures = new ArrayList<>(1);
    private long waitNanos;
    private long lookupNanos;
    private long connectNanos;
    private long handshakeNanos;
    private long firstByteAt;
    private boolean answered;
    private int position;
    private volatile @Nullable Runnable abort;
    private volatile boolean aborted;

    public CallObservation() {
        this(unused -> {});
    }

    /**
     * Creates an observation.
     *
     * @param whenStarted called, on any thread, when a connection is free or being opened for the attempt; not
     *     supported by every transport
     */
    public CallObservation(LongConsumer whenStarted) {
        this.whenStarted = whenStarted;
    }

    void started(long at) {
        whenStarted.accept(at);
    }

    void attempted() {
        attempts++;
    }

    /** The last attempt received this status. */
    void answered(int status) {
        if (status >= LEAST_REFUSAL && status < LEAST_SERVER_ERROR) {
            refusals++;
        }
    }

    /** Whether the service refused every attempt, and so had no effect. */
    public boolean isRefusedEachTime() {
        return attempts > 0 && refusals == attempts;
    }

    /** The attempt ended without a response. */
    void failed(Throwable thrown) {
        failures.add(thrown);
    }

    public int attempts() {
        return attempts;
    }

    /** Whether every attempt ended without a response, for such a reason. */
    public boolean failedEachTime(Predicate<Throwable> reason) {
        return failures.size() >= attempts && failures.stream().allMatch(reason);
    }

    void waited(long nanos) {
        waitNanos += Math.max(0, nanos);
    }

    void lookup(long nanos) {
        lookupNanos += Math.max(0, nanos);
    }

    void connected(long nanos) {
        connectNanos += Math.max(0, nanos);
    }

    void handshake(long nanos) {
        handshakeNanos += Math.max(0, nanos);
    }

    void firstByte(long at) {
        firstByteAt = at;
        answered = true;
    }

    void position(long onConnection) {
        position = (int) Math.min(Integer.MAX_VALUE, onConnection);
    }

    public long waitNanos() {
        return waitNanos;
    }

    void abortBy(Runnable action) {
        abort = action;
        if (aborted) {
            action.run();
        }
    }

    /** Aborts the current attempt, so that its connection is not occupied needlessly. */
    public void abort() {
        aborted = true;
        Runnable action = abort;
        if (action != null) {
            action.run();
        }
    }

    public void reportTo(Call call) {
        call.waited(waitNanos);
        call.lookup(lookupNanos);
        call.connected(connectNanos);
        call.handshake(handshakeNanos);
        if (answered) {
            call.firstByteAt(firstByteAt);
        }
        call.position(position);
    }
}
