package dev.downbeat.load;

import dev.downbeat.exchange.FileFailures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A failure other than a programming error: nothing could be measured, a value does not exist, or a file cannot be
 * written. The message is one line; the cause, if any, is the first exception of the code, or the system's error. Bad
 * arguments throw {@link IllegalArgumentException}, calls at the wrong time {@link IllegalStateException}, files that
 * cannot be read {@link UncheckedIOException}, missed objectives {@link AssertionError}.
 */
public final class LoadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LoadException(String message) {
        super(message);
    }

    LoadException(String message, Throwable cause) {
        super(message, cause);
    }

    /** A failed operation, such as "read", on a file as the caller named it. */
    static LoadException of(Path file, String done, IOException cause) {
        return new LoadException(FileFailures.text(file, done, cause), cause);
    }
}
