package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A body of a Hurl file.
 *
 * @param type the Content-Type that it brings; empty if it brings none
 * @param after the line after it, from 0
 */
record HurlBody(RequestText.BodyPart part, Optional<String> type, int after) {
    private static final Pattern BYTES = Pattern.compile("(base64|hex|file),([^;]*);[ \\t]*(#.*)?", Pattern.DOTALL);
    private static final Pattern ONE_LINE = Pattern.compile("`([^`]*)`[ \\t]*(#.*)?");
    private static final Pattern NEXT = Pattern.compile("HTTP(/\\S+)?[ \\t].*|[A-Z]+[ \\t]+\\S.*");
    private static final String FENCE = "```";
    private static final Optional<String> JSON = Optional.of("application/json");
    private static final Optional<String> XML = Optional.of("application/xml");

    /**
     * Reads one.
     *
     * @param isIgnored whether it is of a response: files that it names are not read
     */
    static HurlBody read(List<String> lines, int at, String file, Path folder, boolean isIgnored) throws IOException {
        SourcePosition spot = new SourcePosition(file, at + 1);
        String first = lines.get(at).strip();
        if (first.startsWith(FENCE)) {
            return fenced(lines, at, spot);
        }
        Matcher one = ONE_LINE.matcher(first);
        if (one.matches()) {
            return new HurlBody(new RequestText.Typed(spot, one.group(1)), Optional.empty(), at + 1);
        }
        if (first.matches("(base64|hex|file),.*")) {
            return bytes(lines, at, spot, folder, isIgnored);
        }
        if (first.startsWith("<")) {
            int end = at;
            while (end < lines.size() && !NEXT.matcher(lines.get(end)).matches()) {
                end++;
            }
            String text = String.join("\n", lines.subList(at, end)).strip();
            return new HurlBody(new RequestText.Typed(spot, text), XML, end);
        }
        if (first.matches("[{\\[\"0-9-].*|true|false|null")) {
            return json(lines, at, spot);
        }
        throw spot.refusal(
                "expected a header, a section such as [Query], a body, 'HTTP' and a status, or a request, but found "
                        + SourcePosition.found(first));
    }

    private static HurlBody fenced(List<String> lines, int at, SourcePosition spot) {
        String rest = lines.get(at).strip().substring(FENCE.length());
        if (rest.endsWith(FENCE)) {
            String text = rest.substring(0, rest.length() - FENCE.length());
            return new HurlBody(new RequestText.Typed(spot, text), Optional.empty(), at + 1);
        }
        Optional<String> type = switch (rest.strip()) {
            case "" -> Optional.empty();
            case "json" -> JSON;
            case "xml" -> XML;
            default ->
                throw spot.refusal("a text of kind " + SourcePosition.found(rest)
                        + " is not supported (accepted: ```, ```json," + " ```xml)");
        };
        StringBuilder text = new StringBuilder();
        for (int i = at + 1; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.stripTrailing().endsWith(FENCE)) {
                String last = line.stripTrailing();
                text.append(last, 0, last.length() - FENCE.length());
                return new HurlBody(new RequestText.Typed(spot, text.toString()), type, i + 1);
            }
            text.append(line).append('\n');
        }
        throw spot.refusal("this text is not closed by ```");
    }

    private static HurlBody bytes(List<String> lines, int at, SourcePosition spot, Path folder, boolean isIgnored)
            throws IOException {
        StringBuilder text = new StringBuilder(lines.get(at).strip());
        int end = at + 1;
        while (text.indexOf(";") < 0 && end < lines.size()) {
            text.append('\n').append(lines.get(end++));
        }
        Matcher shape = BYTES.matcher(text);
        if (!shape.matches()) {
            throw spot.refusal("expected 'base64,...;', 'hex,...;' or 'file,NAME;', but found "
                    + SourcePosition.found(text.toString()));
        }
        String value = shape.group(2);
        byte[] bytes = switch (shape.group(1)) {
            case "base64" -> decoded(Base64.getDecoder()::decode, "base64", value, spot);
            case "hex" -> decoded(HexFormat.of()::parseHex, "hex", value, spot);
            default -> isIgnored ? new byte[0] : BodyReader.fileOf(folder, value.strip(), spot);
        };
        return new HurlBody(new RequestText.Raw(bytes), Optional.empty(), end);
    }

    private static byte[] decoded(Function<String, byte[]> decoder, String kind, String value, SourcePosition spot) {
        try {
            return decoder.apply(value.replaceAll("\\s", ""));
        } catch (IllegalArgumentException garbled) {
            throw spot.refusal("not " + kind + ": " + garbled.getMessage());
        }
    }

    /** It ends where its brackets are closed. */
    private static HurlBody json(List<String> lines, int at, SourcePosition spot) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        boolean isText = false;
        for (int i = at; i < lines.size(); i++) {
            String line = lines.get(i);
            int end = line.length();
            for (int c = 0; c < end; c++) {
                char one = line.charAt(c);
                if (isText && one == '\\') {
                    c++;
                } else if (one == '"') {
                    isText = !isText;
                } else if (!isText && (one == '{' || one == '[')) {
                    depth++;
                } else if (!isText && (one == '}' || one == ']') && --depth == 0) {
                    end = c + 1;
                }
            }
            String rest = line.substring(end).strip();
            if (!rest.isEmpty() && !rest.startsWith("#")) {
                throw spot.refusal("expected nothing behind this JSON, but found " + SourcePosition.found(rest));
            }
            text.append(line, 0, end);
            if (depth <= 0 && !isText) {
                return new HurlBody(new RequestText.Typed(spot, text.toString().strip()), JSON, i + 1);
            }
            text.append('\n');
        }
        throw spot.refusal("this JSON is not closed");
    }
}
