package dev.downbeat.cli.shard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with named holes, such as {@code {{NAME}}}. A line that begins with {@code ?NAME} is there only if the hole of that name is
 * filled with something.
 */
record Template(String text) {
    private static final Pattern HOLE = Pattern.compile("\\{\\{([A-Z_]+)}}");
    private static final Pattern OPTIONAL = Pattern.compile("\\?([A-Z_]+) (.*)");

    /** One of ours, which lies beside this class. */
    static Template named(String name) {
        try (InputStream in = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
            return new Template(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The text with these values, in which nothing is a hole any more. */
    String filled(Map<String, String> values) {
        StringBuilder filled = new StringBuilder();
        text.lines().forEach(line -> {
            Matcher optional = OPTIONAL.matcher(line);
            boolean isOptional = optional.matches();
            if (!isOptional || !value(values, optional.group(1)).isEmpty()) {
                Matcher holes = HOLE.matcher(isOptional ? optional.group(2) : line);
                filled.append(holes.replaceAll(hole -> Matcher.quoteReplacement(value(values, hole.group(1)))))
                        .append('\n');
            }
        });
        return filled.toString();
    }

    private static String value(Map<String, String> values, String hole) {
        return Objects.requireNonNull(values.get(hole), hole);
    }
}
