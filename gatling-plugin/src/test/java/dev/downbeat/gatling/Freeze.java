package dev.downbeat.gatling;

import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A run whose server, another process, is stopped by SIGSTOP for a while.
 *
 * @param run what the instruments say
 * @param frozenAt when the server stood still, by {@link System#nanoTime}
 * @param resumedAt when it went on
 */
record Freeze(GatlingRun run, long frozenAt, long resumedAt) {
    private static final long LONGEST_START_NANOS = TimeUnit.SECONDS.toNanos(30);

    /**
     * When to freeze.
     *
     * @param after the first request
     * @param during so long
     */
    record Plan(Duration after, Duration during) {}

    static Freeze of(Class<?> simulation, Path results, Map<String, String> properties, Plan plan) throws IOException {
        LoopbackOptions manyAtOnce =
                LoopbackOptions.builder().acceptQueue(4_096).build();
        try (LoopbackProcess server = LoopbackProcess.start(manyAtOnce)) {
            CompletableFuture<long[]> frozen = CompletableFuture.supplyAsync(() -> freeze(server, plan));
            Map<String, String> all = new HashMap<>(properties);
            all.put("test.url", server.uri());
            GatlingRun run = GatlingRun.of(simulation, results, all);
            long[] instants = frozen.join();
            return new Freeze(run, instants[0], instants[1]);
        }
    }

    private static long[] freeze(LoopbackProcess server, Plan plan) {
        try {
            long waitingSince = System.nanoTime();
            while (server.stats().requestsReceived() == 0) {
                if (System.nanoTime() - waitingSince > LONGEST_START_NANOS) {
                    throw new AssertionError("no request came");
                }
                LockSupport.parkNanos(1_000_000);
            }
            Thread.sleep(plan.after().toMillis());
            server.freeze();
            long frozenAt = System.nanoTime();
            Thread.sleep(plan.during().toMillis());
            long resumedAt = System.nanoTime();
            server.resume();
            return new long[] {frozenAt, resumedAt};
        } catch (IOException | InterruptedException broken) {
            throw new CompletionException(broken);
        }
    }

    /**
     * The closed form: what a caller whose request was due at an instant has waited at least.
     *
     * @param dueAt by {@link System#nanoTime}
     */
    long leastResponseNanos(long dueAt) {
        return dueAt - frozenAt < 0 || dueAt - resumedAt >= 0 ? 0 : resumedAt - dueAt;
    }
}
