package dev.downbeat.exec;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.json.JsonText;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The workers of one lane. Each has a thread that writes requests and reads answers. */
final class WorkerPool implements CallClient {
    private static final int PINGS = 50;
    private static final long CLOSE_MILLIS = 3_000;
    private static final long LAST_PING_MILLIS = 1_000;

    /** The pause before a worker that failed to start is tried again; requests wait meanwhile. */
    private static final long RETRY_MILLIS = 200;

    /** The most failure kinds, since each is a row of a report; further kinds share the last one. */
    private static final int MOST_REASONS = 40;

    private static final Outcome OTHER = Outcome.failed("other failures of workers");

    private final String command;
    private final ExecOptions options;
    private final LongFunction<Map<String, String>> variables;
    private final PartTimes parts;
    private final AtomicReference<@Nullable String> firstWrong;
    private final BlockingQueue<Work> queue = new LinkedBlockingQueue<>();
    private final List<Worker> workers = new ArrayList<>();
    private final AtomicInteger free = new AtomicInteger();
    private final Map<String, Outcome> reasons = new ConcurrentHashMap<>();
    private final LongAdder opened = new LongAdder();
    private final LongAdder inUse = new LongAdder();
    private final LongAdder restarted = new LongAdder();
    private final LongAdder hung = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final LongAdder unasked = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(this::daemon);

    WorkerPool(
            String command,
            ExecOptions options,
            LongFunction<Map<String, String>> variables,
            PartTimes parts,
            AtomicReference<@Nullable String> firstWrong,
            int workers) {
        this.command = command;
        this.options = options;
        this.variables = variables;
        this.parts = parts;
        this.firstWrong = firstWrong;
        for (int i = 0; i < workers; i++) {
            this.workers.add(new Worker());
        }
    }

