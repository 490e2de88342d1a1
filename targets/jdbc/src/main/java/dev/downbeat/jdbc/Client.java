package dev.downbeat.jdbc;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.jdbc.Session.RowFindings;
import dev.downbeat.jdbc.Session.StatementPart;
import dev.downbeat.jdbc.SqlScript.SqlStatement;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.ProcessorClock;
import dev.downbeat.time.TimerSlack;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The connections of one lane, each with its own thread. */
final class Client implements CallClient {
    /** How long a cancelled statement may run before its connection is aborted. */
    private static final long GRACE_MILLIS = 10_000;

    private static final long FIRST_REPEAT_MILLIS = 100;

    private static final long CLOSE_MILLIS = 3_000;
    private static final long SETTLE_NANOS = 1_000_000;
    private static final long REHEARSAL_NANOS = 300_000_000;

    /** Drivers whose code this JVM has compiled, by the class of their connections: each loader has its own. */
    private static final Set<Class<?>> REHEARSED =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    private static final int MOST_CANCELLERS = 64;
    private static final long PROBE_NANOS = 250_000_000;
    private static final long LONGEST_UNPROBED_NANOS = 8 * PROBE_NANOS;

    private final ConnectionSource source;
    private final Dialect dialect;
    private final Map<SqlStatement, List<String>> types;
    private final JdbcRequests requests;
    private final PartTimes total;
    private final PartTimes parts = StatementPart.times();
    private final ProxyView proxy;
    private final boolean reportsProxy;
    private final SqlFailures failures = new SqlFailures();
    private final JdbcCounts counts = new JdbcCounts();
    private final RowFindings findings;
    private final BlockingQueue<Work> queue = new LinkedBlockingQueue<>();

    /** Makes a free connection wait for the next request. */
    private final Work standBy = new Work(null, false);

    private volatile @Nullable Call lastCall;

    private final List<Connection> idlers = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    /** Idle connections; negative if requests wait. */
    private final AtomicInteger free = new AtomicInteger();

    private final ScheduledExecutorService cancellers;

    /**
     * Creates the client of a lane.
     *
     * @param total where the parts of this lane's requests are added at its end, unless they were a warm-up's
     * @param reportsProxy whether this lane, as one of several, reports the proxy in its counts
     */
    Client(
            ConnectionSource source,
            Dialect dialect,
            Map<SqlStatement, List<String>> types,
            JdbcRequests requests,
            PartTimes total,
            ProxyView proxy,
            boolean reportsProxy,
            int connections) {
        this.source = source;
        this.dialect = dialect;
        this.types = types;
        this.requests = requests;
        this.total = total;
        this.proxy = proxy;
        this.reportsProxy = reportsProxy;
        this.findings =
                new RowFindings(counts, parts, failures, requests.options().expect());
        this.cancellers = Executors.newScheduledThreadPool(
                Math.min(MOST_CANCELLERS, connections), Daemon.factory("downbeat-jdbc-cancel"));
        for (int i = 0; i < connections; i++) {
            workers.add(new Worker());
        }
    }

    /**
     * Starts the threads, which open their connections.
     *
     * @param of source of the idle connections
     * @param idle number of idle connections
     * @throws IOException if one cannot be opened; all are then closed
     */
    void open(ConnectionSource of, int idle) throws IOException {
        try {
            for (int i = 0; i < idle; i++) {
                idlers.add(of.open());
            }
        } catch (SQLException refused) {
            close();
            throw new IOException(requests.refusal(refused), refused);
        }
        workers.forEach(Worker::start);
        try {
            for (Worker worker : workers) {
                worker.ready.get();
            }
        } catch (ExecutionException refused) {
            close();
            throw refused.getCause() instanceof SQLException sql
                    ? new IOException(requests.refusal(sql), sql)
                    : new IOException(refused.getCause());
        } catch (InterruptedException interrupted) {
            close();
            throw new IOException("interrupted", interrupted);
        }
        free.set(workers.size());
    }

