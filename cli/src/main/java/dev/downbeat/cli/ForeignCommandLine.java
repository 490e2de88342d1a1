package dev.downbeat.cli;

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

    private ForeignCommandLine() {}

    /** The answer to another tool's command line; empty for Downbeat's own. */
    public static Optional<String> answer(String... args) {
        int first = args.length > 1 && args[0].equals("run") ? 1 : 0;
        if (args.length == 0) {
            return Optional.empty();
        }
        boolean isUrl = args[first].contains("://");
        String tool = isUrl
                ? ""
                : args[first].substring(args[first].lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        List<String> rest = List.of(args).subList(first + 1, args.length);
        if (tool.equals("curl")) {
            String line = "curl " + ShellWords.line(rest);
            return Optional.of("this is a line of curl; here it is:\n  downbeat run --curl " + ShellWords.quoted(line)
                    + " -R 100 -d 10s");
        }
        if (TOOLS.contains(tool)) {
            return Optional.of("this is a line of " + tool + "; ours is such as:\n"
                    + "  downbeat run " + url(args) + " -R 100 -d 10s\n"
                    + "  (-R is the rate of all -c connections together; with --closed N instead of -R, N virtual users"
                    + " wait for each response)");
        }
        return missingWord(first, args);
    }

    private static String url(String... args) {
        String last = args[args.length - 1];
        return Stream.of(args)
                .filter(word -> word.startsWith("http://") || word.startsWith("https://"))
                .reduce((before, after) -> after) // an earlier one may be a proxy's
                .or(() -> Optional.of("http://" + last).filter(url -> last.matches("[\\w.-]+:\\d+(/.*)?")))
                .map(ShellWords::quoted)
                .orElse("http://HOST/");
    }

    /** Suggests the missing command before a URL, or the missing scheme. */
    private static Optional<String> missingWord(int first, String... args) {
        String word = args[first];
        boolean isUrl = word.startsWith("http://") || word.startsWith("https://") || word.startsWith("unix:/");
        if (first == 0 && isUrl) {
            return Optional.of("a command is missing; the line is:\n  downbeat run " + ShellWords.line(List.of(args)));
        }
        boolean isHost = word.matches("(localhost|[\\w-]+(\\.[\\w-]+)+|\\d+\\.\\d+\\.\\d+\\.\\d+):\\d+(/.*)?");
        if (isHost) {
            List<String> rest = new ArrayList<>(List.of(args).subList(first + 1, args.length));
            rest.add(0, "http://" + word);
            return Optional.of(
                    "a target needs http:// or https://; the line is:\n  downbeat run " + ShellWords.line(rest));
        }
        return Optional.empty();
    }
}
