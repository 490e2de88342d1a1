package dev.downbeat.report.render;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Quotes words for a POSIX shell, on one line whatever they contain. */
public final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");
    private static final Pattern OPTION = Pattern.compile("(--[a-z-]+=)(.*)", Pattern.DOTALL);
    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");
    private static final Pattern LAST_LINES = Pattern.compile("\\n*\\z");

    private ShellWords() {}

    /** A line that can be pasted into a shell; words are quoted where needed. */
    public static String line(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    /** A word, quoted if needed. */
    public static String quoted(String word) {
        if (PLAIN.matcher(word).matches()) {
            return word;
        }
        var option = OPTION.matcher(word); // --slo='p99<50ms' reads better than '--slo=p99<50ms'
        String name = option.matches() ? option.group(1) : "";
        String rest = word.substring(name.length());
        return name + (CONTROL.matcher(rest).find() ? printed(rest) : single(rest));
    }

    private static String single(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** Newlines and control characters as printf escapes, since a shell drops trailing newlines. */
    private static String printed(String text) {
        var last = LAST_LINES.matcher(text);
        String newlines = last.find() ? last.group() : "";
        String before = text.substring(0, text.length() - newlines.length()).replace("\\", "\\\\");
        String escaped = CONTROL.matcher(before).replaceAll(found -> octal(found.group()));
        return (escaped.isEmpty() ? "" : "\"$(printf %b " + single(escaped) + ")\"")
                + (newlines.isEmpty() ? "" : single(newlines));
    }

    private static String octal(String character) {
        StringBuilder octal = new StringBuilder();
        for (byte one : character.getBytes(StandardCharsets.UTF_8)) {
            octal.append("\\\\0")
                    .append(Integer.toOctalString(Byte.toUnsignedInt(one) + 01000)
                            .substring(1));
        }
        return octal.toString();
    }
}
