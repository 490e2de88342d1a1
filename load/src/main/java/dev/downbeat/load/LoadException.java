package dev.downbeat.load;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A failure that is nobody's mistake: nothing could be measured, a value does not exist, or a file cannot be read or
 * written. The message is one line; the cause, if any, is the system's error. Bad arguments throw {@link
 * IllegalArgumentException}, calls at the wrong time {@link IllegalStateException}, missed objectives {@link
 * AssertionError}.
 */
public final class LoadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LoadException(String message) {
        super(message);
    }

    LoadException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * A failed file operation.
     *
     * @param file as the caller named it
     * @param done the operation, such as "read"
     * @param cause the system's error
     */
    public static LoadException of(Path file, String done, IOException cause) {
        String why = cause instanceof NoSuchFileException
                ? "it does not exist"
                : cause instanceof AccessDeniedException
                        ? "no permission"
                        : Objects.requireNonNullElse(
                                cause.getMessage(), cause.getClass().getSimpleName());
        return new LoadException(file + " cannot be " + done + ": " + why, cause);
    }
}
