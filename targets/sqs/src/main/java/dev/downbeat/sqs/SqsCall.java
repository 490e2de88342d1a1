package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkPojo;

/** One operation of {@code SqsQueue} on its way. Thread-safe, as far as it is public. */
public final class SqsCall {
    /** Told once about the end of each call, on a thread of the client: do not block it. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The call is over.
         *
         * @param exchange when what happened, and how it ended; the listener's
         * @param answer what the service said; null if it said nothing, or refused
         */
        void ended(Exchange exchange, @Nullable SqsAnswer answer);

        /**
         * A connection was free for the call, or is opened for it. Not told of a call that waits until it is refused, and
         * only by Downbeat's own connections: the SDK's clients do not say before the end.
         *
         * @param startedAt when that was
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

    /** Gives it up: its listener is not told any more, unless it is being told now. Harmless if it is over. */
    public void abort() {
        call.abandon();
    }

    Call call() {
        return call;
    }

    /** What is to be told when the call has ended; before it ends. */
    void answer(SdkPojo received) {
        answer = SqsAnswer.of(received);
    }
}
