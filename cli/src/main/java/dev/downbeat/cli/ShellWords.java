package dev.downbeat.cli;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words as a POSIX shell reads them. */
final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");
    private static final Pattern OPTION = Pattern.compile("(--[a-z-]+=)(.*)", Pattern.DOTALL);

    private ShellWords() {}

    /** A line that can be pasted: each word is quoted if it must be. */
    static String line(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    static String quoted(String word) {
        if (PLAIN.matcher(word).matches()) {
            return word;
        }
        var option = OPTION.matcher(word); // --slo='p99<50ms' reads better than '--slo=p99<50ms'
        String name = option.matches() ? option.group(1) : "";
        return name + "'" + word.substring(name.length()).replace("'", "'\\''") + "'";
    }
}
