package dev.downbeat.cli.foreign;

import dev.downbeat.report.paper.ShellWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Answers a command line of another tool. It is never run as is, since options of the same name may have another
 * meaning.
 */
public final class ForeignLine {
    private ForeignLine() {}

    /** The answer to another tool's command line; empty for Downbeat's own. */
    public static Optional<String> answer(String... args) {
        int first = args.length > 1 && args[0].equals("run") ? 1 : 0;
        if (args.length == 0) {
            return Optional.empty();
        }
        String tool = args[first].substring(args[first].lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        List<String> rest = List.of(args).subList(first + 1, args.length);
        if (tool.equals("curl")) {
            List<String> line = new ArrayList<>(List.of("curl"));
            line.addAll(rest);
            return Optional.of("this is a line of curl; here it is:\n  downbeat run --curl "
                    + ShellWords.quoted(String.join(
                            " ", line.stream().map(ShellWords::quoted).toList()))
                    + " -R 100 -d 10s");
        }
        List<String> behindRun = first == 0 ? List.of() : List.of(args).subList(1, args.length);
        if (behindRun.contains("-z")) { // not an option of Downbeat; oha's and hey's duration
            return ForeignTools.named("oha").map(known -> known.read(behindRun).text());
        }
        return ForeignTools.named(tool).map(known -> known.read(rest).text()).or(() -> missingWord(first, args));
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
