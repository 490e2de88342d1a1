package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.check.JsonPointer;
import dev.downbeat.http.requests.check.JsonValues;
import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.TextFile;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Parses a Hurl file: requests in order, each with what is expected of its response. Use once.
 *
 * @see <a href="https://hurl.dev/docs/grammar.html">Grammar</a>
 */
public final class HurlFile {
    private static final Pattern REQUEST = Pattern.compile("(?!HTTP[ /])([A-Z]+)[ \\t]+(\\S.*)");
    private static final Pattern RESPONSE = Pattern.compile("HTTP(/\\S+)?[ \\t]+([1-5][0-9]{2}|\\*)[ \\t]*(#.*)?");
    private static final Pattern SECTION = Pattern.compile("\\[([A-Za-z]+)\\][ \\t]*(#.*)?");
    private static final Pattern PAIR = Pattern.compile("([^\\s:#\\[{<`\"][^\\s:#]*)[ \\t]*:(.*)");
    private static final Pattern ASSERT = Pattern.compile("[a-z][a-z0-9]*[ \\t].*");
    /** A variable at the start of a URL, which is its host. */
    private static final Pattern HOST = Pattern.compile("^\\{\\{[^}]*\\}\\}/?");

    private static final String ANY_STATUS = "100-599";

    private static final Set<String> OF_REQUESTS =
            Set.of("Query", "QueryStringParams", "Form", "FormParams", "Cookies", "BasicAuth", "Options");
    private static final Set<String> OF_RESPONSES = Set.of("Captures", "Asserts");
    private static final Set<String> SILENT_OPTIONS = Set.of("verbose", "very-verbose", "output", "name");
    private static final Map<String, String> HINTS = Map.of(
            "location", "--follow",
            "insecure", "-k",
            "connect-timeout", "--connect-timeout",
            "max-time", "--timeout",
            "http1.1", "--http 1.1",
            "http2", "--http 2");

    private final List<String> lines;
    private final String file;
    private final BodyFiles files;
    private final List<RequestText> requests = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, Integer> usedNames = new HashMap<>();
    private int at;

    private HurlFile(String text, String file, BodyFiles files) {
        this.lines = text.replace("{{newUuid}}", "{{$uuid}}")
                .replace("{{newDate}}", "{{$isoTimestamp}}")
                .lines()
                .toList();
        this.file = file;
        this.files = files;
    }

    /**
     * Parses a file, and the body files that it names, relative to its own folder.
     *
     * @throws IllegalArgumentException if it is malformed or uses an unsupported feature; the message names the line
     */
    public static HttpFile parse(Path file) throws IOException {
        return parse(TextFile.read(file, HttpFile.LARGEST), String.valueOf(file.getFileName()), BodyFiles.beside(file));
    }

    static HttpFile parse(String text, String name, BodyFiles files) throws IOException {
        HurlFile reader = new HurlFile(text, name, files);
        while (reader.isMore()) {
            reader.entry();
        }
        if (reader.requests.isEmpty()) {
            throw new SourcePosition(name, 0)
                    .refusal("there is no request in it, such as 'GET http://localhost:8080/'");
        }
        return new HttpFile(reader.requests, reader.variables, reader.notes, files.all());
    }

    /** Skips empty lines and comments; returns whether a line is left. */
    private boolean isMore() {
        while (at < lines.size() && (line().isEmpty() || line().startsWith("#"))) {
            at++;
        }
        return at < lines.size();
    }

    private String line() {
        return lines.get(at).strip();
    }

    private SourcePosition spot() {
        return new SourcePosition(file, at + 1);
    }

    private IllegalArgumentException unexpected(String wanted) {
        return spot().refusal("expected " + wanted + ", but found " + SourcePosition.found(line()));
    }

    private void note(String text) {
        notes.add(spot() + ": " + text);
    }

    private void entry() throws IOException {
        Matcher first = REQUEST.matcher(line());
        if (!first.matches()) {
            throw unexpected("a request such as 'GET http://localhost:8080/'");
        }
        Entry entry = new Entry(spot(), first.group(1), HurlText.value(first.group(2)));
        at++;
        while (isMore() && !REQUEST.matcher(line()).matches()) {
            Matcher response = RESPONSE.matcher(line());
            Matcher section = SECTION.matcher(line());
            if (response.matches() && !entry.isAnswered) {
                entry.answer(response);
                at++;
            } else if (section.matches()) {
                entry.begin(section.group(1));
                at++;
            } else {
                entry.readContent();
            }
        }
        entry.end();
    }

