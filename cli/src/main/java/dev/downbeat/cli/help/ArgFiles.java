package dev.downbeat.cli.help;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Distinguishes the {@code @FILE} of {@code --data}, {@code --curl} and {@code --sql} from picocli's argument files.
 */
public final class ArgFiles {
    /** Options whose value may be {@code @} and a file. */
    private static final Set<String> WITH_FILE = Set.of("--data", "--curl", "--sql");

    private ArgFiles() {}

    public static String[] escapeBodies(String... args) {
        String[] escaped = args.clone();
        for (int i = 1; i < escaped.length; i++) {
            if (WITH_FILE.contains(args[i - 1]) && args[i].startsWith("@")) {
                escaped[i] = "@" + args[i];
            }
        }
        return escaped;
    }

    /** The first unreadable argument file, with the reason. */
    public static Optional<String> unreadable(String... escaped) {
        for (String word : escaped) {
            if (word.matches("@[^@].*") && !word.contains("\u0000")) {
                Path file = Path.of(word.substring(1));
                if (Files.isDirectory(file) || !Files.isReadable(file)) {
                    return Optional.of(file + ": " + why(file));
                }
            }
        }
        return Optional.empty();
    }

    private static String why(Path file) {
        return Files.isDirectory(file)
                ? "it is a folder"
                : Files.exists(file) ? "no permission" : "no such file (@FILE holds more options)";
    }
}
