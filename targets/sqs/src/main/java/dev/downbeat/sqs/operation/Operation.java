package dev.downbeat.sqs.operation;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.sqs.account.QueueDepths;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.SqsFailures;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The common part of operations on one lane's client. Thread-safe, except for {@link #start}. */
public abstract class Operation implements CallClient {
    private final SdkConnection connections;
    private final SqsFailures failures;
    private final LongAdder operations = new LongAdder();
    private volatile @Nullable QueueDepths watch;

    Operation(SdkConnection connections) {
        this.connections = connections;
        this.failures = new SqsFailures(connections.retries());
    }

    SqsCalls calls() {
        return connections.calls();
    }

    Optional<SqsCalls.TopicCalls> topics() {
        return connections.topics();
    }

    SqsFailures failures() {
        return failures;
    }

    /**
     * Ends the call with its observation when the future completes; the verdict maps a response to an outcome. The
     * instant is taken first.
     */
    <T> void endWith(
            Call call, CallObservation observation, CompletableFuture<T> future, Function<T, Outcome> verdict) {
        endWith(call, observation, future, verdict, failed -> {});
    }

    /** The same; {@code whenFailed} is called on failure, before the run can see the end. */
    <T> void endWith(
            Call call,
            CallObservation observation,
            CompletableFuture<T> future,
            Function<T, Outcome> verdict,
            Consumer<Throwable> whenFailed) {
        operations.increment();
        end(call, observation, future, verdict, failures, thrown -> {
            whenFailed.accept(thrown);
            return ofFailure(call, thrown, observation);
        });
    }

    /** The outcome of a failure; empty if the call is ended later. */
    Optional<Outcome> ofFailure(Call call, Throwable thrown, CallObservation observation) {
        return Optional.of(failures.of(thrown, observation));
    }

    /**
     * The same for a call that is counted elsewhere.
     *
     * @param failed maps a failure to an outcome; empty if the call is ended later
     */
    public static <T> void end(
            Call call,
            CallObservation observation,
            CompletableFuture<T> future,
            Function<T, Outcome> verdict,
            SqsFailures failures,
            Function<Throwable, Optional<Outcome>> failed) {
        call.onAbandon(() -> giveUp(observation, future));
        CompletableFuture<T> unused = future.whenComplete((answer, thrown) -> {
            long at = call.now();
            observation.reportTo(call);
            Optional<Outcome> outcome;
            try {
                if (thrown == null) {
                    outcome = Optional.of(verdict.apply(answer));
                } else {
                    call.unconnected(failures.isUnsent(thrown, observation));
                    outcome = failed.apply(thrown);
                }
            } catch (RuntimeException odd) { // such as a compatible server's attribute that is no number
                String odds = odd.getClass().getSimpleName();
                outcome = Optional.of(thrown == null ? Outcome.failedResponse(odds) : Outcome.failed(odds));
            }
            outcome.ifPresent(how -> call.completeAt(how, at));
        });
    }

    static void giveUp(CallObservation observation, CompletableFuture<?> future) {
        future.cancel(true);
        observation.abort();
    }

    public long operations() {
        return operations.sum();
    }

    void countOperation() {
        operations.increment();
    }

    @Override
    public ConnectionCounts connections() {
        return connections.log().counts();
    }

    /** Adds a sampler of the queue, closed with this. */
    public void watchedBy(QueueDepths look) {
        watch = look;
    }

    /** The age of the oldest message in transit, in nanoseconds; negative if unknown. */
    public long oldestNanos() {
        return -1;
    }

    @Override
    public final TargetCounts counts() {
        Map<String, Long> counts = new TreeMap<>();
        counts.put(TargetCounts.OPERATIONS, operations());
        counts.put(TargetCounts.ATTEMPTS, connections.log().attempts());
        count(counts);
        QueueDepths look = watch;
        TargetCounts all = new TargetCounts(counts);
        return look == null ? all : all.with(look.courses());
    }

    void count(Map<String, Long> counts) {}

    @Override
    public void close() {
        QueueDepths look = watch;
        if (look != null) {
            look.close();
        }
        connections.close();
    }
}
