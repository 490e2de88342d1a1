package dev.downbeat.gatling.version;

import org.jspecify.annotations.Nullable;

/** A user error, reported in one line without a stack trace. */
public final class UserMistake extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private transient boolean told;

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
                if (!tell(thrown)) {
                    thread.getThreadGroup().uncaughtException(thread, thrown);
                }
            });
        }
        if (OptionalClass.isThere("ch.qos.logback.classic.LoggerContext")) {
            RefusalFilter.install(UserMistake::tell);
        }
    }

    /**
     * Prints the refusal behind an exception, once.
     *
     * @return whether there was one
     */
    static boolean tell(@Nullable Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof UserMistake refusal) {
                refusal.tell();
                return true;
            }
        }
        return false;
    }

    private synchronized void tell() {
        if (!told) {
            System.err.println("downbeat: " + getMessage());
            told = true;
        }
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
