package dev.downbeat.selfcheck;

import dev.downbeat.time.Daemon;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Detects work that calls leave behind when they return: in the common pool, on new threads, in any other pool, or in an
 * HTTP client. Only calls that run alone are considered. Thread-safe.
 */
public final class DetachedWorkDetector implements AutoCloseable {
    /** Fewer returns or samples are not significant. */
    private static final long LEAST = 10;

    /** Stack traces stop all threads, so only the first calls are followed by a sample. */
    private static final int MOST_SAMPLES = 20;

    /** A thread that serves a call in this JVM needs a moment to finish after its caller has continued. */
    private static final long SETTLING_NANOS = 2_000_000;

    private static final Pattern CLIENT = Pattern.compile(
            "(HttpClient-|OkHttp |reactor-http-|httpclient-dispatch|AsyncHttpClient|sdk-async-response).*");

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final BooleanSupplier isIdle;
    private final Set<Long> busyBefore = busy(Thread.getAllStackTraces());
    private final Thread sampler = Daemon.of("downbeat-left-work", this::sample);
    private long[] clients = {};
    private volatile boolean closed;
    private int threadsBefore;
    private int commonBefore;
    private long returns;
    private long leftWork;
    private long samples;
    private long busySamples;
    private long commonSamples;
    private final ClientTime clientTime = new ClientTime();

    /**
     * Starts sampling.
     *
     * @param isIdle whether no call is running
     */
    public DetachedWorkDetector(BooleanSupplier isIdle) {
        this.isIdle = isIdle;
        sampler.start();
    }

    /** A call starts while no other is running. */
    public synchronized void started() {
        threadsBefore = threads.getThreadCount();
        commonBefore = commonTasks();
        clientTime.started(clientNanos());
    }

    /** That call returned, and no other is running. */
    public synchronized void returned() {
        clientTime.returned(clientNanos());
        returns++;
        leftWork += commonTasks() > 0 || threads.getThreadCount() > threadsBefore ? 1 : 0;
        LockSupport.unpark(sampler);
    }

    /** The number of calls that ran alone so far. */
    public synchronized long watched() {
        return returns;
    }

    /**
     * Whether the common pool, or its stand-in, had more to do some time after most calls than before them. Nothing else
     * is certain: a client that waits for its answers may have threads, pools and tasks of its own.
     */
    public synchronized boolean isCertain() {
        return samples >= LEAST && 2 * commonSamples > samples;
    }

    /** Whether most calls seem to have left work behind. */
    public synchronized boolean isLikely() {
        return (returns >= LEAST && 2 * leftWork > returns)
                || (samples >= LEAST && 2 * busySamples > samples)
                || (returns >= LEAST && clientTime.isMostlyOutside());
    }

    private void sample() {
        Set<Long> asyncBefore = Set.of();
        for (int done = 0; done < MOST_SAMPLES && !closed; ) {
            LockSupport.park(this);
            LockSupport.parkNanos(SETTLING_NANOS);
            if (!closed && isIdle.getAsBoolean()) {
                boolean hasMoreInPool = hasMoreCommonTasks();
                Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
                Set<Long> busy = busy(all);
                busy.removeAll(busyBefore);
                Set<Long> async = ids(all, DetachedWorkDetector::isAsyncTask);
                boolean hasMoreThreads = !asyncBefore.containsAll(async);
                asyncBefore = async;
                boolean isStillIdle = isIdle.getAsBoolean(); // otherwise it may be that call's work
                synchronized (this) {
                    samples += isStillIdle ? 1 : 0;
                    busySamples += isStillIdle && !busy.isEmpty() ? 1 : 0;
                    commonSamples += isStillIdle && (hasMoreThreads || hasMoreInPool) ? 1 : 0;
                }
                done++;
                clients(all.keySet());
            }
        }
    }

    private void clients(Set<Thread> all) {
        long[] found = all.stream()
                .filter(thread -> CLIENT.matcher(thread.getName()).matches())
                .mapToLong(Thread::getId)
                .sorted()
                .toArray();
        synchronized (this) {
            if (!Arrays.equals(found, clients)) {
                clients = found;
                clientTime.restart();
            }
        }
    }

    private long clientNanos() {
        long sum = 0;
        for (long client : clients) {
            sum += threads.isThreadCpuTimeSupported() ? Math.max(0, threads.getThreadCpuTime(client)) : 0;
        }
        return sum;
    }

    /** Compared with before the last call; the next one may begin at any moment. */
    private synchronized boolean hasMoreCommonTasks() {
        return commonTasks() > commonBefore;
    }

    private static int commonTasks() {
        ForkJoinPool pool = ForkJoinPool.commonPool();
        return pool.getActiveThreadCount() + pool.getQueuedSubmissionCount();
    }

    /** Threads of pools that are performing a task. */
    private static Set<Long> busy(Map<Thread, StackTraceElement[]> all) {
        return ids(all, DetachedWorkDetector::isBusy);
    }

    private static Set<Long> ids(Map<Thread, StackTraceElement[]> all, Predicate<StackTraceElement[]> isCounted) {
        return all.entrySet().stream()
                .filter(each -> !each.getKey().getName().startsWith("downbeat") && isCounted.test(each.getValue()))
                .map(Map.Entry::getKey)
                .map(Thread::getId)
                .collect(Collectors.toSet());
    }

    private static boolean isBusy(StackTraceElement[] stack) {
        return contains(stack, "runWorker") && !contains(stack, "getTask") && !contains(stack, "awaitWork");
    }

    /** On two processors or less, some JDKs start a thread for each task that is meant for the common pool. */
    private static boolean isAsyncTask(StackTraceElement[] stack) {
        return !contains(stack, "runWorker")
                && Arrays.stream(stack)
                        .anyMatch(
                                frame -> frame.getClassName().startsWith(CompletableFuture.class.getName() + "$Async"));
    }

    /** Tomcat has a ThreadPoolExecutor of its own. */
    private static boolean contains(StackTraceElement[] stack, String method) {
        return Arrays.stream(stack)
                .anyMatch(frame -> frame.getMethodName().equals(method)
                        && (frame.getClassName().endsWith("ThreadPoolExecutor")
                                || frame.getClassName().endsWith("ForkJoinPool")));
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(sampler);
    }

    /**
     * The CPU time of the HTTP client's threads, inside calls and between them. What is spent inside calls that overlap
     * does not count. Not thread-safe.
     */
    static final class ClientTime {
        private static final double MOSTLY = 0.7;
        private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

        private long lastNanos = -1;
        private boolean isOpen;
        private long insideNanos;
        private long outsideNanos;

        /** A call starts and no other is running. */
        void started(long cpuNanos) {
            outsideNanos += isOpen ? 0 : sinceLast(cpuNanos);
            isOpen = true;
            lastNanos = cpuNanos;
        }

        /** That call returned, and no other is running. */
        void returned(long cpuNanos) {
            insideNanos += sinceLast(cpuNanos);
            isOpen = false;
            lastNanos = cpuNanos;
        }

        /** The next CPU time is of other threads. */
        void restart() {
            lastNanos = -1;
        }

        boolean isMostlyOutside() {
            long bothNanos = insideNanos + outsideNanos;
            return bothNanos >= LEAST_NANOS && outsideNanos > MOSTLY * bothNanos;
        }

        private long sinceLast(long cpuNanos) {
            return lastNanos < 0 ? 0 : Math.max(0, cpuNanos - lastNanos);
        }
    }
}
