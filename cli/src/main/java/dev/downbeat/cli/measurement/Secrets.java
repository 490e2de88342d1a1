package dev.downbeat.cli.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps what is nobody's business out of saved results: the values of telling headers and query parameters, passwords
 * in a URL, and every body given as text, since nobody can say what a body holds.
 */
public final class Secrets {
    public static final String HIDDEN = "***";
    private static final List<String> TELLING =
            List.of("auth", "cookie", "token", "key", "secret", "password", "passwd", "signature");

    private static final Pattern PARAMETER = Pattern.compile("([?&;])([^=&;#\\s]+)=([^&;#\\s]*)");
    private static final Pattern USER = Pattern.compile("([a-zA-Z]+://[^/?#@:\\s]*):[^/?#@\\s]*@");

    private Secrets() {}

    /** The words of a command line with everything secret in them replaced by ***. */
    public static List<String> hide(List<String> words) {
        List<String> hidden = new ArrayList<>();
        String before = "";
        for (String word : words) {
            hidden.add(
                    switch (before) {
                        case "-H", "--header" -> hideHeader(word);
                        case "--data" -> hideBody(word);
                        case "--attribute" -> hideAttribute(word);
                        default -> hideAttached(word);
                    });
            before = word;
        }
        return hidden;
    }

    /** A URL, or a line with one, in which the values of telling query parameters are replaced by ***. */
    public static String hideInUrl(String text) {
        String withoutPassword = USER.matcher(text).replaceFirst("$1:" + HIDDEN + "@");
        return PARAMETER
                .matcher(withoutPassword)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1) + found.group(2) + "=" + (isTelling(found.group(2)) ? HIDDEN : found.group(3))));
    }

    private static String hideAttached(String word) {
        if (word.startsWith("--header=")) {
            return "--header=" + hideHeader(word.substring("--header=".length()));
        }
        if (word.startsWith("-H") && word.length() > 2) {
            return "-H" + hideHeader(word.substring(2));
        }
        if (word.startsWith("--data=")) {
            return "--data=" + hideBody(word.substring("--data=".length()));
        }
        if (word.startsWith("--attribute=")) {
            return "--attribute=" + hideAttribute(word.substring("--attribute=".length()));
        }
        return hideInUrl(word);
    }

    /** A part of the message, and so as private as its body. */
    static String hideAttribute(String attribute) {
        int equals = attribute.indexOf('=');
        return equals < 0 ? HIDDEN : attribute.substring(0, equals + 1) + HIDDEN;
    }

    /** The name of a file is shown: it repeats the run, and tells nothing. */
    static String hideBody(String body) {
        return body.startsWith("@") ? body : HIDDEN;
    }

    static String hideHeader(String header) {
        int colon = header.indexOf(':');
        return colon >= 0 && isTelling(header.substring(0, colon)) ? header.substring(0, colon) + ": ***" : header;
    }

    private static boolean isTelling(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        // "sig" as a part of a word would hide "design"
        return TELLING.stream().anyMatch(lower::contains) || lower.equals("sig") || lower.matches(".*[-_.]sig");
    }
}
