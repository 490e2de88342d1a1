package dev.downbeat.cli.measurement;

import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Text for one line of stderr. */
public final class Messages {
    private static final int LONGEST = 300;

    private Messages() {}

    /** The text on one line, without secrets and control characters, cut if it is long: it may hold what somebody pasted. */
    public static String line(String said) {
        String text = Redaction.line(Plain.line(said));
        StringBuilder line = new StringBuilder();
        boolean space = false;
        for (int i = 0; i < text.length() && line.length() < LONGEST; i++) {
            char c = text.charAt(i);
            boolean blank = Character.isISOControl(c) || Character.isWhitespace(c);
            if (!blank) {
                line.append(c);
            } else if (!space && line.length() > 0) {
                line.append(' ');
            }
            space = blank;
        }
        return line.length() < LONGEST ? line.toString().strip() : line + "...";
    }

    /** What an exception says, or its class if it says nothing. */
    public static String of(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : line(message);
    }

    /** A file's trouble in words; {@code NoSuchFileException} says only the name. */
    public static String ofFile(IOException thrown) {
        if (thrown instanceof NoSuchFileException missing) {
            return "no such file or folder: " + missing.getFile();
        }
        if (thrown instanceof AccessDeniedException denied) {
            return "no permission: " + denied.getFile();
        }
        if (thrown instanceof FileSystemException broken) {
            if (Files.isDirectory(Path.of(broken.getFile()))) {
                return broken.getFile() + " is a folder";
            }
            return broken.getFile() + ": " + (broken.getReason() == null ? "cannot be used" : broken.getReason());
        }
        return of(thrown);
    }
}
