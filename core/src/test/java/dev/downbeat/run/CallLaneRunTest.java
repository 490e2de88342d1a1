package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real threads that end calls twice, late, never, or from within the start: every request has one fate all the same. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class CallLaneRunTest {
    private static final Outcome BROKEN = Outcome.failed("broken");

    private static final class Careless implements Target {
        final ScheduledExecutorService threads = new ScheduledThreadPoolExecutor(4);
        final AtomicLong answered = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        final AtomicLong refused = new AtomicLong();

        @Override
        public String describe() {
            return "a careless client";
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            return new CallLane(40, clock, listener, this::start);
        }

        private void start(Call call) {
            int draw = ThreadLocalRandom.current().nextInt(100);
            if (draw < 10) {
                end(call, Outcome.answered());
            } else if (draw < 12) {
                refused.incrementAndGet(); // the lane ends it, unless its deadline has passed by then
                throw new IllegalStateException("refused");
            } else if (draw < 99) {
                long micros = draw < 20 ? 40_000 : ThreadLocalRandom.current().nextInt(3_000);
                Outcome how = draw % 2 == 0 ? Outcome.answered() : BROKEN;
                later(() -> end(call, how), micros);
                later(() -> end(call, Outcome.answered()), micros);
            } // else nobody ever ends it
        }

        private void later(Runnable action, long micros) {
            ScheduledFuture<?> unused = threads.schedule(action, micros, TimeUnit.MICROSECONDS);
        }

        private void end(Call call, Outcome how) {
            if (call.complete(how)) {
                (how.equals(BROKEN) ? failed : answered).incrementAndGet();
            }
        }
    }

    @ParameterizedTest(name = "{0} generators")
    @ValueSource(ints = {1, 3})
    void the_ledger_is_exact_with_real_threads(int generators) throws IOException {
        Careless target = new Careless();
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(6_000), 1)))
                .duration(Duration.ofSeconds(2))
                .timeout(Duration.ofMillis(30))
                .timeoutFrom(RunPlan.TimeoutFrom.SENT)
                .generators(generators)
                .build();
        RunResult result;
        try {
            result = new LoadRun(plan, target).run(Progress.none());
        } finally {
            target.threads.shutdownNow();
        }
        assertThat(result.failure()).isEmpty();
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().planned()).isBetween(11_000L, 13_000L);
        assertThat(result.ledger().timedOut()).isPositive();
        // what the client was told of each end is what the ledger says, also of one that came in the moment of its
        // deadline
        assertThat(result.ledger().answered()).isEqualTo(target.answered.get());
        assertThat(result.ledger().failed() - target.failed.get()).isBetween(0L, target.refused.get());
        assertThat(result.recording().lateness().count())
                .isEqualTo(result.ledger().planned());
    }

    /** Two threads that answer at once; each stands by when it is free. */
    private static final class Attentive implements Target {
        private static final Call END = Call.alone(NanoClock.system(), new Exchange(0), call -> {});

        final LinkedBlockingQueue<Call> queue = new LinkedBlockingQueue<>();
        final List<Thread> threads = List.of(new Thread(this::work), new Thread(this::work));
        final AtomicLong answered = new AtomicLong();
        final AtomicLong startedByThem = new AtomicLong();
        private volatile @Nullable Call last;

        @Override
        public String describe() {
            return "an attentive client";
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            threads.forEach(Thread::start);
            return new CallLane(40, clock, listener, this::start);
        }

        private void start(Call call) {
            startedByThem.addAndGet(threads.contains(Thread.currentThread()) ? 1 : 0);
            queue.add(call);
        }

        private void work() {
            try {
                for (Call call = await(); call != END; call = await()) {
                    answered.addAndGet(call.completeBeforeTurn(Outcome.answered()) ? 1 : 0);
                    last = call;
                    call.turn();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private Call await() throws InterruptedException {
            while (true) {
                Call lane = last;
                Call call = queue.poll(lane == null ? Long.MAX_VALUE : lane.standBy(), TimeUnit.NANOSECONDS);
                if (call != null) {
                    if (lane != null) {
                        lane.standDown(false);
                    }
                    return call;
                }
            }
        }
    }

    @Test
    void a_thread_that_stands_by_sends_what_becomes_due() throws Exception {
        Attentive target = new Attentive();
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(500))))
                .duration(Duration.ofSeconds(1))
                .build();
        RunResult result = new LoadRun(plan, target).run(Progress.none());
        target.threads.forEach(thread -> target.queue.add(Attentive.END));
        for (Thread thread : target.threads) {
            thread.join();
        }
        assertThat(result.failure()).isEmpty();
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().answered())
                .isEqualTo(target.answered.get())
                .isEqualTo(result.ledger().planned());
        // no end coincides with the next start, so only who stands by can send it; a busy machine may leave some to the
        // generator
        assertThat(target.startedByThem.get()).as("of %s", target.answered).isGreaterThan(50);
    }
}
