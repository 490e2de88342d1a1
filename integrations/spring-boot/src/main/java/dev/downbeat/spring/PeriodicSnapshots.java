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

/** Takes what was recorded each minute, or as often as is said, and tells whoever wants to know. Thread-safe. */
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

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the timer
    PeriodicSnapshots(LiveRecorder recorder, DownbeatProperties properties, Consumer<Measured> listener) {
        this.recorder = recorder;
        this.objectives = properties.objectives().toArray(String[]::new);
        this.listener = listener;
        recorder.take(objectives); // refuses what it does not understand now, and not in a minute
        long nanos = properties.interval().toNanos();
        timer.scheduleAtFixedRate(this::take, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Never throws: else it would be the last time. */
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

    /** What was taken last. */
    Optional<Measured> newest() {
        return Optional.ofNullable(newest);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
