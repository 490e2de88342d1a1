package dev.downbeat.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Keeps what is nobody's business out of saved results. */
final class Secrets {
    private static final List<String> TELLING = List.of("auth", "cookie", "token", "key", "secret", "password");
    private static final List<String> ATTACHED = List.of("--header=", "-H");

    private Secrets() {}

    /** The words of a command line with the values of telling headers replaced by ***. */
    static List<String> hide(List<String> words) {
        List<String> hidden = new ArrayList<>();
        String before = "";
        for (String word : words) {
            hidden.add(before.equals("-H") || before.equals("--header") ? hideValue(word) : hideAttached(word));
            before = word;
        }
        return hidden;
    }

    private static String hideAttached(String word) {
        for (String option : ATTACHED) {
            if (word.startsWith(option) && word.length() > option.length()) {
                return option + hideValue(word.substring(option.length()));
            }
        }
        return word;
    }

    private static String hideValue(String header) {
        int colon = header.indexOf(':');
        String name = (colon < 0 ? header : header.substring(0, colon)).toLowerCase(Locale.ROOT);
        boolean telling = TELLING.stream().anyMatch(name::contains);
        return telling && colon >= 0 ? header.substring(0, colon) + ": ***" : header;
    }
}
