package dev.downbeat.load;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What went wrong beside the arguments of a call: nothing could be measured, there is no such number, a file cannot be
 * written. The message is one clear line; the cause, if there is one, is what the system said. A setting that is refused is an
 * {@link IllegalArgumentException}, and an objective that was missed an {@link AssertionError}.
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
     * What a file refused.
     *
     * @param file as the caller named it
     * @param done such as "read"
     * @param cause what the system said
     */
    public static LoadException of(Path file, String done, IOException cause) {
        String why = cause instanceof NoSuchFileException
                ? "it does not exist"
                : cause instanceof AccessDeniedException ? "no permission" : String.valueOf(cause.getMessage());
        return new LoadException(file + " cannot be " + done + ": " + why, cause);
    }
}
