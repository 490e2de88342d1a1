package dev.downbeat.cli;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a command line without what is nobody's business in them. */
final class Secrets {
    private static final Map<String, UnaryOperator<String>> BY_OPTION = Map.of(
            "-H", Redaction::header,
            "--header", Redaction::header,
            "--data", Secrets::body,
            "--attribute", Secrets::attribute);

    /** {@code --header=VALUE}, {@code -HVALUE}, {@code -H=VALUE}, {@code -qHVALUE}: short options without a value may stand before. */
    private static final Pattern ATTACHED = Pattern.compile("(--[a-z-]+=|-[kqvhVL]*H=?)(.*)", Pattern.DOTALL);

    private Secrets() {}

    /** The words of a command line with everything secret in them replaced by ***. */
    static List<String> hide(List<String> words) {
        List<String> hidden = new ArrayList<>();
        String before = "";
        for (String word : words) {
            UnaryOperator<String> secret = BY_OPTION.get(before);
            hidden.add(secret != null ? secret.apply(word) : attached(word));
            before = word.matches("-[kqvhVL]+H") ? "-H" : word;
        }
        return hidden;
    }

    private static String attached(String word) {
        Matcher attached = ATTACHED.matcher(word);
        if (!attached.matches() || attached.group(2).isEmpty()) {
            return Redaction.word(word);
        }
        String option = attached.group(1).startsWith("--")
                ? attached.group(1).substring(0, attached.group(1).length() - 1)
                : "-H";
        UnaryOperator<String> secret = BY_OPTION.getOrDefault(option, Redaction::word);
        return attached.group(1) + secret.apply(attached.group(2));
    }

    /** A part of the message, and so as private as its body. */
    private static String attribute(String attribute) {
        int equals = attribute.indexOf('=');
        return equals < 0 ? Secret.HIDDEN : attribute.substring(0, equals + 1) + Secret.HIDDEN;
    }

    /** The name of a file is shown: it repeats the run, and tells nothing. */
    private static String body(String body) {
        return body.startsWith("@") ? body : Secret.HIDDEN;
    }
}
