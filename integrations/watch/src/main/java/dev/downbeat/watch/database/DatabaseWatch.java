package dev.downbeat.watch.database;

import dev.downbeat.watch.sample.SamplingWatcher;
import dev.downbeat.why.Watcher;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The sessions of a database server, over a connection that its caller makes. */
public final class DatabaseWatch {
    private static final long SESSIONS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String ENDED = "it ended while it was watched";

    private DatabaseWatch() {}

    /**
     * A watcher; it does nothing until it begins.
     *
     * @param spec as the user wrote it
     */
    public static Watcher of(String spec, DatabaseConnector connector) {
        return new SamplingWatcher(
                spec,
                SESSIONS_NANOS / 2,
                () -> {
                    DatabaseSampler sampler = new DatabaseSampler(connector);
                    sampler.first();
                    return List.of(new SamplingWatcher.Looking(SESSIONS_NANOS, List.of(sampler)));
                },
                ENDED);
    }
}
