package dev.downbeat.gatling.version;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** A user error, reported in one line without a stack trace. */
public final class UserMistake extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private transient boolean isPrinted;

    public UserMistake(String message) {
        super(message);
    }

    /**
     * Ensures that a refusal is shown only as its line. Gatling logs any exception that ends a run as a crash, with a
     * stack trace, and its main method passes it to the JVM, which prints another.
     */
    public static void showInOneLine() {
        if (GatlingLauncher.ofThisThread() == GatlingLauncher.MAIN) {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
                if (!print(thrown)) {
                    thread.getThreadGroup().uncaughtException(thread, thrown);
                }
            });
        }
        if (OptionalClass.isThere("ch.qos.logback.classic.LoggerContext")) {
            RefusalFilter.install();
        }
    }

    /** Prints the refusal behind an exception, once; false if there is none. */
    static boolean print(@Nullable Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof UserMistake refusal) {
                refusal.print();
                return true;
            }
        }
        return false;
    }

    private synchronized void print() {
        if (!isPrinted) {
            System.err.println("downbeat: " + getMessage());
            isPrinted = true;
        }
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    /**
     * Prints a refusal as its single line where Gatling logs a crash of its run. Removed by the next reset of the logging.
     */
    private static final class RefusalFilter extends TurboFilter {
        static void install() {
            if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging
                    && logging.getTurboFilterList().stream().noneMatch(RefusalFilter.class::isInstance)) {
                logging.addTurboFilter(new RefusalFilter());
            }
        }

        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger logger,
                Level level,
                @Nullable String format,
                @Nullable Object[] parameters,
                @Nullable Throwable thrown) {
            return thrown != null && print(thrown) ? FilterReply.DENY : FilterReply.NEUTRAL;
        }
    }
}
