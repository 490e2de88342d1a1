package dev.downbeat.acceptance;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A run at a constant rate against a real server in a process of its own, which is stopped by SIGSTOP during the run.
 *
 * @param result of the run
 * @param firstAt the first intended time
 * @param frozen when the server was stopped
 * @param resumed when it was resumed; after the end of the run if planned so
 * @param clear when the server had answered every request that was due
 * @param answered the server's count of answered requests during the drain, and when it was first observed
 */
record FrozenRun(
        RunResult result,
        long firstAt,
        Moment frozen,
        Moment resumed,
        Moment clear,
        NavigableMap<Long, Long> answered) {
    private static final long POLL_NANOS = 1_000_000;
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(20);

    /**
     * The parameters of a run; each can be chosen independently.
     *
     * @param perSecond constant rate
     * @param connections limit of requests in flight
     * @param duration of the run
     * @param timeout per request
     * @param drain time to wait at the end
     * @param freezeAt when to freeze, counted from the first intended time
     * @param freeze length of the freeze; zero: until after the end of the run
     */
    record Plan(
            int perSecond,
            int connections,
            Duration duration,
            Duration timeout,
            Duration drain,
            Duration freezeAt,
            Duration freeze) {
        int count() {
            return (int) (perSecond * duration.toMillis() / 1000);
        }

        long gapNanos() {
            return 1_000_000_000L / perSecond;
        }

        FreezeLaw.Plan slots() {
            return new FreezeLaw.Plan(count(), gapNanos());
        }

        private RunPlan toRunPlan() {
            return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                    .duration(duration)
                    .timeout(timeout)
                    .drain(drain)
                    .build();
        }
    }

    static FrozenRun of(Plan plan) throws Exception {
        return of(plan, false);
    }

    /** Runs over TLS if {@code encrypted}. */
    static FrozenRun of(Plan plan, boolean encrypted) throws Exception {
        return of(plan, encrypted, options(plan), (uri, options) -> new HttpTarget(HttpRequest.get(uri), options));
    }

    /** Runs over one HTTP/2 connection by prior knowledge, with as many streams as the plan has connections. */
    static FrozenRun overHttp2(Plan plan) throws Exception {
        Consumer<HttpOptions.Draft> one = draft -> {
            draft.connections = 1;
            draft.http = HttpVersion.HTTP_2;
            draft.streams = new HttpOptions.Streams(plan.connections(), HttpOptions.Streams.USUAL.receiveWindow());
        };
        return of(plan, false, one, (uri, options) -> new HttpTarget(HttpRequest.get(uri), options));
    }

    private static Consumer<HttpOptions.Draft> options(Plan plan) {
        return draft -> draft.connections = plan.connections();
    }

    /** Runs with requests that the caller creates from the server's address. */
    static FrozenRun of(Plan plan, BiFunction<String, HttpOptions, HttpTarget> requests) throws Exception {
        return of(plan, false, options(plan), requests);
    }

    static final class TlsServer {
        public static void main(String[] args) throws Exception {
            LoopbackProcess.serve(LoopbackOptions.of(draft -> draft.tls = true));
        }
    }

    private static FrozenRun of(
            Plan plan,
            boolean encrypted,
            Consumer<HttpOptions.Draft> options,
            BiFunction<String, HttpOptions, HttpTarget> requests)
            throws Exception {
        try (LoopbackProcess server = encrypted ? LoopbackProcess.start(TlsServer.class) : LoopbackProcess.start()) {
            HttpOptions trusting =
                    HttpOptions.of(options.andThen(draft -> server.certificate().ifPresent(draft.tls::trust)));
            HttpTarget http = requests.apply(server.uri(), trusting);
            LoadRun load = new LoadRun(plan.toRunPlan(), http);
            FutureTask<RunResult> run = new FutureTask<>(() -> load.run(Progress.none()));
            Thread thread = new Thread(run, "load-run");
            thread.setDaemon(true);
            thread.start();
            long firstAt = startAt(load);
            waitUntil(firstAt + plan.freezeAt().toNanos());
            Moment frozen = Moment.of(server::freeze);
            if (plan.freeze().isZero()) {
                RunResult result = run.get(1, TimeUnit.MINUTES);
                Moment resumed = Moment.of(server::resume);
                return new FrozenRun(result, firstAt, frozen, resumed, resumed, new TreeMap<>());
            }
            waitUntil(frozen.middleAt() + plan.freeze().toNanos());
            Moment resumed = Moment.of(server::resume);
            NavigableMap<Long, Long> answered = new TreeMap<>();
            Moment clear = clear(server, plan, firstAt, resumed.middleAt(), answered);
            return new FrozenRun(run.get(1, TimeUnit.MINUTES), firstAt, frozen, resumed, clear, answered);
        }
    }

    /** Polls the server, since the client is under test. Each poll takes a while on a busy machine. */
    private static Moment clear(
            LoopbackProcess server, Plan plan, long firstAt, long resumedAt, NavigableMap<Long, Long> answered)
            throws Exception {
        long notYetAt = resumedAt;
        while (true) {
            long polledAt = System.nanoTime();
            // Requests of the last two intervals may still be on their way.
            long due = Math.min(plan.count(), (polledAt - firstAt - 2 * POLL_NANOS) / plan.gapNanos());
            long count = server.stats().requestsAnswered();
            answered.putIfAbsent(count, polledAt + (System.nanoTime() - polledAt) / 2 - firstAt);
            boolean isClear = count >= due;
            if (isClear || polledAt - resumedAt > LONGEST_DRAIN.toNanos()) {
                return new Moment(notYetAt, System.nanoTime());
            }
            notYetAt = polledAt;
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Waits until the first intended time of a run on another thread is known. */
    static long startAt(LoadRun run) throws InterruptedException {
        for (int i = 0; i < 30_000 && run.startAt().isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return run.startAt().orElseThrow();
    }

    static void waitUntil(long at) throws InterruptedException {
        for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    /** The theoretical response times of this run. */
    FreezeLaw law(Plan plan) {
        return new FreezeLaw(
                frozen.middleAt() - firstAt,
                resumed.middleAt() - firstAt,
                clear.middleAt() - firstAt,
                plan.slots(),
                answered);
    }

    /** The uncertainty of the instants. */
    long doubtNanos() {
        return frozen.doubtNanos() + resumed.doubtNanos() + clear.doubtNanos();
    }
}
