package dev.downbeat.exec;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.json.JsonReader;
import dev.downbeat.json.JsonRules;
import dev.downbeat.json.JsonText;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.DurationText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
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
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** The workers of one lane. Each has a thread that writes requests and reads answers. */
final class WorkerPool implements CallClient {
    private static final int PINGS = 50;
    private static final long CLOSE_MILLIS = 3_000;
    private static final long FINAL_PING_MILLIS = 1_000;

    /** The pause before a worker that failed to start is tried again; requests wait meanwhile. */
    private static final long RETRY_MILLIS = 200;

    /** The most failure kinds, since each is a row of a report; further kinds share the last one. */
    private static final int MAX_REASONS = 40;

    private static final Outcome OTHER = Outcome.failed("other failures of workers");

    private final String command;
    private final Starter starter;
    private final Duration startTimeout;
    private final Duration grace;
    private final LongFunction<Map<String, String>> variables;
    private final PartTimes total;
    private final PartTimes parts = new PartTimes();
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
    private final LongAdder unsolicited = new LongAdder();
    private final LongAdder late = new LongAdder();
    private volatile boolean isOfWarmUp;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(Daemon.factory("downbeat-exec"));

    @FunctionalInterface
    interface Starter {
        Process start(List<String> words) throws IOException;

        default void start(Thread thread) {
            thread.start();
        }
    }

    /**
     * Creates the workers of a lane, which {@link #open} starts.
     *
     * @param total where the parts of the requests are added at the end, unless they were a warm-up's
     */
    WorkerPool(
            String command,
            Starter starter,
            Duration startTimeout,
            Duration grace,
            LongFunction<Map<String, String>> variables,
            PartTimes total,
            AtomicReference<@Nullable String> firstWrong,
            int workers) {
        this.command = command;
        this.starter = starter;
        this.startTimeout = startTimeout;
        this.grace = grace;
        this.variables = variables;
        this.total = total;
        this.firstWrong = firstWrong;
        for (int i = 0; i < workers; i++) {
            this.workers.add(new Worker());
        }
    }

    /** Starts all workers and waits until each answers; if one does not, all are stopped. */
    void open() throws IOException {
        startThreads();
        try {
            for (Worker worker : workers) {
                Optional<String> refusal = worker.refusal.get();
                if (refusal.isPresent()) {
                    close();
                    throw new IOException(
                            "exec: '" + WorkerProcess.shown(Redaction.command(command)) + "' " + refusal.get());
                }
            }
        } catch (InterruptedException interrupted) {
            workers.forEach(Worker::kill); // those that have not answered would miss the request to stop
            close();
            throw new IOException("interrupted", interrupted);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a refusal is a value", impossible);
        }
        free.set(workers.size());
    }

    private void startThreads() throws IOException {
        try {
            for (Worker worker : workers) {
                worker.refusal.completeOnTimeout(
                        Optional.of(noPongMessage()), 2 * startTimeout.toNanos(), TimeUnit.NANOSECONDS);
                starter.start(worker.thread);
            }
        } catch (OutOfMemoryError noThread) {
            workers.forEach(Worker::kill);
            close();
            String why =
                    OwnLimit.of(noThread).map(OwnLimit::reason).orElseGet(() -> String.valueOf(noThread.getMessage()));
            throw new IOException("exec: not all of " + workers.size() + " workers could be started: " + why, noThread);
        }
    }

    @Override
    public void start(Call call) {
        isOfWarmUp = Exchange.isOfWarmUp(call.index());
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
            long graceNanos = Math.min(grace.toNanos(), work.waitedNanos());
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
        finalPings();
        Map<String, Long> counts = new TreeMap<>();
        counts.put("workers", (long) workers.size());
        TargetCounts.putIfAny(counts, "workers replaced", restarted.sum());
        TargetCounts.putIfAny(counts, "workers that hung", hung.sum());
        TargetCounts.putIfAny(counts, "lines that are no answers", wrong.sum());
        TargetCounts.putIfAny(counts, TargetCounts.UNSOLICITED_LINES, unsolicited.sum());
        TargetCounts.putIfAny(counts, "answered after their timeout", late.sum());
        return new TargetCounts(counts);
    }

