package dev.downbeat.exchange;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/** Messages for failed file operations. Pure functions. */
public final class FileFailures {
    private FileFailures() {}

    /**
     * One line: {@code shop.http cannot be read: no such file}.
     *
     * @param file as the caller named it
     * @param done the operation, such as "read"
     * @param cause the system's error
     */
    public static String text(Path file, String done, IOException cause) {
        String why = cause instanceof NoSuchFileException
                ? "no such file"
                : cause instanceof AccessDeniedException
                        ? "no permission"
                        : Objects.requireNonNullElse(
                                cause.getMessage(), cause.getClass().getSimpleName());
        return file + " cannot be " + done + ": " + why;
    }

    /** The exception of every library method that cannot read a file. */
    public static UncheckedIOException unreadable(Path file, IOException cause) {
        return new UncheckedIOException(text(file, "read", cause), cause);
    }
}
