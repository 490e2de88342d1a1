package dev.downbeat.http.requests.check;

import dev.downbeat.http.requests.value.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A location in a JSON document. Immutable.
 *
 * @param steps member names and list indexes
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6901">RFC 6901</a>
 */
public record JsonPointer(List<String> steps) {
    private static final Pattern STEP = Pattern.compile("\\.?([^.\\[\\]]+)|\\[(?:'([^']*)'|\"([^\"]*)\"|([0-9]+))\\]");

    public JsonPointer {
        steps = List.copyOf(steps);
    }

    /** Parses {@code /items/0/id}; the empty pointer is the whole document. */
    static JsonPointer parse(String text) {
        if (!text.isEmpty() && !text.startsWith("/")) {
            throw new IllegalArgumentException(
                    "expected a JSON pointer such as /items/0/id, but found " + SourcePosition.found(text));
        }
        List<String> steps = new ArrayList<>();
        String[] parts = text.split("/", -1);
        for (int i = 1; i < parts.length; i++) {
            steps.add(parts[i].replace("~1", "/").replace("~0", "~"));
        }
        return new JsonPointer(steps);
    }

    /** Parses simple paths of the REST Client, {@code $.items[0].id}; empty for several values, and for XPath. */
    public static Optional<JsonPointer> ofPath(String text) {
        String path = text.startsWith("$") ? text.substring(1) : "." + text;
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(path);
        int at = 0;
        while (step.find() && step.start() == at) {
            at = step.end();
            for (int group = 1; group <= step.groupCount(); group++) {
                if (step.group(group) != null) {
                    steps.add(step.group(group));
                }
            }
        }
        boolean plain =
                at == path.length() && !text.startsWith("/") && steps.stream().noneMatch(one -> one.equals("*"));
        return plain ? Optional.of(new JsonPointer(steps)) : Optional.empty();
    }

    /** The value at this location; empty if there is none. */
    Optional<Object> in(Object root) {
        Object value = root;
        for (String step : steps) {
            Object next = null;
            if (value instanceof Map<?, ?> map) {
                next = map.get(step);
            } else if (value instanceof List<?> list && step.matches("[0-9]{1,9}")) {
                int place = Integer.parseInt(step);
                next = place < list.size() ? list.get(place) : null;
            }
            if (next == null) {
                return Optional.empty();
            }
            value = next;
        }
        return Optional.of(value);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        steps.forEach(step -> text.append('/').append(step.replace("~", "~0").replace("/", "~1")));
        return text.toString();
    }
}
