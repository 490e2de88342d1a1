package dev.downbeat.spring;

import dev.downbeat.load.Request;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs the recorder's own steps within a service's request. What they throw is logged, since the service must answer as
 * it would without a recorder. Thread-safe.
 */
@SuppressWarnings("IllegalCatch") // whatever it is
final class Contained {
    private static final Log LOG = LogFactory.getLog(Contained.class);

    /** Each request may fail alike, so only the first is a warning. */
    private static final AtomicBoolean WAS_REPORTED = new AtomicBoolean();

    private Contained() {}

    /** The request to record; null if it is not recorded, or if that failed. */
    static <T> @Nullable T begin(Supplier<@Nullable T> step) {
        try {
            return step.get();
        } catch (Throwable thrown) {
            report(thrown);
            return null;
        }
    }

    static void run(Runnable step) {
        try {
            step.run();
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    /** Ends a request by this step, or as failed if the step fails: it must not stay in flight. */
    static void end(Request recorded, Runnable step) {
        try {
            step.run();
        } catch (Throwable thrown) {
            report(thrown);
            run(recorded::close);
        }
    }

    private static void report(Throwable thrown) {
        String line = "a request could not be recorded: " + thrown;
        if (WAS_REPORTED.compareAndSet(false, true)) {
            LOG.warn(line + "; further ones are logged at debug level", thrown);
        } else {
            LOG.debug(line, thrown);
        }
    }
}
