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
 * A text with placeholders such as {@code {{NAME}}}. A line that starts with {@code ?NAME} is kept only if that value
 * is not empty.
 */
record Template(String text) {
    private static final Pattern HOLE = Pattern.compile("\\{\\{([A-Z_]+)}}");
    private static final Pattern OPTIONAL = Pattern.compile("\\?([A-Z_]+) (.*)");

    /** A template of this package. */
    static Template named(String name) {
        try (InputStream in = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
            return new Template(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The text with the values filled in, which are not expanded again. */
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
