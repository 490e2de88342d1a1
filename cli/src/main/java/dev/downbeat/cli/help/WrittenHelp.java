package dev.downbeat.cli.help;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Helps of 80 columns, rendered at build time, since picocli takes longer than most short runs. A test compares them
 * with picocli's.
 */
public final class WrittenHelp {
    private WrittenHelp() {}

    /** The help that the arguments ask for; empty if they do not, or for unknown commands. */
    public static Optional<String> of(String... words) {
        return switch (words.length) {
            case 1 -> isHelp(words[0]) || words[0].equals("help") ? text("help.txt") : Optional.empty();
            case 2 -> ofTwo(words[0], words[1]);
            default -> Optional.empty();
        };
    }

    private static Optional<String> ofTwo(String first, String second) {
        if (first.equals("help")) {
            return isHelp(second) ? text("help-help.txt") : whole(second);
        }
        return isHelp(second) ? text(first, "-short").or(() -> whole(first)) : Optional.empty();
    }

    private static boolean isHelp(String word) {
        return word.equals("--help") || word.equals("-h");
    }

    private static Optional<String> whole(String command) {
        return text(command, "");
    }

    private static Optional<String> text(String command, String which) {
        return command.chars().allMatch(letter -> letter >= 'a' && letter <= 'z')
                ? text("help-" + command + which + ".txt")
                : Optional.empty();
    }

    private static Optional<String> text(String name) {
        try (InputStream in = WrittenHelp.class.getResourceAsStream("/dev/downbeat/cli/" + name)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
