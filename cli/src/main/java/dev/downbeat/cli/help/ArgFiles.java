package dev.downbeat.cli.help;

import java.io.IOException;
import java.io.StreamTokenizer;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Distinguishes values of {@code --data}, {@code --curl} and {@code --sql} from what picocli takes them for: {@code @FILE}
 * from its argument files, and a comment of SQL from an option.
 */
public final class ArgFiles {
    private static final Set<String> WITH_FILE = Set.of("--data", "--curl", "--sql");

    /** No option's name has a space after its hyphens. */
    private static final Pattern SQL_COMMENT = Pattern.compile("--\\s");

    private ArgFiles() {}

    public static String[] escapeBodies(String... args) {
        List<String> escaped = new ArrayList<>(args.length);
        for (int i = 0; i < args.length; i++) {
            boolean isBody = i > 0 && WITH_FILE.contains(args[i - 1]);
            if (isBody && SQL_COMMENT.matcher(args[i]).lookingAt()) {
                escaped.set(escaped.size() - 1, args[i - 1] + "=" + args[i]);
            } else {
                escaped.add(isBody && args[i].startsWith("@") ? "@" + args[i] : args[i]);
            }
        }
        return escaped.toArray(String[]::new);
    }

    /**
     * The words and those of their argument files, as picocli will find them. A pipe can be read only once, so its words
     * are left to picocli.
     */
    static List<String> expanded(String... words) {
        List<String> all = new ArrayList<>();
        Set<Path> within = new HashSet<>();
        for (String word : escapeBodies(words)) {
            expand(word, all, within);
        }
        return all;
    }

    private static void expand(String word, List<String> all, Set<Path> within) {
        if (!word.matches("(?s)@[^@].*")) {
            all.add(word);
            return;
        }
        try {
            Path file = Path.of(word.substring(1)).toAbsolutePath();
            if (!Files.isRegularFile(file)) {
                all.add(word);
            } else if (within.add(file)) {
                for (String inner : words(Files.readString(file))) {
                    expand(inner, all, within);
                }
                within.remove(file);
            }
        } catch (IOException | InvalidPathException unreadable) {
            all.add(word);
        }
    }

    /** Separated by blanks; quoted ones may contain them, and a comment begins with {@code #}. */
    private static List<String> words(String text) throws IOException {
        StreamTokenizer tokens = new StreamTokenizer(new StringReader(text));
        tokens.resetSyntax();
        tokens.wordChars(' ', 255);
        tokens.whitespaceChars(0, ' ');
        tokens.quoteChar('"');
        tokens.quoteChar('\'');
        tokens.commentChar('#');
        List<String> words = new ArrayList<>();
        while (tokens.nextToken() != StreamTokenizer.TT_EOF) {
            words.add(tokens.sval);
        }
        return words;
    }

    /** The first unreadable argument file, with the reason. */
    public static Optional<String> unreadable(String... escaped) {
        for (String word : escaped) {
            if (word.matches("@[^@].*") && !word.contains("\u0000")) {
                try {
                    Path file = Path.of(word.substring(1));
                    if (Files.isDirectory(file) || !Files.isReadable(file)) {
                        return Optional.of(file + ": " + why(file));
                    }
                } catch (InvalidPathException impossible) {
                    return Optional.of(word.substring(1) + ": cannot be the name of a file");
                }
            }
        }
        return Optional.empty();
    }

    private static String why(Path file) {
        return Files.isDirectory(file)
                ? "is a folder"
                : Files.exists(file) ? "no permission" : "no such file (@FILE holds more options)";
    }
}