    private final class Entry {
        private final SourcePosition spot;
        private final String method;
        private final String url;
        private final StringBuilder query = new StringBuilder();
        private final List<RequestText.Header> headers = new ArrayList<>();
        private final StringBuilder form = new StringBuilder();
        private final StringBuilder cookies = new StringBuilder();
        private List<RequestText.BodyPart> body = List.of();
        private Directives directives = Directives.NONE;
        private String section = "";
        private boolean isAnswered;
        private boolean hasBody;
        private boolean isSkipped;

        Entry(SourcePosition spot, String method, String url) {
            this.spot = spot;
            this.method = method;
            this.url = url;
        }

        void begin(String name) {
            if (!(isAnswered ? OF_RESPONSES : OF_REQUESTS).contains(name) || hasBody) {
                throw spot().refusal("[" + name
                        + "] is not supported here (accepted: [Query], [Form], [Cookies], [BasicAuth] and"
                        + " [Options] of a request, [Captures] and [Asserts] of a response, before a body)");
            }
            section = name;
        }

        void answer(Matcher line) {
            isAnswered = true;
            hasBody = false;
            section = "";
            expect(Expectation.parse(line.group(2).equals("*") ? ANY_STATUS : line.group(2)));
            if (line.group(1) != null && !line.group(1).equals("/1.1")) {
                note("response version is not checked; --http sets the version");
            }
        }

        private void expect(Expectation more) {
            directives = directives.and(more);
        }

        void readContent() throws IOException {
            Matcher pair = PAIR.matcher(line());
            if (isAnswered
                    && section.equals("Asserts")
                    && ASSERT.matcher(line()).matches()) {
                HurlText.expectation(line(), spot())
                        .ifPresentOrElse(this::expect, () -> note("this assert is not checked in a run"));
                at++;
            } else if (pair.matches() && !hasBody) {
                if (isAnswered) {
                    ofResponse(pair.group(1), pair.group(2));
                } else {
                    ofRequest(pair.group(1), HurlText.value(pair.group(2)));
                }
                at++;
            } else if (hasBody) {
                throw unexpected(isAnswered ? "a request" : "'HTTP' and a status, or a request");
            } else {
                body();
            }
        }

        private void ofResponse(String name, String value) {
            if (section.isEmpty()) {
                note("headers of responses are not checked in a run");
            } else {
                directives = directives.and(HurlText.capture(name, value.strip(), spot()));
            }
        }

        private void ofRequest(String name, String value) {
            switch (section) {
                case "" -> headers.add(new RequestText.Header(spot(), name, value));
                case "Query", "QueryStringParams" ->
                    query.append(url.contains("?") || query.length() > 0 ? '&' : '?')
                            .append(HurlText.encodedPair(name, value));
                case "Form", "FormParams" ->
                    form.append(form.length() == 0 ? "" : "&").append(HurlText.encodedPair(name, value));
                case "Cookies" ->
                    cookies.append(cookies.length() == 0 ? "" : "; ").append(name + "=" + value);
                case "BasicAuth" -> {
                    if ((name + value).contains("{{")) {
                        throw spot().refusal("variables in [BasicAuth] are not supported: give -u USER:PASSWORD");
                    }
                    headers.add(new RequestText.Header(spot(), "Authorization", Credentials.basic(name, value)));
                }
                default -> option(name, value);
            }
        }

        private void option(String name, String value) {
            if (name.equals("variable") && value.contains("=")) {
                int equals = value.indexOf('=');
                variable(
                        value.substring(0, equals).strip(),
                        value.substring(equals + 1).strip());
            } else if (name.equals("delay")) {
                think(value.matches("[0-9]+") ? value + "ms" : value);
            } else if (name.equals("skip")) {
                isSkipped = value.equals("true");
            } else if (name.equals("compressed")) {
                if (value.equals("true")) {
                    headers.add(new RequestText.Header(spot(), "Accept-Encoding", "gzip"));
                }
            } else if (HINTS.containsKey(name)) {
                note("the option " + name + " is ignored: use downbeat's " + HINTS.get(name));
            } else if (!SILENT_OPTIONS.contains(name)) {
                throw spot().refusal("the option " + name
                        + " is not supported (accepted: variable, delay, skip, compressed)");
            }
        }

