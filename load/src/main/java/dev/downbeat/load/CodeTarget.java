package dev.downbeat.load;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.lang.reflect.InvocationTargetException;
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
            stage.whenComplete(
                    (done, thrown) -> call.complete(thrown == null ? Outcome.answered() : reasons.of(thrown)));
            // code that depends on the stage may block or throw, which would stop the generator
            call.onAbandon(() ->
                    CompletableFuture.runAsync(() -> stage.toCompletableFuture().cancel(true)));
        } catch (Throwable thrown) {
            call.complete(reasons.of(thrown));
        }
    }

    /** The code does not see a request before a thread picks it up. */
    private record Blocking(BlockingCode code, ExceptionCounts reasons, ExecutorService workers) implements CallClient {
        @Override
        public void start(Call call) {
            Future<?> work = workers.submit(() -> run(call));
            call.onAbandon(() -> work.cancel(true));
        }

        @SuppressWarnings("IllegalCatch") // a failed assertion is an Error and a valid result
        private void run(Call call) {
            call.workStarted();
            try {
                code.call(Beat.of(call.index(), call.client()));
                call.complete(Outcome.answered());
            } catch (Throwable thrown) {
                call.complete(reasons.of(thrown));
            }
        }

        @Override
        public void close() {
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

        /** A virtual thread costs a few hundred bytes; a platform thread costs a stack and an entry in the scheduler. */
        private static final int MOST = VIRTUAL ? 10_000 : 256;

        private Workers() {}

        /** The default maximum number of requests in flight. */
        static int most() {
            return MOST;
        }

        /** "virtual" or "platform". */
        static String kind() {
            return VIRTUAL ? "virtual" : "platform";
        }

        static ExecutorService start(int limit) {
            return VIRTUAL ? virtual() : platform(limit);
        }

        private static ExecutorService platform(int limit) {
            AtomicInteger number = new AtomicInteger();
            ThreadPoolExecutor pool =
                    new ThreadPoolExecutor(limit, limit, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                        Thread thread = new Thread(task, "downbeat-worker-" + number.getAndIncrement());
                        thread.setDaemon(true);
                        return thread;
                    });
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
