package dev.downbeat.why;

import dev.downbeat.time.Daemon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs several watchers during one run. A failure of a watcher becomes a note and never ends the run. Used by one
 * thread, except {@link #endSoon}.
 */
public final class WatcherGroup implements AutoCloseable {
    /** A JVM waits 10 s for the report after a signal, and a pod is killed after 30 s, uploads included. */
    private static final Duration LAST_LOOK = Duration.ofSeconds(5);

    private final Duration lastLook;
    private final List<Watcher> watchers;
    private final List<String> startProblems = new ArrayList<>();
    private @Nullable Thread endingThread;
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
        WatcherGroup group =
                new WatcherGroup(watchers.stream().map(Watcher.class::cast).toList(), lastLook);
        for (Watcher watcher : group.watchers) {
            group.startProblems.add(problemOf(watcher::begin));
        }
        return group;
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
            setEnding(Thread.currentThread());
            return results(startAt, durationNanos);
        } finally {
            setEnding(null);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Limits the end of all watchers to 5 s from now, since a hanging service answers none of them. Thread-safe. */
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
        if (endingThread != null) {
            endingThread.interrupt();
        }
    }

    private synchronized void setEnding(@Nullable Thread thread) {
        endingThread = thread;
        if (thread == null) {
            Thread.interrupted(); // clears an interrupt by the limit, which must not affect the report
        } else if (isExpired) {
            thread.interrupt();
        }
    }

    private List<WatchResult> results(long startAt, long durationNanos) {
        List<WatchResult> results = new ArrayList<>();
        for (int i = 0; i < watchers.size(); i++) {
            Watcher watcher = watchers.get(i);
            List<WatchResult> one = new ArrayList<>();
            String why = startProblems.get(i).isEmpty()
                    ? problemOf(() -> one.add(watcher.end(startAt, durationNanos)))
                    : startProblems.get(i);
            results.add(one.isEmpty() ? WatchResult.nothing(watcher.source(), why) : one.get(0));
        }
        return results;
    }

    @Override
    public void close() {
        watchers.forEach(watcher -> problemOf(watcher::close));
    }

    /** The problem in one line; empty if there was none. */
    @SuppressWarnings("IllegalCatch") // watchers may be foreign code, and the run must go on
    private static String problemOf(Runnable step) {
        try {
            step.run();
            return "";
        } catch (RuntimeException | LinkageError failure) {
            String message = failure.getMessage();
            return "nothing was watched: "
                    + (message == null
                            ? failure.getClass().getSimpleName()
                            : message.lines().findFirst().orElse(""));
        }
    }
}
