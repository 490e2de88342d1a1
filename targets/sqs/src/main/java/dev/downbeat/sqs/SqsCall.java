package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkPojo;

/** One operation of {@link SqsQueue} on its way. Thread-safe, as far as it is public. */
public final class SqsCall {
    private final Call call;
    private volatile @Nullable SqsAnswer answer;

    SqsCall(NanoClock clock, long index, long intendedAt, SqsQueue.Listener listener) {
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