    @Override
    public void start(Call call) {
        Work work = new Work(call, free.getAndDecrement() <= 0);
        call.unconnected(!hasOpen());
        call.onAbandon(work);
        if (Thread.currentThread() instanceof Worker worker && worker.next == null && queue.isEmpty()) {
            worker.next = work;
        } else {
            queue.add(work);
        }
    }

    private boolean hasOpen() {
        return (source.isPool() ? source.pooled(0).openAtEnd() : counts.open()) > 0;
    }

    private void giveUp(Work work) {
        try {
            cancellers.execute(() -> cancel(work, FIRST_REPEAT_MILLIS));
            cancellers.schedule(work::abort, GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // all connections are closed anyway
        }
    }

    /** Repeats until the statement ends: a driver drops a cancellation before the statement is sent. */
    private void cancel(Work work, long repeatMillis) {
        if (work.cancel()) {
            try {
                cancellers.schedule(() -> cancel(work, 2 * repeatMillis), repeatMillis, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                // all connections are closed anyway
            }
        }
    }

    @Override
    public ConnectionCounts connections() {
        return source.isPool()
                ? source.pooled(counts.returnedBroken.sum())
                : counts.connections(workers.size() - free.get());
    }

    /** Waits briefly for the outcome of abandoned requests. */
    @Override
    public TargetCounts counts() {
        long endAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
        while (free.get() < workers.size() && System.nanoTime() - endAt < 0) {
            LockSupport.parkNanos(SETTLE_NANOS);
        }
        return reportsProxy ? counts.targetCounts().with(proxy.courses()) : counts.targetCounts();
    }

    @Override
    public void close() {
        workers.forEach(worker -> queue.add(new Work(null, false)));
        if (!join(CLOSE_MILLIS)) {
            workers.forEach(Worker::abort);
            join(CLOSE_MILLIS);
        }
        for (Connection idler : idlers) {
            try {
                idler.close();
            } catch (SQLException closed) {
                // the connection was idle and is closed
            }
        }
        source.close();
        cancellers.shutdownNow();
        Call ended = lastCall;
        if (ended == null || !Exchange.isOfWarmUp(ended.index())) {
            total.add(parts);
        }
    }

    private boolean join(long millis) {
        long endAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            for (Worker worker : workers) {
                worker.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endAt - System.nanoTime())));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return workers.stream().noneMatch(Worker::isAlive);
    }

    /** A call that waits for a worker or is being handled; without a call, the last task of a worker. */
    private final class Work implements Runnable {
        final @Nullable Call call;
        final boolean waits;
        private volatile @Nullable Session session;
        private volatile boolean wasCancelled;

        Work(@Nullable Call call, boolean waits) {
            this.call = call;
            this.waits = waits;
        }

        @Override
        public void run() {
            giveUp(this);
        }

        synchronized void begin(Session with) {
            session = with;
        }

        /** Waits for a cancellation under way, which must not hit another statement. */
        synchronized void end() {
            session = null;
        }

        synchronized boolean cancel() {
            Session with = session;
            if (with == null) {
                return false;
            }
            wasCancelled = true;
            with.cancel();
            return true;
        }

        /** Aborts the connection of a statement that still runs long after its cancellation. Does not block. */
        void abort() {
            Session with = session;
            if (with != null) {
                with.abort();
            }
        }
    }

    /** Once in a JVM, whose code then stays compiled. Two at once are harmless; a lock would let one wait for the other. */
    private static void rehearse(Session session) {
        if (!REHEARSED.contains(session.driver())) {
            session.rehearse(REHEARSAL_NANOS);
            if (!session.isBroken()) {
                REHEARSED.add(session.driver());
            }
        }
    }

    private final class Worker extends Thread {
        final CompletableFuture<Boolean> ready = new CompletableFuture<>();
        private volatile @Nullable Session session;
        private volatile TimedSockets.@Nullable Attempt connecting;
        private boolean isLast;
        private long probedAt;

        /** The task that this thread has reserved for itself during its turn; used by this thread only. */
        private @Nullable Work next;

        Worker() {
            super("downbeat-jdbc-connection");
            setDaemon(true);
        }

