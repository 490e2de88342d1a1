package dev.downbeat.gatling.version;

import org.jspecify.annotations.Nullable;

/** A mistake of the user's, told in one line: a stack trace would hide it. */
public final class UserMistake extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private transient boolean told;

    public UserMistake(String message) {
        super(message);
    }

    /**
     * Sees that this is all that is shown of a refusal. Gatling logs whatever ends a run as a crash, with a trace, and its
     * main method leaves it to the JVM, which prints another.
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
     * Prints the refusal that something was thrown for, once.
     *
     * @return whether it was thrown for one
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
