package dev.downbeat.load;

import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.time.NanoClock;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the requests of a live service on arrival. Its own pauses are part of the response times.
 *
 * <pre>{@code
 * ServiceRecorder orders = ServiceRecorder.of("orders");
 * ...
 * try (Request request = orders.request()) {               // at the edge, before any queue of the service's own
 *     handle(order);
 *     request.answered();
 * }
 * ...
 * System.out.println(orders.take("p99<50ms").sentence());  // e.g. each minute
 * }</pre>
 *
 * <p>A paused process cannot stamp requests, so those that arrive during a pause seem to have arrived after it. Pauses
 * of 10 ms or longer are detected. Requests in a burst after one are spread evenly over it, at the previous rate. That
 * is an estimate: the kernel's buffers, refused callers and events outside this process are invisible.
 */
public final class ServiceRecorder extends LiveRecorder {
    /**
     * Work that may throw checked exceptions.
     *
     * @param <T> the type of the result
     * @param <E> the type of the exception
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, E extends Throwable> {
        /** Performs the work. */
        T call() throws E;
    }

    ServiceRecorder(String name, NanoClock clock, Function<LongConsumer, HealthMonitor> monitors) {
        super(name, Workload.External.ofCallers(), clock, monitors);
    }

    /**
     * Starts a recorder.
     *
     * @param name for the report's first line
     */
    public static ServiceRecorder of(String name) {
        return new ServiceRecorder(name, NanoClock.system(), HealthMonitor::start);
    }

    /**
     * A request arrives now.
     *
     * @return the request, which must be ended or closed
     */
    public Request request() {
        return arrivedRequest(now());
    }

    /**
     * A request arrived a moment ago, such as one that a connector stamped.
     *
     * @param noticedAtNanos when this process noticed it, by {@link System#nanoTime}
     * @return the request, which must be ended or closed
     * @throws IllegalArgumentException if that is more than an hour from now, or earlier than this JVM: a reading of another
     *     clock
     */
    public Request requestSince(long noticedAtNanos) {
        return arrivedRequest(checkReading("noticedAtNanos", noticedAtNanos));
    }

    private Request arrivedRequest(long noticedAt) {
        return new Request(this, recordArrival(noticedAt), noticedAt);
    }

    /**
     * Performs the work of a request that arrives now and counts it as answered, or as failed with the name of the
     * exception. What the work only starts is not measured, and a {@link CompletionStage} that it returns is lost: use
     * {@link #call} for that.
     *
     * @param work done once, on this thread
     */
    public void measure(Runnable work) {
        Objects.requireNonNull(work, "work");
        run(work, request());
    }

    /**
     * {@link #measure(Runnable)} with a name for the request.
     *
     * @param request the name, as in {@link Request#named}
     */
    public void measure(String request, Runnable work) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(work, "work");
        run(work, request().named(request));
    }

    @SuppressWarnings("IllegalCatch") // languages without checked exceptions throw any of them
    private static void run(Runnable work, Request request) {
        try {
            work.run();
            request.answered();
        } catch (Throwable thrown) {
            request.failed(thrown);
            throw thrown;
        }
    }

    /**
     * Performs the work of a request that arrives now and counts it as answered, or as failed with the name of the
     * exception. If the work returns a {@link CompletionStage}, the request ends when that completes.
     *
     * @param work done once, on this thread
     * @return the result of {@code work}
     */
    public <T extends @Nullable Object> T call(Supplier<T> work) {
        return callChecked(work::get);
    }

    /**
     * {@link #call(Supplier)} with a name for the request.
     *
     * @param request the name, as in {@link Request#named}
     */
    public <T extends @Nullable Object> T call(String request, Supplier<T> work) {
        return callChecked(request, work::get);
    }

    /**
     * {@link #call(Supplier)} of work that throws checked exceptions.
     *
     * @throws E what {@code work} throws
     */
    public <T extends @Nullable Object, E extends Throwable> T callChecked(Work<T, E> work) throws E {
        Objects.requireNonNull(work, "work");
        return result(work, request());
    }

    /**
     * {@link #callChecked(Work)} with a name for the request.
     *
     * @param request the name, as in {@link Request#named}
     * @throws E what {@code work} throws
     */
    public <T extends @Nullable Object, E extends Throwable> T callChecked(String request, Work<T, E> work) throws E {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(work, "work");
        return result(work, request().named(request));
    }

    @SuppressWarnings("IllegalCatch") // any exception ends the request and is rethrown
    private static <T extends @Nullable Object, E extends Throwable> T result(Work<T, E> work, Request request)
            throws E {
        try {
            T result = work.call();
            if (result instanceof CompletionStage<?> later) {
                later.whenComplete((value, thrown) -> ended(request, thrown));
            } else {
                request.answered();
            }
            return result;
        } catch (Throwable thrown) {
            request.failed(thrown);
            throw thrown;
        }
    }

    private static void ended(Request request, @Nullable Throwable thrown) {
        if (thrown == null) {
            request.answered();
        } else {
            request.failed(thrown);
        }
    }

    /**
     * A request arrives now and is processed later, such as by an executor: its wait in the queue counts.
     *
     * <pre>{@code
     * executor.execute(orders.wrap(() -> handle(order)));
     * }</pre>
     *
     * @param work performed once, on the thread that runs the result; if none does, the request stays in flight
     * @return a task to run once
     */
    public Runnable wrap(Runnable work) {
        Objects.requireNonNull(work, "work");
        return task(request -> {}, work);
    }

    /**
     * {@link #wrap(Runnable)} with a name for the request.
     *
     * @param request the name, as in {@link Request#named}
     */
    public Runnable wrap(String request, Runnable work) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(work, "work");
        return task(named -> named.named(request), work);
    }

    /** Only its first run is the request. */
    private Runnable task(Consumer<Request> naming, Runnable work) {
        long arrivedAt = arrived();
        AtomicBoolean ran = new AtomicBoolean();
        return () -> {
            if (ran.compareAndSet(false, true)) {
                Request request = new Request(this, arrivedAt, now());
                naming.accept(request);
                run(work, request);
            } else {
                work.run();
            }
        };
    }

    /** A request arrives now. Returns its arrival time, which is earlier if the process was paused meanwhile. */
    public long arrived() {
        return recordArrival(now());
    }

    /**
     * A request arrives.
     *
     * @param noticedAtNanos when this process noticed it, by {@link System#nanoTime}: just now
     * @return the arrival time: {@code noticedAtNanos}, or earlier if the process was paused before
     * @throws IllegalArgumentException if that is more than an hour from now, or earlier than this JVM: a reading of another
     *     clock
     */
    public long arrived(long noticedAtNanos) {
        return recordArrival(checkReading("noticedAtNanos", noticedAtNanos));
    }

    /**
     * A request is answered now; its service time also starts at the arrival. Call one end per arrival: a second one hides
     * another open request, which a {@link Request} prevents.
     *
     * @param arrivedAtNanos what {@link #arrived()} returned
     * @throws IllegalArgumentException if that is in the future, or earlier than this JVM: a reading of another clock
     */
    public void answered(long arrivedAtNanos) {
        long now = now();
        checkEnded("arrivedAtNanos", arrivedAtNanos, now, now);
        trackEnd(arrivedAtNanos);
        answered(null, arrivedAtNanos, arrivedAtNanos, now);
    }

    /**
     * A request is answered. Call one end per arrival, as for {@link #answered(long)}.
     *
     * @param arrivedAtNanos what {@link #arrived()} returned
     * @param startedAtNanos when work on it began, by {@link System#nanoTime}: the start of a conventional stopwatch
     * @param completedAtNanos when it ended, by {@link System#nanoTime}
     * @throws IllegalArgumentException if it ended before it arrived or started, or if an instant is a reading of another
     *     clock: earlier than this JVM or more than an hour ahead
     */
    public void answered(long arrivedAtNanos, long startedAtNanos, long completedAtNanos) {
        long now = now();
        checkEnded("arrivedAtNanos", arrivedAtNanos, completedAtNanos, now);
        checkEnded("startedAtNanos", startedAtNanos, completedAtNanos, now);
        trackEnd(arrivedAtNanos);
        answered(null, arrivedAtNanos, startedAtNanos, completedAtNanos);
    }

    /**
     * A request failed now. Call one end per arrival, as for {@link #answered(long)}.
     *
     * @param arrivedAtNanos what {@link #arrived()} returned
     * @param reason one of a few short texts: after the first 200 since {@link #take}, further ones are counted together
     * @throws IllegalArgumentException if the arrival is in the future, or earlier than this JVM: a reading of another clock
     */
    public void failed(long arrivedAtNanos, String reason) {
        Objects.requireNonNull(reason, "reason");
        long now = now();
        checkEnded("arrivedAtNanos", arrivedAtNanos, now, now);
        trackEnd(arrivedAtNanos);
        failed(null, arrivedAtNanos, reason);
    }
}
