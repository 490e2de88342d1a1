package dev.downbeat.http.requests.check;

import dev.downbeat.http.requests.value.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Captures a value from a response for later requests of the session. Immutable.
 *
 * @param name name of the variable
 * @param from where to find it
 */
public record Capture(String name, From from) {
    private static final Pattern SHAPE = Pattern.compile("([\\w.$\\[\\]'-]+)\\s*=\\s*(json|regex|header)\\s+(.+)");

    /** A location in a response. */
    public sealed interface From {
        /** The bytes of the value; empty if absent. */
        Optional<byte[]> in(ReceivedResponse response);
    }

    /** Parses {@code orderId = json /id}, {@code token = regex "token":"([^"]+)"} or {@code etag = header ETag}. */
    public static Capture parse(String text) {
        Matcher shape = SHAPE.matcher(text.strip());
        if (!shape.matches()) {
            throw new IllegalArgumentException("expected 'NAME = json /pointer', 'NAME = header NAME' or 'NAME = regex"
                    + " PATTERN', but found " + SourcePosition.found(text));
        }
        String operand = shape.group(3).strip();
        return new Capture(
                shape.group(1),
                switch (shape.group(2)) {
                    case "json" -> new OfJson(JsonPointer.parse(operand));
                    case "header" -> new OfHeader(operand);
                    default -> OfRegex.parse(operand);
                });
    }

    /** A value in a JSON body. */
    public record OfJson(JsonPointer pointer) implements From {
        @Override
        public Optional<byte[]> in(ReceivedResponse response) {
            try {
                return pointer.in(JsonValues.parse(response.body()))
                        .map(found -> JsonValues.plain(found).getBytes(StandardCharsets.UTF_8));
            } catch (IllegalArgumentException noJson) {
                return Optional.empty();
            }
        }
    }

    /** The value of a header. */
    public record OfHeader(String header) implements From {
        @Override
        public Optional<byte[]> in(ReceivedResponse response) {
            return response.header(header).map(value -> value.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** The first group of the first match in the body, or the whole match. */
    public record OfRegex(Pattern pattern) implements From {
        static OfRegex parse(String text) {
            boolean quoted = text.length() > 1 && text.startsWith("/") && text.endsWith("/");
            try {
                return new OfRegex(Pattern.compile(quoted ? text.substring(1, text.length() - 1) : text));
            } catch (PatternSyntaxException broken) {
                throw new IllegalArgumentException(
                        "expected a regular expression, but found " + SourcePosition.found(text) + ": "
                                + broken.getDescription(),
                        broken);
            }
        }

        @Override
        public Optional<byte[]> in(ReceivedResponse response) {
            Matcher found = pattern.matcher(response.body());
            try {
                return found.find()
                        ? Optional.ofNullable(found.groupCount() > 0 ? found.group(1) : found.group())
                                .map(value -> value.getBytes(StandardCharsets.UTF_8))
                        : Optional.empty();
            } catch (StackOverflowError tooLong) { // a repeated group recurses for each character
                return Optional.empty();
            }
        }
    }
}
