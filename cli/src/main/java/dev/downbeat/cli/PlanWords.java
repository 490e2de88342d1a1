package dev.downbeat.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The words of a command line that say what is measured, and not by whom or where the result goes: always the same for the same. */
final class PlanWords {
    /** What is not of the load. */
    private static final Set<String> BESIDE = Set.of(
            "--plan",
            "--plan-id",
            "--shard",
            "--start-at",
            "--processes",
            "--output",
            "--json",
            "--quiet",
            "--verbose",
            "--color");

    private static final Set<String> FILES = Set.of("--replay", "--replay-log");
    private static final String BODY = "--data=@";
    private static final int ID_LENGTH = 12;

    private PlanWords() {}

    /**
     * The target, then the options in the order of their names.
     *
     * @param parsed of a command that has the options of {@code run}
     * @param alsoBeside further options that are not of the load
     */
    static List<String> of(ParseResult parsed, Set<String> alsoBeside) {
        List<String> words = new ArrayList<>();
        parsed.matchedPositionals().forEach(positional -> words.addAll(positional.originalStringValues()));
        parsed.matchedOptions().stream()
                .distinct()
                .filter(option -> !BESIDE.contains(option.longestName()) && !alsoBeside.contains(option.longestName()))
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .forEach(option -> words.addAll(words(option)));
        return words;
    }

    /** An option as one word for each of its values. */
    static List<String> words(OptionSpec option) {
        if (option.arity().max() == 0) {
            return List.of(option.longestName());
        }
        String equals = option.longestName().startsWith("--") ? "=" : "";
        return option.originalStringValues().stream()
                .map(value -> option.longestName() + equals + value)
                .toList();
    }

    /**
     * What results must have in common to belong together: it follows from the words, the files that they name, and the
     * number of shards.
     *
     * @throws IOException if a file cannot be read
     */
    static String id(List<String> words, int shards) throws IOException {
        MessageDigest digest = sha256();
        line(digest, "downbeat plan 1");
        line(digest, shards + " shards");
        for (String word : words) {
            line(digest, word);
            String file = file(word);
            if (!file.isEmpty()) {
                digest.update(Files.readAllBytes(Path.of(file)));
            }
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, ID_LENGTH);
    }

    private static String file(String word) {
        if (word.startsWith(BODY)) {
            return word.substring(BODY.length());
        }
        int equals = word.indexOf('=');
        return equals > 0 && FILES.contains(word.substring(0, equals)) ? word.substring(equals + 1) : "";
    }

    private static void line(MessageDigest digest, String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
