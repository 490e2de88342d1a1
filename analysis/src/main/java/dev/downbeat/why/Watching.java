package dev.downbeat.why;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Several watchers during one run. Whatever goes wrong in one of them becomes a note: no watcher ends a run. Used by one
 * thread.
 */
public final class Watching implements AutoCloseable {
    private final List<Watcher> watchers;
    private final List<String> broken = new ArrayList<>();

    private Watching(List<Watcher> watchers) {
        this.watchers = List.copyOf(watchers);
    }

    /** Begins to watch; to be closed. */
    public static Watching begin(List<? extends ServiceWatch> watchers) {
        Watching watching =
                new Watching(watchers.stream().map(Watcher.class::cast).toList());
        for (Watcher watcher : watching.watchers) {
            watching.broken.add(said(() -> {
                watcher.begin();
                return "";
            }));
        }
        return watching;
    }

    /** What each saw, in their order; the arguments are those of {@link Watcher#end}. */
    public List<Watched> end(long startAt, long durationNanos) {
        boolean interrupted = Thread.interrupted(); // a run that was interrupted is to be told of as well
        try {
            return seen(startAt, durationNanos);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private List<Watched> seen(long startAt, long durationNanos) {
        List<Watched> seen = new ArrayList<>();
        for (int i = 0; i < watchers.size(); i++) {
            Watcher watcher = watchers.get(i);
            List<Watched> one = new ArrayList<>();
            String why = broken.get(i).isEmpty()
                    ? said(() -> {
                        one.add(watcher.end(startAt, durationNanos));
                        return "";
                    })
                    : broken.get(i);
            seen.add(one.isEmpty() ? Watched.nothing(watcher.source(), why) : one.get(0));
        }
        return seen;
    }

    @Override
    public void close() {
        watchers.forEach(watcher -> said(() -> {
            watcher.close();
            return "";
        }));
    }

    /** What went wrong, in a line; empty if nothing did. */
    @SuppressWarnings("IllegalCatch") // a watcher may be anybody's code, and the run goes on
    private static String said(Supplier<String> step) {
        try {
            return step.get();
        } catch (RuntimeException | LinkageError broken) {
            String message = broken.getMessage();
            return "nothing was watched: "
                    + (message == null
                            ? broken.getClass().getSimpleName()
                            : message.lines().findFirst().orElse(""));
        }
    }
}