        /** In Hurl a variable is set from its request on; here it has one value for all requests. */
        private void variable(String name, String value) {
            boolean isDifferent = !value.equals(variables.get(name));
            if ((isDifferent && isUsedAbove(name)) || isCapturedAbove(name)) {
                throw spot().refusal("a variable has one value in the whole file, but " + name
                        + " has another above: rename one");
            }
            variables.put(name, value);
        }

        private boolean isUsedAbove(String name) {
            Predicate<String> used = Pattern.compile("\\{\\{\\s*" + Pattern.quote(name) + "\\s*\\}\\}")
                    .asPredicate();
            return variables.values().stream().anyMatch(used)
                    || requests.stream()
                            .map(earlier -> earlier.url() + earlier.query() + earlier.headers() + earlier.body())
                            .anyMatch(used);
        }

        private boolean isCapturedAbove(String name) {
            return requests.stream()
                    .flatMap(earlier -> earlier.directives().captures().stream())
                    .anyMatch(capture -> capture.name().equals(name));
        }

        private void think(String time) {
            try {
                directives = directives.think(new ThinkTime.Constant(DurationText.parseNanos(time)));
            } catch (IllegalArgumentException refused) {
                throw spot().refusal("delay: " + refused.getMessage());
            }
        }

        /** Reads a body. Bodies have no common delimiter; the start of each determines its end. */
        private void body() throws IOException {
            hasBody = true;
            HurlBody read = HurlBody.read(lines, at, file, files, isAnswered);
            if (isAnswered) {
                note("bodies of responses are not compared in a run: [Asserts] has jsonpath and body contains");
            } else {
                body = List.of(read.part());
                read.type().ifPresent(this::type);
            }
            at = read.after();
        }

        private void type(String type) {
            if (headers.stream().noneMatch(one -> one.name().equalsIgnoreCase("Content-Type"))) {
                headers.add(new RequestText.Header(spot, "Content-Type", type));
            }
        }

        void end() {
            if (isSkipped) {
                return;
            }
            if (cookies.length() > 0) {
                headers.add(new RequestText.Header(spot, "Cookie", cookies.toString()));
            }
            if (form.length() > 0 && body.isEmpty()) {
                body = List.of(new RequestText.Form(spot, form.toString()));
                type(RequestText.FORM);
            }
            headers.removeIf(header -> header.name().toLowerCase(Locale.ROOT).equals("content-length"));
            String requestName = RequestText.nameOf(method, HOST.matcher(url).replaceFirst("/"));
            requests.add(new RequestText(
                    spot,
                    HttpFile.unique(RequestText.shown(requestName), usedNames),
                    method,
                    url,
                    query.toString(),
                    headers,
                    body,
                    directives));
        }
    }

    /**
     * A body of a Hurl file.
     *
     * @param type the Content-Type implied by its form; empty if none
     * @param after index of the line after it
     */
    private record HurlBody(RequestText.BodyPart part, Optional<String> type, int after) {
        private static final Pattern BYTES = Pattern.compile("(base64|hex|file),([^;]*);[ \\t]*(#.*)?", Pattern.DOTALL);
        private static final Pattern ONE_LINE = Pattern.compile("`([^`]*)`[ \\t]*(#.*)?");

        /**
         * An element's tag, with a slash if it closes; or a comment, a section of text, an instruction, a declaration,
         * each to the end of the text if it is not closed.
         */
        private static final Pattern TAG =
                Pattern.compile("(?s)<(?:!--.*?(?:-->|\\z)|!\\[CDATA\\[.*?(?:\\]\\]>|\\z)|\\?.*?(?:\\?>|\\z)"
                        + "|!DOCTYPE[^\\[>]*+(?:\\[(?:\"[^\"]*+(?:\"|\\z)|'[^']*+(?:'|\\z)|<!--.*?(?:-->|\\z)|[^\\]\"'])*+\\]?+\\s*+)?+(?:>|\\z)"
                        + "|(/?)[^!?/][^\"'<>]*+(?:\"[^\"]*+\"[^\"'<>]*+|'[^']*+'[^\"'<>]*+)*+>)");

        private static final String FENCE = "```";
        private static final Optional<String> JSON = Optional.of("application/json");
        private static final Optional<String> XML = Optional.of("application/xml");