        @Override
        public void run() {
            TimerSlack.reduceForThisThread();
            try {
                if (isPersistent()) {
                    Session opened = connect(null, 0);
                    session = opened;
                    if (dialect != Dialect.OTHER && workers.get(0) == this) {
                        rehearse(opened);
                    }
                    if (opened.isBroken()) {
                        drop(false);
                    }
                }
                ready.complete(true);
            } catch (SQLException | RuntimeException | Error refused) {
                ready.completeExceptionally(refused);
            }
            while (!isLast) {
                work();
            }
            drop(false);
        }

        private boolean isPersistent() {
            return requests.options().keepAlive() && !source.isPool();
        }

        private void work() {
            Work work;
            try {
                work = await();
            } catch (InterruptedException ignored) {
                return; // only the shutdown of the JVM interrupts this thread
            }
            Call call = work.call;
            if (call == null) {
                isLast = true;
                return;
            }
            if (call.isOver()) {
                counts.unsent.increment();
            } else {
                handle(work, call);
                if (!isPersistent()) {
                    drop(false); // also if nothing was sent: nobody else could use a pool's connection
                }
            }
            free.incrementAndGet();
            lastCall = call;
            call.turn();
        }

        private Work await() throws InterruptedException {
            Work work = next;
            while (work == null || work == standBy) {
                Call lane = lastCall;
                long nanos = lane == null ? Long.MAX_VALUE : lane.standBy();
                work = next == null ? queue.poll(nanos, TimeUnit.NANOSECONDS) : next;
            }
            next = null;
            Call lane = lastCall;
            boolean hasRelief = free.get() > 0;
            if (lane != null && lane.standDown(hasRelief) && hasRelief) {
                queue.add(standBy); // the connection that has been idle for longest
            }
            return work;
        }

        private void handle(Work work, Call call) {
            long waitedNanos = 0;
            if (work.waits) {
                waitedNanos = call.now() - call.startedAt();
                call.waited(waitedNanos);
            } else {
                call.workStarted();
            }
            int kind = requests.kind(call.index());
            Object[] values;
            try {
                values = requests.values(kind, call.index());
            } catch (IllegalStateException noValues) {
                call.complete(Outcome.ownLimit(String.valueOf(noValues.getMessage())));
                return;
            } catch (JdbcRequests.WrongValueCount wrong) {
                call.complete(Outcome.unbuilt(String.valueOf(wrong.getMessage())));
                return;
            } catch (RuntimeException broken) {
                call.complete(Outcome.unbuilt(broken.getClass().getSimpleName()));
                return;
            }
            Session with = session;
            try {
                if (with == null) {
                    call.unconnected(true);
                    with = connect(call, waitedNanos);
                    session = with;
                }
                run(work, call, with, kind, values);
            } catch (SQLException refused) {
                call.complete(failures.ofConnecting(refused));
            } catch (RuntimeException | Error broken) {
                Optional<OwnLimit> limit = with == null ? OwnLimit.of(broken) : Optional.empty();
                call.complete(limit.map(OwnLimit::outcome)
                        .orElseGet(() -> Outcome.failed(broken.getClass().getSimpleName())));
                drop(false); // a mistake of the driver or of ours, not the server's
            } finally {
                work.end();
            }
        }

        private void run(Work work, Call call, Session with, int kind, Object[] values) {
            call.position(source.isPool() ? 0 : with.position() + 1);
            work.begin(with);
            if (call.isOver()) {
                work.end();
                counts.unsent.increment();
                return;
            }
            call.unconnected(false);
            Outcome outcome = with.run(call, kind, requests.transaction(kind), values, findings);
            boolean stays = !with.isBroken()
                    && isPersistent()
                    && with.position() < requests.options().maxRequests();
            boolean probes = stays && proxy.isShared() && isProbeDue(call.now());
            boolean isFree = stays && !probes && !work.wasCancelled;
            boolean ended = isFree ? call.completeBeforeTurn(outcome) : call.complete(outcome);
            work.end();
            if (!ended && with.wasDone()) {
                counts.doneLate.increment();
            } else if (!ended && !with.isAborted()) {
                (with.wasCancelled() ? counts.cancelled : counts.failedLate).increment();
            }
            boolean byServer = with.isBroken() && !with.isAborted();
            if (work.wasCancelled && !with.isBroken()) {
                with.validateAfterCancel(); // if it does not answer, it is we who close it
            }
            if (!stays || with.isBroken()) {
                drop(byServer);
            } else if (probes) {
                probe(with, call.now());
            }
        }

