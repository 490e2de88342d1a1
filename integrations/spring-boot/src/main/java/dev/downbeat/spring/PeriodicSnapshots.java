package dev.downbeat.spring;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.LoadException;
import dev.downbeat.load.Measured;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Takes a measurement every minute, or at the configured interval, and passes it to the listeners. Thread-safe. */
final class PeriodicSnapshots implements AutoCloseable {
    private static final Log LOG = LogFactory.getLog(PeriodicSnapshots.class);

    private final LiveRecorder recorder;
    private final String[] objectives;
    private final Consumer<Measured> listener;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "downbeat-taking");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable Measured newest;

    @SuppressWarnings("FutureReturnValueIgnored") // the schedule ends with the timer
    PeriodicSnapshots(LiveRecorder recorder, DownbeatProperties properties, Consumer<Measured> listener) {
        this.recorder = recorder;
        this.objectives = properties.objectives().toArray(String[]::new);
        this.listener = listener;
        recorder.take(objectives); // rejects invalid objectives now rather than a minute later
        long nanos = properties.interval().toNanos();
        timer.scheduleAtFixedRate(this::take, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Never throws, because an exception would end the schedule. */
    @SuppressWarnings("IllegalCatch") // a listener may throw anything
    void take() {
        try {
            Measured measured = recorder.take(objectives);
            newest = measured;
            listener.accept(measured);
            if (measured.planned() > 0) {
                LOG.info(measured.sentence());
            }
        } catch (LoadException closed) {
            LOG.debug("nothing was taken", closed);
        } catch (RuntimeException refused) {
            LOG.warn("what was measured could not be shown: " + refused.getMessage(), refused);
        }
    }

    /** The latest measurement. */
    Optional<Measured> newest() {
        return Optional.ofNullable(newest);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