    private void finalPings() {
        List<Worker> idle = workers.stream().filter(worker -> worker.isIdle).toList();
        try {
            Future<?> limit =
                    timer.schedule(() -> idle.forEach(Worker::kill), FINAL_PING_MILLIS, TimeUnit.MILLISECONDS);
            idle.forEach(Worker::finalPing);
            limit.cancel(false);
        } catch (RejectedExecutionException closed) {
            // the worker is gone
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
        if (!isOfWarmUp) {
            total.add(parts);
        }
    }

    private String noPongMessage() {
        return "did not answer 'ping' within " + DurationText.format(startTimeout.toNanos());
    }

    private Outcome failure(String reason, Function<String, Outcome> kind) {
        Outcome known = reasons.get(reason);
        if (known != null) {
            return known;
        }
        return reasons.size() >= MAX_REASONS ? OTHER : reasons.computeIfAbsent(reason, kind);
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

        long waitedNanos() {
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

    private final class Worker implements Runnable {
        final Thread thread = Daemon.of("downbeat-exec", this);

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
                    try {
                        handle(work, work.call);
                    } catch (RuntimeException | Error broken) { // the thread must go on: others count on it
                        work.with(null);
                        work.call.complete(failure(reason(broken), Outcome::ownLimitAfterSending));
                        replace();
                    } finally {
                        inUse.decrement();
                        free.incrementAndGet();
                    }
                    isIdle = true;
                }
            } catch (IOException | RuntimeException | Error refused) {
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
            WorkerProcess started = WorkerProcess.start(command, starter);
            process = started;
            connection = "";
            long beginAt = System.nanoTime();
            Future<?> limit = timer.schedule(started::kill, startTimeout.toNanos(), TimeUnit.NANOSECONDS);
            try {
                started.ping();
            } catch (IOException refused) {
                process = null;
                started.kill();
                boolean isLate = System.nanoTime() - beginAt >= startTimeout.toNanos();
                throw isLate ? new IOException(noPongMessage()) : refused;
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
            String request;
            try {
                request = request(call);
            } catch (IllegalStateException noValues) {
                call.complete(failure(String.valueOf(noValues.getMessage()), Outcome::ownLimit));
                return;
            } catch (RuntimeException | Error broken) {
                call.complete(failure(broken.getClass().getSimpleName(), Outcome::unbuilt));
                return;
            }
            try {
                WorkerProcess with = ready(process);
                work.with(with);
                if (!call.isOver()) {
                    ask(with, call, request);
                }
                work.with(null);
            } catch (IOException refused) {
                work.with(null);
                call.complete(
                        refused instanceof WorkerProcess.LimitReached limitReached
                                ? limitReached.limit.outcome()
                                : failure("the worker " + refused.getMessage(), Outcome::failed));
                replace();
            }
        }

        private static String reason(Throwable broken) {
            return "the worker's answer could not be read (" + broken.getClass().getSimpleName() + ")";
        }

        /** Ends the process, so that the next request gets another. */
        private void replace() {
            kill();
            process = null;
        }

        /** The process for the next request: a new one if there is none, or if its answers are out of step. */
        private WorkerProcess ready(@Nullable WorkerProcess now) throws IOException {
            if (now != null) {
                Optional<String> line = now.unsolicited();
                if (line.isEmpty()) {
                    return now;
                }
                onUnsolicitedLine(line.get());
            }
            try {
                WorkerProcess started = begin();
                restarted.increment();
                return started;
            } catch (IOException refused) {
                pause();
                throw refused;
            }
        }

        private void ask(WorkerProcess with, Call call, String request) throws IOException {
            String line;
            long at;
            Answer answer;
            try {
                line = with.ask(request);
                at = call.now();
            } catch (WorkerProcess.WrongLine bad) {
                countWrongLine(String.valueOf(bad.getMessage()));
                throw bad;
            }
            try {
                answer = Answer.parse(line);
            } catch (IOException bad) {
                countWrongLine("'" + WorkerProcess.shown(line) + "', which " + bad.getMessage());
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

        private void describe(Call call, Answer answer) {
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
                long reported = answer.number("position");
                call.position(reported > 0 ? (int) Math.min(Integer.MAX_VALUE, reported) : position);
            }
        }

        /** Its later output belongs to no request. */
        private void onUnsolicitedLine(String line) {
            unsolicited.increment();
            firstWrong.compareAndSet(null, "'" + line + "' without a request");
            kill();
        }

        /** The answer to a ping follows everything written before it. */
        void finalPing() {
            WorkerProcess with = process;
            if (with == null) {
                return;
            }
            try {
                with.unsolicitedBeforePing().ifPresent(this::onUnsolicitedLine);
            } catch (WorkerProcess.WrongLine tooLong) {
                onUnsolicitedLine("more than a line can hold");
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

    private void countWrongLine(String line) {
        wrong.increment();
        firstWrong.compareAndSet(null, line);
    }

    private String request(Call call) {
        long nowNanos = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("index", call.index());
        request.put("intended_unix_ns", nowNanos - (call.now() - call.intendedAt()));
        Map<String, String> vars = variables.apply(call.index());
        if (!vars.isEmpty()) {
            request.put("vars", vars);
        }
        return JsonText.of(request);
    }

    /**
     * A worker's answer: {@code ok} or {@code fail KIND}, optionally followed by a JSON object, such as {@code ok
     * {"connect_ns": 1200000, "connection": 7, "position": 1}}.
     *
     * @param failure kind of the failure; empty if the request succeeded
     * @param details members by name; those ending in {@code _ns} are parts of the request's time
     */
    private record Answer(Optional<String> failure, Map<?, ?> details) {
        private static final String OK = "ok";
        private static final String FAIL = "fail";
        private static final String PART = "_ns";
        private static final int LONGEST_KIND = 60;

        static Answer parse(String line) throws IOException {
            int brace = line.indexOf('{');
            String words = (brace < 0 ? line : line.substring(0, brace)).strip();
            Map<?, ?> details = brace < 0 ? Map.of() : details(line.substring(brace));
            if (words.equals(OK)) {
                return new Answer(Optional.empty(), details);
            }
            if (words.startsWith(FAIL + " ") || words.equals(FAIL)) {
                String kind = words.substring(FAIL.length()).strip();
                String known = kind.isEmpty() ? "failed" : kind;
                return new Answer(Optional.of(known.substring(0, Math.min(LONGEST_KIND, known.length()))), details);
            }
            throw new IOException("is neither 'ok' nor 'fail KIND'");
        }

        private static Map<?, ?> details(String json) throws IOException {
            if (JsonReader.parse(json, JsonRules.EXACT) instanceof Map<?, ?> map) {
                return map;
            }
            throw new IOException("has no JSON object behind its first word");
        }

        /** A member as text; empty if it is missing. */
        Optional<String> text(String name) {
            return Optional.ofNullable(details.get(name)).map(Object::toString);
        }

        /** A member as a number of at least 0; 0 if it is missing or not a number. */
        long number(String name) {
            return details.get(name) instanceof Number number ? Math.max(0, number.longValue()) : 0;
        }

        /** Passes each part of the time, named without its suffix, in nanoseconds. */
        void parts(ObjLongConsumer<String> consumer) {
            details.forEach((key, value) -> {
                String name = String.valueOf(key);
                if (name.endsWith(PART) && name.length() <= LONGEST_KIND && value instanceof Number) {
                    consumer.accept(
                            name.substring(0, name.length() - PART.length()).replace('_', ' '), number(name));
                }
            });
        }
    }

    /**
     * A running worker and its pipes. One thread writes and reads; {@link #kill} may be called by any thread and ends a
     * blocked read.
     */
    private static final class WorkerProcess {
        private static final int LONGEST_LINE = 65_536;
        private static final int SHOWN = 60;
        private static final String PING = "ping";
        private static final String PONG = "pong";
        private static final long END_MILLIS = 1_000;

        /** How long to wait for a worker's last line on stderr. */
        private static final long REPORT_MILLIS = 200;

        private final Process process;
        private final OutputStream in;
        private final InputStream out;
        private final byte[] line = new byte[LONGEST_LINE];
        private final Thread errors;
        private volatile String lastError = "";

        /** This machine allows no further process, or no thread for it: the service was never asked. */
        static final class LimitReached extends IOException {
            private static final long serialVersionUID = 1;

            final OwnLimit limit;

            LimitReached(OwnLimit limit, Throwable cause) {
                super("could not be started: " + limit.reason(), cause);
                this.limit = limit;
            }
        }

        static final class WrongLine extends IOException {
            private static final long serialVersionUID = 1;

            WrongLine(String message) {
                super(message);
            }
        }

        private WorkerProcess(Process process) {
            this.process = process;
            this.in = process.getOutputStream();
            this.out = new BufferedInputStream(process.getInputStream());
            errors = Daemon.start("downbeat-exec-stderr", this::readErrors);
        }

        static WorkerProcess start(String command, Starter starter) throws IOException {
            boolean isWindows = System.getProperty("os.name", "").startsWith("Windows");
            List<String> shell = isWindows ? List.of("cmd", "/c", command) : List.of("/bin/sh", "-c", command);
            Process process = null;
            try {
                process = starter.start(shell);
                return new WorkerProcess(process);
            } catch (IOException | Error refused) {
                if (process != null) {
                    process.destroyForcibly();
                }
                Optional<OwnLimit> limit = OwnLimit.of(refused);
                if (limit.isPresent()) {
                    throw new LimitReached(limit.get(), refused);
                }
                throw refused;
            }
        }

        /** Keeps the last line on stderr, which usually says why a worker exited. */
        private void readErrors() {
            byte[] buffer = new byte[8_192];
            try (InputStream errors = process.getErrorStream()) {
                for (int read = errors.read(buffer); read >= 0; read = errors.read(buffer)) {
                    String text = new String(buffer, 0, read, StandardCharsets.UTF_8).strip();
                    lastError = text.isEmpty() ? lastError : text.substring(text.lastIndexOf('\n') + 1);
                }
            } catch (IOException ended) {
                // the reader of its answers notices the end
            }
        }

        void ping() throws IOException {
            String answer = ask(PING);
            if (!answer.equals(PONG)) {
                throw new WrongLine("answered '" + shown(answer) + "' to 'ping', not 'pong'");
            }
        }

        /** Output that it wrote without a request; empty if there is none. */
        Optional<String> unsolicited() throws IOException {
            int ready = out.available(); // not more: it might not have a whole line
            return ready > 0
                    ? new String(out.readNBytes(Math.min(ready, LONGEST_LINE)), StandardCharsets.UTF_8)
                            .lines()
                            .map(WorkerProcess::shown)
                            .findFirst()
                    : Optional.empty();
        }

        /** Output without a request, up to the answer of a final ping; empty if there is none. */
        Optional<String> unsolicitedBeforePing() throws IOException {
            String answer = ask(PING);
            return answer.equals(PONG) ? Optional.empty() : Optional.of(shown(answer));
        }

        String ask(String request) throws IOException {
            try {
                in.write((request + "\n").getBytes(StandardCharsets.UTF_8));
                in.flush();
            } catch (IOException closed) {
                throw new IOException(ending(), closed);
            }
            return read();
        }

        private String read() throws IOException {
            int length = 0;
            for (int next = out.read(); next != '\n'; next = out.read()) {
                if (next < 0) {
                    throw new IOException(ending());
                }
                if (length == LONGEST_LINE) {
                    throw new WrongLine("wrote a line of more than " + LONGEST_LINE + " bytes");
                }
                line[length++] = (byte) next;
            }
            return new String(line, 0, length, StandardCharsets.UTF_8).strip();
        }

        /** A line, shortened for a message. */
        static String shown(String text) {
            return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
        }

        /** How it exited, and its last line on stderr. */
        private String ending() {
            try {
                boolean hasEnded = process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
                errors.join(REPORT_MILLIS);
                String how = hasEnded ? "exited with code " + process.exitValue() : "closed its output";
                return lastError.isEmpty() ? how : how + ": " + shown(lastError);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return "ended";
            }
        }

        /** Closes its input so that it can exit, then kills it if it does not. */
        void end() {
            try {
                in.close();
                process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
            } catch (IOException ended) {
                // stop waiting
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            kill();
        }

        void kill() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
