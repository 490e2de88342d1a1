package dev.downbeat.cli.measurement.option;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Texts for one line of stderr. */
public final class Messages {
    /** The usual cause of a missing class. A constant, since a replaced program can load no further class. */
    public static final String REPLACED = ": was this program replaced while it ran?";

    private static final int LONGEST = 2_000;
    private static final int LONGEST_WORD = 300;

    private Messages() {}

    /**
     * The text on one line, without secrets and control characters. Long words are shortened, since they may be pasted
     * input; a command to paste stays whole.
     */
    public static String line(String message) {
        String text = Redaction.line(SafeText.line(message));
        StringBuilder line = new StringBuilder();
        int word = 0;
        for (int i = 0; i < text.length() && line.length() < LONGEST; i++) {
            char c = text.charAt(i);
            boolean blank = Character.isISOControl(c) || Character.isWhitespace(c);
            if (!blank) {
                word++;
                line.append(word <= LONGEST_WORD ? Character.toString(c) : word == LONGEST_WORD + 1 ? "..." : "");
            } else if (word > 0) {
                line.append(' ');
                word = 0;
            }
        }
        return line.length() < LONGEST ? line.toString().strip() : line + "...";
    }

    /** An exception's message, or its class if it has none. That of a file error may only contain the name. */
    public static String of(Throwable thrown) {
        if (thrown instanceof FileSystemException broken && broken.getFile() != null) {
            return line(broken.getFile() + ": " + reason(broken));
        }
        String message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : line(message);
    }

    /** Why a file, named as the user did, cannot be read. */
    public static String unreadable(Object name, IOException why) {
        return "cannot read " + name + ": " + (why instanceof FileSystemException broken ? reason(broken) : of(why));
    }

    /** Why a saved file was refused; problems inside it already state their position. */
    public static String refused(Object name, IOException why) {
        return why instanceof FileSystemException ? unreadable(name, why) : of(why);
    }

    private static String reason(FileSystemException broken) {
        if (broken instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (broken instanceof AccessDeniedException) {
            return "no permission";
        }
        if (Files.isDirectory(Path.of(broken.getFile()))) {
            return "is a folder";
        }
        return broken.getReason() == null ? "cannot be used" : broken.getReason();
    }

    /** "something needs a jar, which is not next to downbeat.jar", with the command that builds it if there is a launcher. */
    public static String missingJar(String what, String jar) {
        String launcher = System.getProperty("downbeat.launcher");
        return what + " needs " + jar + ", which is not next to downbeat.jar"
                + (launcher == null ? "" : "; with DOWNBEAT_JARS=all, " + launcher + " builds it");
    }
}
