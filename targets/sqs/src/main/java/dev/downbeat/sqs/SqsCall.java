package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkPojo;

/** An operation of {@code SqsQueue} in progress. Its public methods are thread-safe. */
public final class SqsCall {
    /** Notified once of the end of a call, on a client thread; must not block it. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The call has ended.
         *
         * @param exchange its timing and outcome; may be retained
         * @param answer the response; null if there was none, or the service refused
         */
        void ended(Exchange exchange, @Nullable SqsAnswer answer);

        /**
         * A connection is free for the call or is being opened for it. Not called for a call that is refused while
         * waiting. Only Downbeat's own connections report this; the SDK's clients do not.
         *
         * @param startedAt when that happened
         */
        default void started(long startedAt) {}
    }

    private final Call call;
    private volatile @Nullable SqsAnswer answer;

    SqsCall(NanoClock clock, long index, long intendedAt, Listener listener) {
        Exchange exchange = new Exchange(0);
        long now = clock.nanoTime();
        exchange.begin(intendedAt, now, now);
        exchange.index = index;
        call = Call.alone(clock, exchange, ended -> {
            ended.fill(exchange);
            listener.ended(exchange, answer);
        });
    }

    /**
     * Abandons the call: its listener is not notified any more, unless a notification is in progress. No effect once
     * the call is over.
     */
    public void abort() {
        call.abandon();
    }

    Call call() {
        return call;
    }

    /** Sets the response to report at the end; call before it ends. */
    void answer(SdkPojo received) {
        answer = SqsAnswer.of(received);
    }
}
