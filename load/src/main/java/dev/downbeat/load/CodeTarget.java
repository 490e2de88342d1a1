package dev.downbeat.load;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.selfcheck.DetachedWorkDetector;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.NanoClock;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Code in this JVM as a system under test. Thread-safe. */
record CodeTarget(String name, int inFlight, IntFunction<CallClient> client) implements Target {
    private static final Outcome NO_STAGE = Outcome.failed("the code returned no stage");

    static CodeTarget blocking(String name, int inFlight, BlockingCode code, ExceptionCounts reasons) {
        return new CodeTarget(name, inFlight, limit -> new Blocking(code, reasons, Workers.start(limit)));
    }

    static CodeTarget async(String name, int inFlight, AsyncCode code, ExceptionCounts reasons) {
        return new CodeTarget(name, inFlight, limit -> call -> begin(code, reasons, call));
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
        int capacity = (inFlight - share + shares - 1) / shares;
        return new CallLane(capacity, clock, listener, client.apply(capacity));
    }

    @SuppressWarnings("IllegalCatch") // a failed assertion is an Error and a valid result
    private static void begin(AsyncCode code, ExceptionCounts reasons, Call call) {
        try {
            CompletionStage<?> stage = code.call(Beat.of(call.index(), call.client()));
            if (stage == null) {
                call.complete(NO_STAGE);
                return;
            }
            stage.whenComplete((done, thrown) -> {
                if (thrown == null) {
                    call.complete(Outcome.answered());
                } else {
                    failed(call, reasons, thrown);
                }
            });
            // code that depends on the stage may block or throw, which would stop the generator
            call.onAbandon(() ->
                    CompletableFuture.runAsync(() -> stage.toCompletableFuture().cancel(true)));
        } catch (Throwable thrown) {
            failed(call, reasons, thrown);
        }
    }

    /** A call that Downbeat gave up fails by its own interrupt or cancellation, which says nothing about the code. */
    private static void failed(Call call, ExceptionCounts reasons, Throwable thrown) {
        if (!call.isOver()) {
            call.complete(reasons.of(thrown));
        }
    }

    /** The code does not see a request before a thread picks it up. Thread-safe. */
    private static final class Blocking implements CallClient {
        /** Watching takes microseconds of a call. */
        private static final long MAX_WATCHED = 1_000;

        private final BlockingCode code;
        private final ExceptionCounts reasons;
        private final ExecutorService workers;
        private final AtomicInteger running = new AtomicInteger();
        private final DetachedWorkDetector detector = new DetachedWorkDetector(() -> running.get() == 0);

        Blocking(BlockingCode code, ExceptionCounts reasons, ExecutorService workers) {
            this.code = code;
            this.reasons = reasons;
            this.workers = workers;
        }

        @Override
        public void start(Call call) {
            Future<?> work = workers.submit(() -> run(call));
            call.onAbandon(() -> work.cancel(true));
        }

        @SuppressWarnings("IllegalCatch") // a failed assertion is an Error and a valid result
        private void run(Call call) {
            call.workStarted();
            try {
                watched(Beat.of(call.index(), call.client()));
            } catch (Throwable thrown) {
                failed(call, reasons, thrown);
                return;
            }
            call.complete(Outcome.answered());
        }

        /** Code that only starts work would be measured until it returns: checks if no other call is running. */
        private void watched(Beat beat) throws Exception {
            boolean isWatched = running.getAndIncrement() == 0 && detector.watched() < MAX_WATCHED;
            if (isWatched) {
                detector.started();
            }
            try {
                code.call(beat);
            } finally {
                if (running.decrementAndGet() == 0 && isWatched) {
                    detector.returned();
                }
            }
        }

        @Override
        public TargetCounts counts() {
            if (!detector.isCertain() && !detector.isLikely()) {
                return TargetCounts.NONE;
            }
            String word = detector.isCertain() ? TargetCounts.LEFT_WORK : TargetCounts.MAY_HAVE_LEFT_WORK;
            return new TargetCounts(Map.of(word, detector.watched()));
        }

        @Override
        public void close() {
            detector.close();
            workers.shutdownNow();
        }
    }

    /**
     * Threads for blocking code: virtual ones if the JDK has them (21), otherwise a pool with a thread for each request
     * in flight. The others wait in the backlog, where the wait is measured. A request waits in the pool only while code
     * that ignores the interrupt of its timeout still occupies a thread.
     */
    static final class Workers {
        private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

        /** The default maximum in flight: a virtual thread costs a few hundred bytes, a platform thread a whole stack. */
        static final int MOST = VIRTUAL ? 10_000 : 256;

        private Workers() {}

        /** "virtual" or "platform". */
        static String kind() {
            return VIRTUAL ? "virtual" : "platform";
        }

        static ExecutorService start(int limit) {
            return VIRTUAL ? virtual() : platform(limit);
        }

        private static ExecutorService platform(int limit) {
            AtomicInteger number = new AtomicInteger();
            ThreadPoolExecutor pool = new ThreadPoolExecutor(
                    limit,
                    limit,
                    10,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    work -> Daemon.of("downbeat-worker-" + number.getAndIncrement(), work));
            pool.allowCoreThreadTimeOut(true);
            return pool;
        }

        /** By reflection, since the method is newer than the target JDK. */
        private static ExecutorService virtual() {
            try {
                return (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
            } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException impossible) {
                throw new IllegalStateException("JDK " + Runtime.version() + " has no virtual threads", impossible);
            }
        }
    }
}
