package dev.downbeat.load;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for blocking code: virtual ones if the JDK has them (21), otherwise a pool. No request queues in the pool: it
 * accepts only as many as it has threads. The others wait in the backlog, where the wait is measured.
 */
final class Workers {
    private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

    /** A virtual thread costs a few hundred bytes; a platform thread costs a stack and an entry in the scheduler. */
    private static final int MOST = VIRTUAL ? 10_000 : 256;

    private Workers() {}

    /** The default maximum number of requests in flight. */
    static int most() {
        return MOST;
    }

    /** "virtual" or "platform". */
    static String kind() {
        return VIRTUAL ? "virtual" : "platform";
    }

    static ExecutorService start(int limit) {
        return VIRTUAL ? virtual() : platform(limit);
    }

    private static ExecutorService platform(int limit) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(limit, limit, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "downbeat-worker-" + number.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** By reflection, since the method is newer than the target JDK. */
    private static ExecutorService virtual() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException impossible) {
            throw new IllegalStateException("JDK " + Runtime.version() + " has no virtual threads", impossible);
        }
    }
}