        /** Reads a body; files of one to be ignored, a response's, are not read. */
        static HurlBody read(List<String> lines, int at, String file, BodyFiles files, boolean isIgnored)
                throws IOException {
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
                return bytes(lines, at, spot, files, isIgnored);
            }
            if (first.startsWith("<")) {
                return xml(lines, at, spot);
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
                    throw spot.refusal("a multiline string of type " + SourcePosition.found(rest)
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

        private static HurlBody bytes(
                List<String> lines, int at, SourcePosition spot, BodyFiles files, boolean isIgnored)
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
                default -> isIgnored ? new byte[0] : files.read(value.strip(), spot);
            };
            return new HurlBody(new RequestText.Raw(bytes), Optional.empty(), end);
        }

        private static byte[] decoded(
                Function<String, byte[]> decoder, String kind, String value, SourcePosition spot) {
            try {
                return decoder.apply(value.replaceAll("\\s", ""));
            } catch (IllegalArgumentException corrupt) {
                throw spot.refusal("not " + kind + ": " + corrupt.getMessage());
            }
        }

        /** XML ends with its first element. */
        private static HurlBody xml(List<String> lines, int at, SourcePosition spot) {
            String text = String.join("\n", lines.subList(at, lines.size()));
            int depth = 0;
            for (Matcher tag = TAG.matcher(text); tag.find(); ) {
                if (tag.group(1) == null) {
                    continue;
                }
                boolean isEmpty = tag.group().endsWith("/>");
                depth += isEmpty ? 0 : tag.group(1).isEmpty() ? 1 : -1;
                if (depth <= 0) {
                    String body = text.substring(0, tag.end());
                    String rest = text.substring(tag.end()).lines().findFirst().orElse("");
                    refuseAfter(rest, "XML", spot);
                    int after = at + (int) body.lines().count();
                    return new HurlBody(new RequestText.Typed(spot, body.strip()), XML, after);
                }
            }
            throw spot.refusal("this XML is not closed");
        }

        private static void refuseAfter(String rest, String kind, SourcePosition spot) {
            String text = rest.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                throw spot.refusal(
                        "expected nothing behind this " + kind + ", but found " + SourcePosition.found(text));
            }
        }

        /** JSON ends where its brackets are closed. */
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
                refuseAfter(line.substring(end), "JSON", spot);
                text.append(line, 0, end);
                if (depth <= 0 && !isText) {
                    return new HurlBody(
                            new RequestText.Typed(spot, text.toString().strip()), JSON, i + 1);
                }
                text.append('\n');
            }
            throw spot.refusal("this JSON is not closed");
        }
    }

    /** Values, captures and asserts of a Hurl file. */
    private static final class HurlText {
        /** A query such as {@code jsonpath "$.id"}, and the rest of the line. */
        private static final Pattern QUERY =
                Pattern.compile("(\\w+)(?:[ \\t]+(\"(?:[^\"\\\\]|\\\\.)*+\"|/(?:[^/\\\\]|\\\\.)++/))?[ \\t]*(.*)");

        private static final Pattern PREDICATE = Pattern.compile(
                "(==|!=|>=|<=|>|<|contains|equals)[ \\t]+(\"(?:[^\"\\\\]|\\\\.)*+\"|[^\\s\"#]+)[ \\t]*(#.*)?");

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

        /** {@code name=value}, percent-encoded except for variables. */
        static String encodedPair(String name, String value) {
            return encoded(name) + "=" + encoded(value);
        }

        private static String encoded(String text) {
            StringBuilder encoded = new StringBuilder();
            for (String part : text.split("(?=\\{\\{)|(?<=\\}\\})")) {
                boolean isVariable = part.startsWith("{{") && part.endsWith("}}");
                encoded.append(isVariable ? part : CurlLine.escaped(part.getBytes(StandardCharsets.UTF_8)));
            }
            return encoded.toString();
        }

        /** Parses {@code jsonpath "$.id"}, {@code header "ETag"} and {@code regex /id=(.*)/}. */
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

        /** The expectation of an assert; empty if it cannot be checked during a run. */
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
            String operator = predicate.group(1).replace("equals", "==");
            String value = predicate.group(2);
            String operand = query.group(2) == null ? "" : query.group(2);
            return switch (query.group(1)) {
                case "status" ->
                    value.matches("[1-5][0-9]{2}") ? status(operator, Integer.parseInt(value)) : Optional.empty();
                case "body" ->
                    operator.equals("contains") && value.length() > 2 && value.startsWith("\"")
                            ? Optional.of(new Expectation.BodyHas(unquoted(value)))
                            : Optional.empty();
                case "jsonpath" ->
                    operator.equals("==") && operand.startsWith("\"")
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

        private static Optional<Expectation> status(String operator, int status) {
            String range = switch (operator) {
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
}
