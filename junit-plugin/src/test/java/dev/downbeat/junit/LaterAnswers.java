package dev.downbeat.junit;

import dev.downbeat.load.Beat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.reactivestreams.Subscription;

/** Load tests whose calls end after their method. Not named like tests, as {@link Samples}. */
class LaterAnswers {
    static final AtomicInteger UNEQUAL = new AtomicInteger();
    static final AtomicInteger CANCELLED = new AtomicInteger();

    @LoadTest(rate = "6k/m", duration = "200ms", warmUp = "0ms", budget = "200ms")
    @Slo("p50<5s")
    void stages(Beat one, Answer answer, Beat other) {
        UNEQUAL.addAndGet(one.index() == other.index() ? 0 : 1);
        answer.of(CompletableFuture.completedFuture("ok"));
    }

    @LoadTest(
            stages = {"100ms:100/s", "100ms:100..200/s"},
            warmUp = "0ms",
            budget = "200ms")
    void publishers(Beat beat, Answer answer) {
        SubmissionPublisher<String> publisher = new SubmissionPublisher<>();
        answer.ofFlow(publisher);
        publisher.submit("order " + beat);
        publisher.close();
    }

    @LoadTest(rate = "100..200/s", duration = "200ms", warmUp = "0ms", budget = "200ms")
    void reactive_publishers(Answer answer) {
        answer.ofPublisher(subscriber -> {
            subscriber.onSubscribe(new NoSubscription());
            subscriber.onComplete();
        });
    }

    @LoadTest(rate = "50/s", duration = "100ms", timeout = "100ms", warmUp = "0ms", budget = "100ms")
    void never(Answer answer) {
        answer.ofPublisher(subscriber -> subscriber.onSubscribe(new NoSubscription()));
    }

    /** Its calls only start what they should have waited for. */
    static class StartsWork {
        @LoadTest(rate = "100/s", duration = "400ms", warmUp = "0ms", budget = "400ms")
        void starts() {
            CompletableFuture.runAsync(() -> LockSupport.parkNanos(50_000_000));
        }
    }

    /** A call that waits on the thread that sends makes the next ones late: all times are ours. */
    static class AsksForNoTimes {
        @LoadTest(perSecond = 1_000, duration = "10ms", warmUp = "0ms", budget = "10ms")
        void makes_us_late(Answer answer) throws InterruptedException {
            Thread.sleep(20);
            answer.of(CompletableFuture.completedFuture(""));
        }

        @LoadTest(perSecond = 1_000, duration = "10ms", warmUp = "0ms", budget = "10ms")
        @Slo("p50<120ms")
        void makes_us_late_and_asks(Answer answer) throws InterruptedException {
            makes_us_late(answer);
        }
    }

    private static final class NoSubscription implements Subscription {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {
            CANCELLED.incrementAndGet();
        }
    }
}
