package dev.downbeat.bench.pool;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.Outcome;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A blocking client, a thread for each call that is out, as servlet containers do it. */
final class BlockingCalls implements CallClient {
    private static final Outcome FAILED = Outcome.failed("failed");

    private final Blocking client;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(null, work, "caller", 256 * 1024);
        thread.setDaemon(true);
        return thread;
    });

    /** One call from its beginning to its end. */
    @FunctionalInterface
    interface Blocking {
        /** Returns for how many nanoseconds it waited for a connection. */
        long call() throws Exception;
    }

    BlockingCalls(Blocking client) {
        this.client = client;
    }

    @Override
    public void start(Call call) {
        threads.execute(() -> {
            Outcome outcome = Outcome.answered();
            try {
                call.waited(client.call());
            } catch (Exception broken) {
                outcome = FAILED;
            }
            call.complete(outcome);
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
