package dev.downbeat.load;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.time.NanoClock;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
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

    private static void begin(AsyncCode code, ExceptionCounts reasons, Call call) {
        try {
            CompletionStage<?> stage = code.call(Beat.of(call.index(), call.client()));
            stage.whenComplete(
                    (done, thrown) -> call.complete(thrown == null ? Outcome.answered() : reasons.of(thrown)));
            call.onAbandon(() -> stage.toCompletableFuture().cancel(true));
        } catch (Exception thrown) {
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
}
