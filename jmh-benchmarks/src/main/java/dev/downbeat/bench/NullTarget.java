package dev.downbeat.bench;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ParkThenSpin;
import dev.downbeat.time.Waiter;
import java.util.concurrent.atomic.AtomicLong;

/** A target that costs nothing: every request is answered as soon as it is looked at. */
final class NullTarget implements Target {
    private static final int TOLD_EVERY = 256;

    private final Answers answers;
    private final int capacity;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong threadId = new AtomicLong();

    /** When the lane tells that a request is answered. */
    enum Answers {
        /** From within the send, like a target that is a method call. */
        IN_SEND,
        /** From the next poll, like a target behind a network. */
        IN_POLL
    }

    NullTarget(Answers answers, int capacity) {
        this.answers = answers;
        this.capacity = capacity;
    }

    /** How many requests were answered, to the last {@value #TOLD_EVERY}. Thread-safe. */
    long answered() {
        return answered.getAcquire();
    }

    /** The generator's thread, once {@link #answered} is above 0; 0 before. Thread-safe. */
    long threadId() {
        return threadId.getAcquire();
    }

    @Override
    public String describe() {
        return "nothing";
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
        return new NullLane(clock, listener);
    }

    private final class NullLane implements Lane {
        private final NanoClock clock;
        private final Waiter waiter;
        private final Exchange.Listener listener;
        private Exchange[] inFlight = new Exchange[capacity];
        private Exchange[] beingAnswered = new Exchange[capacity];
        private int count;
        private long told;

        NullLane(NanoClock clock, Exchange.Listener listener) {
            this.clock = clock;
            this.waiter = new ParkThenSpin(clock, 0);
            this.listener = listener;
        }

        @Override
        public int capacity() {
            return capacity;
        }

        @Override
        public void send(Exchange exchange) {
            if (answers == Answers.IN_SEND) {
                answer(exchange);
            } else {
                inFlight[count++] = exchange;
            }
        }

        private void answer(Exchange exchange) {
            exchange.completedAt = clock.nanoTime();
            exchange.position = 1;
            if (++told % TOLD_EVERY == 0) {
                threadId.setRelease(Thread.currentThread().getId());
                answered.setRelease(told);
            }
            listener.completed(exchange);
        }

        @Override
        public void abandon(Exchange exchange) {
            throw new IllegalStateException("nothing waits here long enough to time out");
        }

        @Override
        public void poll(long untilAt) {
            if (count == 0) {
                waiter.awaitUntil(untilAt);
                return;
            }
            Exchange[] batch = inFlight; // while these are answered, others are sent
            inFlight = beingAnswered;
            beingAnswered = batch;
            int size = count;
            count = 0;
            for (int i = 0; i < size; i++) {
                answer(batch[i]);
            }
        }

        @Override
        public ConnectionCounts connections() {
            return ConnectionCounts.NONE;
        }

        @Override
        public void close() {}
    }
}