        private boolean isProbeDue(long now) {
            return now - probedAt >= (queue.isEmpty() ? PROBE_NANOS : LONGEST_UNPROBED_NANOS);
        }

        /** Between requests, if none waits: determines which server session this connection has. */
        private void probe(Session with, long now) {
            probedAt = now;
            try {
                with.probe().ifPresent(found -> proxy.add(with, found, now));
            } catch (SQLException broken) {
                drop(true);
            }
        }

        /** Opens a connection, for a call that has waited until now, or for none. */
        private Session connect(@Nullable Call call, long waitedNanos) throws SQLException {
            TimedSockets.Attempt attempt = TimedSockets.begin();
            long limitMillis = requests.options().connectTimeout().toMillis();
            attempt.limited(limitMillis);
            connecting = attempt;
            Future<?> limit = cancellers.schedule(attempt::giveUp, limitMillis, TimeUnit.MILLISECONDS);
            long cpuBegin = ProcessorClock.ofThisThreadNanos();
            long beginAt = System.nanoTime();
            Connection connection;
            long openNanos;
            try {
                if (call != null) {
                    call.waits(source.isPool());
                }
                connection = source.open();
            } catch (SQLException | RuntimeException | Error refused) {
                if (!source.isPool()) { // which counts what it opens
                    counts.failed.increment();
                }
                throw refused;
            } finally {
                limit.cancel(false);
                connecting = null;
                attempt.ended();
                openNanos = System.nanoTime() - beginAt;
                if (source.isPool()) { // also if it gave none
                    StatementPart.WAIT.add(parts, openNanos);
                    if (call != null) {
                        call.waited(waitedNanos + openNanos);
                        call.waits(false);
                    }
                }
            }
            long lookupNanos = attempt.lookupNanos();
            long connectNanos = attempt.connectNanos();
            if (!source.isPool()) {
                counts.loginCpuNanos.add(ProcessorClock.ofThisThreadNanos() - cpuBegin);
                if (connectNanos > 0) {
                    StatementPart.LOOKUP.add(parts, lookupNanos);
                    StatementPart.CONNECT.add(parts, connectNanos);
                }
                StatementPart.LOGIN.add(parts, openNanos - lookupNanos - connectNanos);
            }
            (source.isPool() ? counts.borrowed : counts.opened).increment();
            if (call != null && !source.isPool()) {
                call.lookup(lookupNanos);
                call.connected(connectNanos);
                call.handshake(openNanos - lookupNanos - connectNanos);
            }
            try {
                return new Session(
                        connection,
                        dialect,
                        types,
                        !source.isPool() && proxy.setsReadOnly(requests.options()),
                        requests.hasTransactions(),
                        requests.kinds());
            } catch (SQLException | RuntimeException | Error refused) {
                countEnd(false);
                throw refused;
            }
        }

        private void drop(boolean byServer) {
            Session with = session;
            if (with != null) {
                session = null;
                proxy.forget(with);
                countEnd(byServer);
                with.close(source.isPool());
            }
        }

        private void countEnd(boolean byServer) {
            if (!source.isPool()) {
                (byServer ? counts.closedByServer : counts.closedByUs).increment();
            } else if (byServer) {
                counts.returnedBroken.increment();
            }
        }

        void abort() {
            TimedSockets.Attempt attempt = connecting;
            if (attempt != null) {
                attempt.giveUp(); // a server that hangs does not answer a login either
            }
            Session with = session;
            if (with != null) {
                with.abort();
            }
        }
    }
}
