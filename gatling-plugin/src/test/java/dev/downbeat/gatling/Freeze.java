package dev.downbeat.gatling;

import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A run whose server, another process, is stopped by SIGSTOP for a while.
 *
 * @param run what the instruments say
 * @param still what the server's own process says
 */
record Freeze(GatlingRun run, Standstill still) {
    private static final long LONGEST_START_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LONGEST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long COUNT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    /**
     * When to freeze.
     *
     * @param after the first request
     * @param during so long, or until the run is over
     */
    record Plan(Duration after, Duration during) {}

    /** Accepts many connections at once. */
    static final class Server {
        public static void main(String[] args) throws Exception {
            LoopbackProcess.serve(LoopbackOptions.of(draft -> draft.acceptQueue = 4_096));
        }
    }

    static Freeze of(Class<?> simulation, Path results, Map<String, String> properties, Plan plan) throws IOException {
        try (LoopbackProcess server = LoopbackProcess.start(Server.class)) {
            CountDownLatch over = new CountDownLatch(1);
            CompletableFuture<Standstill> frozen = CompletableFuture.supplyAsync(() -> freeze(server, plan, over));
            Map<String, String> all = new HashMap<>(properties);
            all.put("test.url", server.uri());
            GatlingRun run;
            try {
                run = GatlingRun.of(simulation, results, all);
            } finally {
                over.countDown();
            }
            return new Freeze(run, frozen.join());
        }
    }

    private static Standstill freeze(LoopbackProcess server, Plan plan, CountDownLatch over) {
        try {
            awaitFirstRequest(server);
            Thread.sleep(plan.after().toMillis());
            long answeredBefore = server.stats().requestsAnswered();
            long stopAt = System.nanoTime();
            server.freeze();
            long frozenAt = System.nanoTime();
            boolean runIsOver = over.await(plan.during().toNanos(), TimeUnit.NANOSECONDS);
            long resumedAt = System.nanoTime();
            server.resume();
            List<Standstill.Count> counts = new ArrayList<>(List.of(count(server)));
            while (!runIsOver && System.nanoTime() - resumedAt < LONGEST_DRAIN_NANOS) {
                runIsOver = over.await(COUNT_NANOS, TimeUnit.NANOSECONDS);
                counts.add(count(server));
            }
            long obeyedNanos = counts.get(0).seenAt() - resumedAt;
            return new Standstill(frozenAt, resumedAt, frozenAt - stopAt + obeyedNanos, answeredBefore, counts);
        } catch (IOException | InterruptedException broken) {
            throw new CompletionException(broken);
        }
    }

    private static Standstill.Count count(LoopbackProcess server) throws IOException {
        long answered = server.stats().requestsAnswered();
        return new Standstill.Count(System.nanoTime(), answered);
    }

    private static void awaitFirstRequest(LoopbackProcess server) throws IOException {
        long waitingSince = System.nanoTime();
        while (server.stats().requestsReceived() == 0) {
            if (System.nanoTime() - waitingSince > LONGEST_START_NANOS) {
                throw new AssertionError("no request came");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
