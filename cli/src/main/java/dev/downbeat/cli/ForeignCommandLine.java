package dev.downbeat.cli;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import dev.downbeat.report.render.ShellWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Answers a command line of another tool. It is never run as is, since options of the same name may have another
 * meaning.
 */
public final class ForeignCommandLine {
    private static final Set<String> TOOLS =
            Set.of("ab", "bombardier", "h2load", "hey", "k6", "oha", "vegeta", "wrk", "wrk2");

    /** Options whose values are secret, here and of curl. */
    private static final Set<String> SECRET = Set.of("-u", "--user", "--data");

    private static final Set<String> SECRET_OF_CURL = Set.of(
            "-u",
            "--user",
            "-U",
            "--proxy-user",
            "--oauth2-bearer",
            "-b",
            "--cookie",
            "-d",
            "--data",
            "--data-raw",
            "--data-binary",
            "--data-urlencode",
            "--json",
            "-F",
            "--form");

    private ForeignCommandLine() {}

    /** The answer to another tool's command line; empty for Downbeat's own. */
    public static Optional<String> answer(String... args) {
        int first = args.length > 1 && args[0].equals("run") ? 1 : 0;
        if (args.length == 0) {
            return Optional.empty();
        }
        boolean isTarget = args[first].contains("://") || args[first].startsWith("@"); // a URL or a file of options
        String tool = isTarget
                ? ""
                : args[first].substring(args[first].lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        List<String> rest = List.of(args).subList(first + 1, args.length);
        if (tool.equals("curl")) {
            String line = "curl " + ShellWords.line(redacted(rest, SECRET_OF_CURL));
            return Optional.of("this is a curl command line. In Downbeat:\n  downbeat run --curl "
                    + ShellWords.quoted(line) + " -R 100 -d 10s"
                    + (line.contains(Secret.HIDDEN)
                            ? "\n  (" + Secret.HIDDEN + " stands for what may be secret)"
                            : ""));
        }
        if (TOOLS.contains(tool)) {
            return Optional.of((tool.equals("ab") || tool.equals("oha") ? "this is an " : "this is a ") + tool
                    + " command line. In Downbeat:\n"
                    + "  downbeat run " + url(args) + " -R 100 -d 10s\n"
                    + "  (-R is the rate of all -c connections together; with --closed N instead of -R, N virtual users"
                    + " wait for each response)");
        }
        return missingWord(first, args);
    }

    private static List<String> redacted(List<String> words, Set<String> secret) {
        List<String> redacted = new ArrayList<>();
        String option = "";
        for (String word : words) {
            boolean isSecret = secret.contains(option) && !word.startsWith("@");
            boolean isHeader = option.equals("-H") || option.equals("--header");
            String attached = attached(word, secret);
            redacted.add(
                    isSecret
                            ? Secret.HIDDEN
                            : isHeader
                                    ? Redaction.header(word)
                                    : attached.isEmpty() ? Redaction.word(word) : attached + Secret.HIDDEN);
            option = word;
        }
        return redacted;
    }

    /** The option of a word that also has its secret value, as {@code --user=} or {@code -u}; empty if it has none. */
    private static String attached(String word, Set<String> secret) {
        int end = word.startsWith("--") ? word.indexOf('=') : Math.min(2, word.length());
        boolean isSecret = end > 0 && end < word.length() && secret.contains(word.substring(0, end));
        return isSecret ? word.substring(0, word.startsWith("--") ? end + 1 : end) : "";
    }

    private static String url(String... args) {
        String last = args[args.length - 1];
        return Stream.of(args)
                .filter(word -> word.startsWith("http://") || word.startsWith("https://"))
                .reduce((before, after) -> after) // an earlier one may be a proxy's
                .or(() -> Optional.of("http://" + last).filter(url -> last.matches("[\\w.-]+:\\d+(/.*)?")))
                .map(url -> ShellWords.quoted(Redaction.url(url)))
                .orElse("http://HOST/");
    }

    /** Suggests the missing command before a URL, or the missing scheme. */
    private static Optional<String> missingWord(int first, String... args) {
        String word = args[first];
        boolean isUrl = word.startsWith("http://") || word.startsWith("https://") || word.startsWith("unix:/");
        if (first == 0 && isUrl) {
            return Optional.of("a command is missing; the line is:\n  downbeat run "
                    + ShellWords.line(redacted(List.of(args), SECRET)));
        }
        boolean isHost = word.matches("(localhost|[\\w-]+(\\.[\\w-]+)+|\\d+\\.\\d+\\.\\d+\\.\\d+):\\d+(/.*)?");
        if (isHost) {
            List<String> rest = new ArrayList<>(List.of(args).subList(first + 1, args.length));
            rest.add(0, "http://" + word);
            return Optional.of("a target needs http:// or https://; the line is:\n  downbeat run "
                    + ShellWords.line(redacted(rest, SECRET)));
        }
        return Optional.empty();
    }
}
