package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.check.JsonPointer;
import dev.downbeat.http.requests.check.JsonValues;
import dev.downbeat.http.requests.value.SourcePosition;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Values, captures and asserts of a Hurl file. */
final class HurlText {
    /** A query, such as {@code jsonpath "$.id"}, and what follows it. */
    private static final Pattern QUERY =
            Pattern.compile("(\\w+)(?:[ \\t]+(\"(?:[^\"\\\\]|\\\\.)*\"|/(?:[^/\\\\]|\\\\.)+/))?[ \\t]*(.*)");

    private static final Pattern PREDICATE = Pattern.compile(
            "(==|!=|>=|<=|>|<|contains|equals)[ \\t]+(\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s\"#]+)[ \\t]*(#.*)?");

    private static final Pattern REDACTED = Pattern.compile("(redact)?[ \\t]*(#.*)?");
    private static final int LEAST_STATUS = 100;
    private static final int MOST_STATUS = 599;

    private HurlText() {}

    /** A value without its comment and escapes; variables are unchanged. */
    static String value(String raw) {
        StringBuilder value = new StringBuilder();
        for (int at = 0; at < raw.length() && raw.charAt(at) != '#'; at++) {
            char one = raw.charAt(at);
            int end = raw.startsWith("{{", at) ? raw.indexOf("}}", at) : -1;
            if (end > 0) {
                value.append(raw, at, end + 2);
                at = end + 1;
            } else if (one == '\\' && at + 1 < raw.length()) {
                at = escape(raw, at + 1, value);
            } else {
                value.append(one);
            }
        }
        return value.toString().strip();
    }

    /** Returns the index of the escape's last character. */
    private static int escape(String raw, int at, StringBuilder value) {
        char one = raw.charAt(at);
        int close = raw.startsWith("u{", at) ? raw.indexOf('}', at) : -1;
        if (close > 0 && raw.substring(at + 2, close).matches("(10|0?[0-9a-fA-F])?[0-9a-fA-F]{1,4}")) {
            value.appendCodePoint(Integer.parseInt(raw.substring(at + 2, close), 16));
            return close;
        }
        int known = "nrtbf".indexOf(one);
        value.append(known < 0 ? one : "\n\r\t\b\f".charAt(known));
        return at;
    }

    /** A text in double quotes, without them. */
    private static String unquoted(String text) {
        String inner = text.substring(1, text.length() - 1);
        StringBuilder plain = new StringBuilder();
        for (int at = 0; at < inner.length(); at++) {
            if (inner.charAt(at) == '\\') {
                at = escape(inner, at + 1, plain);
            } else {
                plain.append(inner.charAt(at));
            }
        }
        return plain.toString();
    }

    /** {@code name=value}, percent-encoded but for variables. */
    static String encodedPair(String name, String value) {
        return encoded(name) + "=" + encoded(value);
    }

    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (String part : text.split("(?=\\{\\{)|(?<=\\}\\})")) {
            boolean isVariable = part.startsWith("{{") && part.endsWith("}}");
            encoded.append(
                    isVariable
                            ? part
                            : URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"));
        }
        return encoded.toString();
    }

    /** Reads {@code jsonpath "$.id"}, {@code header "ETag"} and {@code regex /id=(.*)/}. */
    static Capture capture(String name, String query, SourcePosition spot) {
        Matcher shape = QUERY.matcher(query);
        Optional<Capture.From> from =
                shape.matches() && REDACTED.matcher(shape.group(3)).matches()
                        ? from(shape.group(1), Optional.ofNullable(shape.group(2)))
                        : Optional.empty();
        return new Capture(
                name,
                from.orElseThrow(() ->
                        spot.refusal("a capture must be jsonpath \"$.name\" of one value, header \"NAME\" or regex"
                                + " \"PATTERN\", without filters, but was " + SourcePosition.found(query))));
    }

    private static Optional<Capture.From> from(String kind, Optional<String> quoted) {
        if (quoted.isEmpty()) {
            return Optional.empty();
        }
        String text = quoted.get();
        boolean isRegex = text.startsWith("/");
        String plain = isRegex ? text.substring(1, text.length() - 1).replace("\\/", "/") : unquoted(text);
        try {
            return switch (kind) {
                case "jsonpath" -> JsonPointer.ofPath(plain).map(Capture.OfJson::new);
                case "header" -> Optional.of(new Capture.OfHeader(plain));
                case "regex" -> Optional.of(new Capture.OfRegex(Pattern.compile(plain)));
                default -> Optional.empty();
            };
        } catch (PatternSyntaxException broken) {
            return Optional.empty();
        }
    }

    /** What an assert expects; empty if no response can be held against it here. */
    static Optional<Expectation> expectation(String line, SourcePosition spot) {
        Matcher query = QUERY.matcher(line);
        if (line.contains("```") || !query.matches()) {
            throw spot.refusal(
                    "expected an assert such as 'jsonpath \"$.id\" == 7', but found " + SourcePosition.found(line));
        }
        Matcher predicate = PREDICATE.matcher(query.group(3));
        if (!predicate.matches() || predicate.group(2).contains("{{")) {
            return Optional.empty();
        }
        String how = predicate.group(1).replace("equals", "==");
        String value = predicate.group(2);
        String operand = query.group(2) == null ? "" : query.group(2);
        return switch (query.group(1)) {
            case "status" -> value.matches("[1-5][0-9]{2}") ? status(how, Integer.parseInt(value)) : Optional.empty();
            case "body" ->
                how.equals("contains") && value.length() > 2 && value.startsWith("\"")
                        ? Optional.of(new Expectation.BodyHas(unquoted(value)))
                        : Optional.empty();
            case "jsonpath" ->
                how.equals("==") && operand.startsWith("\"")
                        ? JsonPointer.ofPath(unquoted(operand)).flatMap(pointer -> is(pointer, value))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<Expectation> is(JsonPointer pointer, String value) {
        if (value.startsWith("\"")) {
            return Optional.of(new Expectation.JsonIs(pointer, unquoted(value)));
        }
        return value.matches("true|false|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?")
                ? Optional.of(new Expectation.JsonIs(pointer, JsonValues.parse(value)))
                : Optional.empty();
    }

    private static Optional<Expectation> status(String how, int status) {
        String range = switch (how) {
            case "==" -> "" + status;
            case "!=" -> LEAST_STATUS + "-" + (status - 1) + "," + (status + 1) + "-" + MOST_STATUS;
            case ">" -> (status + 1) + "-" + MOST_STATUS;
            case ">=" -> status + "-" + MOST_STATUS;
            case "<" -> LEAST_STATUS + "-" + (status - 1);
            case "<=" -> LEAST_STATUS + "-" + status;
            default -> "";
        };
        try {
            return Optional.of(Expectation.parse(range));
        } catch (IllegalArgumentException impossible) {
            return Optional.empty(); // such as below 100
        }
    }
}