    private Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "downbeat-exec");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts all workers and waits until each answers.
     *
     * @throws IOException if one does not; all are then stopped
     */
    void open() throws IOException {
        workers.forEach(worker -> worker.thread.start());
        for (Worker worker : workers) {
            Optional<String> refusal = worker.refusal.join();
            if (refusal.isPresent()) {
                close();
                throw new IOException(
                        "exec: '" + WorkerProcess.shown(Redaction.command(command)) + "' " + refusal.get());
            }
        }
        free.set(workers.size());
    }

    @Override
    public void start(Call call) {
        Work work = new Work(call, free.getAndDecrement() <= 0);
        call.onAbandon(() -> giveUp(work));
        queue.add(work);
    }

    /**
     * Replaces the worker of an abandoned request that takes too long. The worker gets as much time again as the
     * request had. A late answer is better than a new process with a new connection, which would change the
     * measurement.
     */
    private void giveUp(Work work) {
        try {
            long graceNanos = Math.min(options.grace().toNanos(), work.hadNanos());
            timer.schedule(work::killIfStuck, graceNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // all workers are stopped anyway
        }
    }

    @Override
    public ConnectionCounts connections() {
        return opened.sum() == 0
                ? ConnectionCounts.NONE
                : new ConnectionCounts(opened.sum(), 0, 0, 0, 0, 0, workers.size(), Math.max(0, inUse.sum()));
    }

    /** Called at the end of a run: a surplus line makes all earlier answers of the worker doubtful. */
    @Override
    public TargetCounts counts() {
        lastPings();
        Map<String, Long> counts = new TreeMap<>();
        counts.put("workers", (long) workers.size());
        add(counts, "workers replaced", restarted);
        add(counts, "workers that hung", hung);
        add(counts, "lines that are no answers", wrong);
        add(counts, TargetCounts.UNASKED_LINES, unasked);
        add(counts, "answered after their timeout", late);
        return new TargetCounts(counts);
    }

    private void lastPings() {
        List<Worker> idle = workers.stream().filter(worker -> worker.isIdle).toList();
        try {
            Future<?> limit = timer.schedule(() -> idle.forEach(Worker::kill), LAST_PING_MILLIS, TimeUnit.MILLISECONDS);
            idle.forEach(Worker::lastPing);
            limit.cancel(false);
        } catch (RejectedExecutionException closed) {
            // the worker is gone
        }
    }

    private static void add(Map<String, Long> counts, String name, LongAdder of) {
        if (of.sum() > 0) {
            counts.put(name, of.sum());
        }
    }

    @Override
    public void close() {
        workers.forEach(worker -> queue.add(new Work(null, false)));
        timer.shutdownNow();
        try {
            long endAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
            for (Worker worker : workers) {
                worker.thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endAt - System.nanoTime())));
                worker.kill();
            }
        } catch (InterruptedException interrupted) {
            workers.forEach(Worker::kill);
            Thread.currentThread().interrupt();
        }
    }

    private Outcome failure(String reason, Function<String, Outcome> kind) {
        Outcome known = reasons.get(reason);
        if (known != null) {
            return known;
        }
        return reasons.size() >= MOST_REASONS ? OTHER : reasons.computeIfAbsent(reason, kind);
    }

    /** A call that waits for a worker or is being handled; without a call, a request to stop the worker. */
    private final class Work {
        final @Nullable Call call;
        final boolean waits;
        private @Nullable WorkerProcess with;

        Work(@Nullable Call call, boolean waits) {
            this.call = call;
            this.waits = waits;
        }

        /** How long the caller waited for the request. */
        long hadNanos() {
            return call == null ? 0 : Math.max(0, call.now() - call.startedAt());
        }

        synchronized void with(@Nullable WorkerProcess process) {
            with = process;
        }

        synchronized void killIfStuck() {
            if (with != null) {
                hung.increment();
                with.kill();
            }
        }
    }

    /** One thread and its process. */
    private final class Worker implements Runnable {
        final Thread thread = daemon(this);

        /** The reason why it could not start; empty once it has started. */
        final CompletableFuture<Optional<String>> refusal = new CompletableFuture<>();

        private volatile @Nullable WorkerProcess process;
        private volatile boolean isIdle;
        private String connection = "";
        private int position;

        @Override
        public void run() {
            try {
                WorkerProcess first = begin();
                for (int i = 0; i < PINGS; i++) {
                    long beginAt = System.nanoTime();
                    first.ping();
                    parts.add("hand-over to the worker and back", System.nanoTime() - beginAt);
                }
                refusal.complete(Optional.empty());
                isIdle = true;
                for (Work work = queue.take(); work.call != null; work = queue.take()) {
                    isIdle = false;
                    inUse.increment();
                    handle(work, work.call);
                    inUse.decrement();
                    free.incrementAndGet();
                    isIdle = true;
                }
            } catch (IOException | RuntimeException refused) {
                refusal.complete(Optional.of(String.valueOf(refused.getMessage())));
            } catch (InterruptedException ignored) {
                // only the shutdown of the JVM interrupts this thread
            }
            WorkerProcess last = process;
            if (last != null) {
                last.end();
            }
        }

        private WorkerProcess begin() throws IOException {
            WorkerProcess started = WorkerProcess.start(command);
            process = started;
            connection = "";
            Future<?> limit =
                    timer.schedule(started::kill, options.startTimeout().toMillis(), TimeUnit.MILLISECONDS);
            long beginAt = System.nanoTime();
            try {
                started.ping();
            } catch (IOException refused) {
                process = null;
                started.kill();
                boolean isLate =
                        System.nanoTime() - beginAt >= options.startTimeout().toNanos();
                throw isLate
                        ? new IOException("did not answer 'ping' within "
                                + options.startTimeout().toMillis() + " ms")
                        : refused;
            } finally {
                limit.cancel(false);
            }
            return started;
        }

        private void handle(Work work, Call call) {
            if (work.waits) {
                call.waited(call.now() - call.startedAt());
            } else {
                call.workStarted();
            }
            try {
                WorkerProcess with = ready(process);
                work.with(with);
                if (!call.isOver()) {
                    ask(with, call);
                }
                work.with(null);
            } catch (IOException refused) {
                work.with(null);
                call.complete(failure("the worker " + refused.getMessage(), Outcome::failed));
                kill();
                process = null;
            }
        }

        /** The process for the next request: a new one if there is none, or if its answers are out of step. */
        private WorkerProcess ready(@Nullable WorkerProcess now) throws IOException {
            if (now != null) {
                Optional<String> line = now.unasked();
                if (line.isEmpty()) {
                    return now;
                }
                isUnasked(line.get());
            }
            restarted.increment();
            try {
                return begin();
            } catch (IOException refused) {
                pause();
                throw refused;
            }
        }

        private void ask(WorkerProcess with, Call call) throws IOException {
            String line;
            long at;
            WorkerAnswer answer;
            try {
                line = with.ask(request(call));
                at = call.now();
            } catch (WorkerProcess.WrongLine bad) {
                isWrong(String.valueOf(bad.getMessage()));
                throw bad;
            }
            try {
                answer = WorkerAnswer.parse(line);
            } catch (IOException bad) {
                isWrong("'" + WorkerProcess.shown(line) + "', which " + bad.getMessage());
                throw new IOException("wrote '" + WorkerProcess.shown(line) + "', which " + bad.getMessage(), bad);
            }
            describe(call, answer);
            Outcome how = answer.failure()
                    .map(kind -> failure(kind, Outcome::failedResponse))
                    .orElse(Outcome.answered());
            if (!call.completeAt(how, at)) {
                late.increment();
            }
        }

        private void describe(Call call, WorkerAnswer answer) {
            answer.parts(parts::add);
            call.lookup(answer.number("lookup_ns"));
            call.connected(answer.number("connect_ns"));
            call.handshake(answer.number("tls_ns"));
            Optional<String> on = answer.text("connection");
            if (on.isPresent()) {
                boolean isNew = !on.get().equals(connection);
                if (isNew) {
                    opened.increment();
                    connection = on.get();
                }
                position = isNew ? 1 : position + 1;
                long told = answer.number("position");
                call.position(told > 0 ? (int) Math.min(Integer.MAX_VALUE, told) : position);
            }
        }

        /** Its later output belongs to no request. */
        private void isUnasked(String line) {
            unasked.increment();
            firstWrong.compareAndSet(null, "'" + line + "' without a request");
            kill();
        }

        /** The answer to a ping follows everything written before it. */
        void lastPing() {
            WorkerProcess with = process;
            if (with == null) {
                return;
            }
            try {
                with.unaskedBeforePing().ifPresent(this::isUnasked);
            } catch (WorkerProcess.WrongLine tooLong) {
                isUnasked("more than a line can hold");
            } catch (IOException ended) {
                // all its requests are answered
            }
        }

        private void pause() {
            try {
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void kill() {
            WorkerProcess with = process;
            if (with != null) {
                with.kill();
            }
        }
    }

    private void isWrong(String line) {
        wrong.increment();
        firstWrong.compareAndSet(null, line);
    }

    private String request(Call call) {
        Instant now = Instant.now();
        long nowNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("index", call.index());
        request.put("intended_unix_ns", nowNanos - (call.now() - call.intendedAt()));
        Map<String, String> vars = variables.apply(call.index());
        if (!vars.isEmpty()) {
            request.put("vars", vars);
        }
        return JsonText.of(request);
    }
}
