package dev.downbeat.sqs;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** One kind of operation on one lane's client: what they have in common. Thread-safe but for {@link #start}. */
abstract class Operation implements CallClient {
    private final Connections connections;
    private final Failures failures = new Failures();
    private final LongAdder operations = new LongAdder();

    Operation(Connections connections) {
        this.connections = connections;
    }

    SqsCalls calls() {
        return connections.calls();
    }

    Failures failures() {
        return failures;
    }

    /**
     * Ends the call when the future ends, with what was seen of it. The instant is taken first.
     *
     * @param verdict what an answer means
     */
    <T> void endWith(Call call, Observation observation, CompletableFuture<T> future, Function<T, Outcome> verdict) {
        operations.increment();
        call.onAbandon(() -> giveUp(observation, future));
        CompletableFuture<T> unused = future.whenComplete((answer, thrown) -> {
            long at = call.now();
            observation.tell(call);
            call.completeAt(thrown == null ? verdict.apply(answer) : failures.of(thrown), at);
        });
    }

    static void giveUp(Observation observation, CompletableFuture<?> future) {
        future.cancel(true);
        observation.abort();
    }

    long operations() {
        return operations.sum();
    }

    void countOperation() {
        operations.increment();
    }

    @Override
    public ConnectionCounts connections() {
        return connections.log().counts();
    }

    @Override
    public final TargetCounts counts() {
        Map<String, Long> counts = new TreeMap<>();
        counts.put(TargetCounts.OPERATIONS, operations());
        counts.put(TargetCounts.ATTEMPTS, connections.log().attempts());
        count(counts);
        return new TargetCounts(counts);
    }

    /** Adds what this kind of operation counts. */
    void count(Map<String, Long> counts) {}

    @Override
    public void close() {
        connections.close();
    }
}
