package dev.downbeat.sqs.client;

import dev.downbeat.exchange.Call;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;

/**
 * What was seen of one operation on the wire: the sums over its attempts, and the last attempt's answer.
 *
 * <p>Attempts follow each other, and each thread that writes here has handed over to the next; {@link #abort} may be
 * called by any thread.
 */
public final class CallObservation {
    /** With the request's SDK attributes, from where the HTTP client's wrapper can find it. */
    static final ExecutionAttribute<CallObservation> KEY = new ExecutionAttribute<>("downbeat.observation");

    private static final int LEAST_REFUSAL = 400;
    private static final int LEAST_SERVER_ERROR = 500;

    private final LongConsumer whenStarted;
    private int attempts;
    private int refusals;
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
     * An observation.
     *
     * @param whenStarted hears, on any thread, when a connection is free or is opened for the attempt; not of every
     *     transport
     */
    public CallObservation(LongConsumer whenStarted) {
        this.whenStarted = whenStarted;
    }

    void started(long at) {
        whenStarted.accept(at);
    }

    /** One more attempt is given to the client. */
    void attempted() {
        attempts++;
    }

    /** The last attempt was answered with this status. */
    void answered(int status) {
        if (status >= LEAST_REFUSAL && status < LEAST_SERVER_ERROR) {
            refusals++;
        }
    }

    /** Whether the service refused every attempt, so that it has done nothing. */
    public boolean isRefusedEachTime() {
        return attempts > 0 && refusals == attempts;
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

    /** How to end the attempt that is out. */
    void abortBy(Runnable action) {
        abort = action;
        if (aborted) {
            action.run();
        }
    }

    /** Ends the attempt that is out, so that its connection is not in use for nobody. */
    public void abort() {
        aborted = true;
        Runnable action = abort;
        if (action != null) {
            action.run();
        }
    }

    public void tell(Call call) {
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
