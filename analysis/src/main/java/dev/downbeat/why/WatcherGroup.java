package dev.downbeat.why;

import dev.downbeat.time.Daemon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs several watchers during one run. Any failure of a watcher becomes a note; none ends the run. Used by one
 * thread, but for its limit.
 */
public final class WatcherGroup implements AutoCloseable {
    /** After a signal, a JVM waits 10 s for the report, and a pod is killed after 30 s, while uploads take time. */
    private static final Duration LAST_LOOK = Duration.ofSeconds(5);

    private final Duration lastLook;
    private final List<Watcher> watchers;
    private final List<String> broken = new ArrayList<>();
    private @Nullable Thread ending;
    private boolean isExpired;

    private WatcherGroup(List<Watcher> watchers, Duration lastLook) {
        this.lastLook = lastLook;
        this.watchers = List.copyOf(watchers);
    }

    /** Starts the watchers; close the result. */
    public static WatcherGroup begin(List<? extends ServiceWatch> watchers) {
        return begin(watchers, LAST_LOOK);
    }

    static WatcherGroup begin(List<? extends ServiceWatch> watchers, Duration lastLook) {
        WatcherGroup watching =
                new WatcherGroup(watchers.stream().map(Watcher.class::cast).toList(), lastLook);
        for (Watcher watcher : watching.watchers) {
            watching.broken.add(said(watcher::begin));
        }
        return watching;
    }

    /**
     * What each watcher saw, in their order; arguments as of {@link Watcher#end}. On an interrupted thread as after
     * {@link #endSoon}.
     */
    public List<WatchResult> end(long startAt, long durationNanos) {
        boolean interrupted = Thread.interrupted(); // interrupted runs are reported as well
        try {
            if (interrupted) {
                endSoon();
            }
            ends(Thread.currentThread());
            return seen(startAt, durationNanos);
        } finally {
            ends(null);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Limits the end of all watchers to 5 s from now: a service that hangs answers none of them. Thread-safe. */
    public void endSoon() {
        long atNanos = System.nanoTime() + lastLook.toNanos();
        Daemon.start("downbeat-watch-end", () -> expire(atNanos));
    }

    private void expire(long atNanos) {
        while (atNanos - System.nanoTime() > 0) {
            LockSupport.parkNanos(atNanos - System.nanoTime());
        }
        expire();
    }

    private synchronized void expire() {
        isExpired = true;
        if (ending != null) {
            ending.interrupt();
        }
    }

    private synchronized void ends(@Nullable Thread thread) {
        ending = thread;
        if (thread == null) {
            Thread.interrupted(); // by the limit, which has no effect on the report
        } else if (isExpired) {
            thread.interrupt();
        }
    }

    private List<WatchResult> seen(long startAt, long durationNanos) {
        List<WatchResult> seen = new ArrayList<>();
        for (int i = 0; i < watchers.size(); i++) {
            Watcher watcher = watchers.get(i);
            List<WatchResult> one = new ArrayList<>();
            String why =
                    broken.get(i).isEmpty() ? said(() -> one.add(watcher.end(startAt, durationNanos))) : broken.get(i);
            seen.add(one.isEmpty() ? WatchResult.nothing(watcher.source(), why) : one.get(0));
        }
        return seen;
    }

    @Override
    public void close() {
        watchers.forEach(watcher -> said(watcher::close));
    }

    /** The problem in one line; empty if there was none. */
    @SuppressWarnings("IllegalCatch") // watchers may be foreign code, and the run must go on
    private static String said(Runnable step) {
        try {
            step.run();
            return "";
        } catch (RuntimeException | LinkageError broken) {
            String message = broken.getMessage();
            return "nothing was watched: "
                    + (message == null
                            ? broken.getClass().getSimpleName()
                            : message.lines().findFirst().orElse(""));
        }
    }
}
