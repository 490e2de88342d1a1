package dev.downbeat.cli.help;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Keeps {@code --data @FILE} and {@code --sql @FILE} apart from picocli's {@code @FILE}, which stands for the options in that file. */
public final class ArgFiles {
    private static final Set<String> HOLDS_FILES = Set.of("--data", "--sql");

    private ArgFiles() {}

    public static String[] escapeBodies(String... args) {
        String[] escaped = args.clone();
        for (int i = 1; i < escaped.length; i++) {
            if (HOLDS_FILES.contains(args[i - 1]) && args[i].startsWith("@")) {
                escaped[i] = "@" + args[i];
            }
        }
        return escaped;
    }

    /** A file of options that picocli would fail to read, and why. */
    public static Optional<String> unreadable(String... escaped) {
        for (String word : escaped) {
            if (word.matches("@[^@].*") && !word.contains("\u0000")) {
                Path file = Path.of(word.substring(1));
                if (Files.exists(file) && (Files.isDirectory(file) || !Files.isReadable(file))) {
                    return Optional.of(file + ": " + (Files.isDirectory(file) ? "it is a folder" : "no permission"));
                }
            }
        }
        return Optional.empty();
    }
}
