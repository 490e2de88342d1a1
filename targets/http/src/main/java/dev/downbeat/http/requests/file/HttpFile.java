package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.Capture;
import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.TextFile;
import dev.downbeat.json.JsonText;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request file in the syntax of editors: IntelliJ IDEA's HTTP client and the REST Client of VS Code, as far as they
 * agree.
 *
 * @param requests in order
 * @param variables defined in the file: {@code @host = http://localhost:8080}
 * @param notes unsupported content that is ignored, one line each
 * @param files the files with bodies that it names
 * @see <a href="https://github.com/JetBrains/http-request-in-editor-spec">HTTP request in editor specification</a>
 */
public record HttpFile(
        List<RequestText> requests, Map<String, String> variables, List<String> notes, List<Path> files) {
    /** The maximum size of a file of requests, in mebibytes. */
    static final int LARGEST = 16;

    public HttpFile {
        requests = List.copyOf(requests);
        variables = Map.copyOf(variables);
        notes = List.copyOf(notes);
        files = List.copyOf(files);
    }

    /** Requests that name no files. */
    public HttpFile(List<RequestText> requests, Map<String, String> variables, List<String> notes) {
        this(requests, variables, notes, List.of());
    }

    /**
     * Parses a file, and the body files that it names, relative to its own folder.
     *
     * @throws IllegalArgumentException if the file is malformed or uses an unsupported feature; the message names the
     *     line and the accepted forms
     */
    public static HttpFile parse(Path file) throws IOException {
        return new Reader(TextFile.read(file, LARGEST), String.valueOf(file.getFileName()), BodyFiles.beside(file))
                .read();
    }

    public static HttpFile parse(String text, String name, Path folder) throws IOException {
        return new Reader(text, name, new BodyFiles(folder)).read();
    }

    /** A name not in use yet, since each request of a file has its own row. */
    static String unique(String requestName, Map<String, Integer> usedNames) {
        String unique = requestName;
        int number = usedNames.getOrDefault(requestName, 1);
        while (usedNames.putIfAbsent(unique, 1) != null) {
            unique = requestName + " (" + ++number + ")";
        }
        usedNames.put(requestName, number);
        return unique;
    }

    /** Parses a request file line by line. Use once. */
    private static final class Reader {
        private static final Pattern VARIABLE = Pattern.compile("@([\\w.$-]+)\\s*(?:=\\s*(.*)|\\s(.*))");
        private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+)\\s*:(.*)");
        private static final Pattern METHOD = Pattern.compile("([A-Z][A-Z-]*)\\s+(\\S.*)");
        private static final Pattern VERSION = Pattern.compile("(.*\\S)\\s+HTTP/(\\S+)(\\s.*)?");

        private final List<String> lines;
        private final String file;
        private final BodyFiles files;
        private final List<RequestText> requests = new ArrayList<>();
        private final Map<String, String> variables = new LinkedHashMap<>();
        private final List<String> notes = new ArrayList<>();
        private final Map<String, Integer> usedNames = new HashMap<>();
        private int at;
        private String title = "";
        private Optional<String> name = Optional.empty();
        private Directives directives = Directives.NONE;
        private boolean disabled;

        Reader(String text, String file, BodyFiles files) {
            this.lines = text.lines().toList();
            this.file = file;
            this.files = files;
        }

        HttpFile read() throws IOException {
            while (at < lines.size()) {
                String line = lines.get(at).strip();
                if (line.startsWith("###")) {
                    begin(line.substring(3).replaceFirst("^#+", "").strip());
                    at++;
                } else if (line.isEmpty()) {
                    at++;
                } else if (BodyReader.isComment(line)) {
                    comment(comment(line), spot());
                    at++;
                } else if (line.startsWith("@")) {
                    variable(line);
                    at++;
                } else if (line.startsWith("<") && !line.startsWith("<>")) {
                    preScript(line);
                } else if (BodyReader.isScript(line)) {
                    throw spot().refusal(BodyReader.NO_SCRIPT);
                } else {
                    request();
                }
            }
            if (requests.isEmpty()) {
                throw new SourcePosition(file, 0)
                        .refusal("there is no request in it, such as 'GET http://localhost:8080/'");
            }
            return new HttpFile(requests, variables, notes, files.all());
        }

        private SourcePosition spot() {
            return new SourcePosition(file, at + 1);
        }

        private void begin(String newTitle) {
            title = newTitle;
            name = Optional.empty();
            directives = Directives.NONE;
            disabled = false;
        }

        private static String comment(String line) {
            return line.replaceFirst("^(//+|#+)", "").strip();
        }

        private void variable(String line) {
            Matcher shape = VARIABLE.matcher(line);
            if (!shape.matches()) {
                throw spot().refusal("expected '@name = value', but found " + SourcePosition.found(line));
            }
            String value = (shape.group(2) == null ? shape.group(3) : shape.group(2)).strip();
            String other = variables.put(shape.group(1), value);
            if (other != null && !other.equals(value)) {
                throw spot().refusal("@" + shape.group(1) + " is defined twice with different values: rename one");
            }
        }

        private void comment(String text, SourcePosition position) {
            if (!text.startsWith("@")) {
                return;
            }
            Directive directive = Directive.parse(text);
            switch (directive.name()) {
                case "name" -> name = directive.value().isEmpty() ? name : Optional.of(directive.value());
                case "disabled" -> disabled = true;
                default -> directives = directive.addTo(directives, position);
            }
        }

        /** A script before a request: {@code < {% ... %}}, or a script file. */
        private void preScript(String line) {
            note(
                    "the script before a request is not run: set its variables by '@name = value' or --var (API: variable)");
            at++;
            if (line.contains("{%")) {
                passScript(line);
            }
        }

        private void note(String text) {
            notes.add(spot() + ": " + text);
        }

        private void passScript(String first) {
            String line = first.substring(first.indexOf("{%") + 2);
            int begun = at;
            while (!line.contains("%}")) {
                if (at >= lines.size()) {
                    throw new SourcePosition(file, begun).refusal("a script is not closed by '%}'");
                }
                line = lines.get(at++);
            }
        }

        private void request() throws IOException {
            SourcePosition spot = spot();
            StringBuilder line = new StringBuilder(lines.get(at++).strip());
            while (at < lines.size() && continuesUrl(lines.get(at))) {
                String more = lines.get(at++).strip();
                line.append(BodyReader.isComment(more) ? "" : more);
            }
            RequestLine first = RequestLine.parse(line.toString(), spot);
            List<RequestText.Header> headers = headers();
            boolean isGraphQl = first.method().equals(GraphQl.METHOD) || headers.removeIf(GraphQl::isGraphQlHeader);
            BodyReader body = new BodyReader(lines, at, file, files, headers);
            List<RequestText.BodyPart> parts = body.read();
            at = body.at();
            notes.addAll(body.notes());
            if (!disabled) {
                String requestName = name.orElse(title.isEmpty() ? first.method() + " " + first.shownUrl() : title);
                RequestText text = new RequestText(
                        spot,
                        unique(RequestText.shown(requestName), usedNames),
                        first.method(),
                        first.url(),
                        headers,
                        parts,
                        directives);
                requests.add(isGraphQl ? GraphQl.overHttp(text) : text);
            }
        }

        /** A URL continues in lines that are indented or start with a query character. */
        private static boolean continuesUrl(String line) {
            String text = line.strip();
            boolean query = text.startsWith("?") || text.startsWith("&");
            boolean indented = !line.isEmpty() && Character.isWhitespace(line.charAt(0));
            return !text.isEmpty()
                    && (query || (indented && !HEADER.matcher(text).matches()));
        }

        private List<RequestText.Header> headers() {
            List<RequestText.Header> headers = new ArrayList<>();
            for (; at < lines.size(); at++) {
                String line = lines.get(at).strip();
                if (line.isEmpty() || line.startsWith("###") || endsHeaders(line)) {
                    return headers;
                }
                if (BodyReader.isComment(line)) {
                    comment(comment(line), spot());
                    continue;
                }
                Matcher shape = HEADER.matcher(line);
                if (!shape.matches()) {
                    throw spot().refusal("expected a header 'Name: value', or an empty line before the body, but found "
                            + SourcePosition.foundWord(line));
                }
                String header = shape.group(1);
                String value = shape.group(2).strip();
                headers.add(new RequestText.Header(
                        spot(),
                        header,
                        header.equalsIgnoreCase("Authorization") ? Credentials.ofEditor(value, spot()) : value));
            }
            return headers;
        }

        private static boolean endsHeaders(String line) {
            return line.startsWith("> ")
                    || line.startsWith(">{")
                    || line.startsWith("<>")
                    || line.startsWith("< ")
                    || line.startsWith(">>");
        }

        /** The first line of a request; {@code shownUrl} has no query. */
        private record RequestLine(String method, String url, String shownUrl) {
            static RequestLine parse(String line, SourcePosition spot) {
                Matcher version = VERSION.matcher(line);
                String text = line;
                if (version.matches()) {
                    if (!version.group(2).startsWith("1.")) {
                        throw spot.refusal(
                                "HTTP/" + version.group(2)
                                        + " is not supported in request files: remove it (--http 2, API: http2, applies to all)");
                    }
                    text = version.group(1);
                }
                Matcher shape = METHOD.matcher(text);
                String method = shape.matches() ? shape.group(1) : "GET";
                String url = shape.matches() ? shape.group(2).strip() : text;
                refuseOthers(method, url, line, spot);
                int end = url.indexOf('?');
                return new RequestLine(method, url, end < 0 ? url : url.substring(0, end));
            }

            private static void refuseOthers(String method, String url, String line, SourcePosition spot) {
                switch (method) {
                    case "GRPC", "WEBSOCKET", "RSOCKET", "WSS", "WS", "SSE", "STOMP", "MQTT", "AMQP" ->
                        throw spot.refusal(method + " is not supported (accepted: requests over HTTP)");
                    default -> {
                        // any other method is sent as written
                    }
                }
                if (line.startsWith("import ") || line.startsWith("run ") || line.startsWith("curl ")) {
                    throw spot.refusal(
                            "'" + line.substring(0, line.indexOf(' ')) + "' is not supported in a file of requests"
                                    + (line.startsWith("curl") ? ": give it by --curl" : ""));
                }
                if (!url.startsWith("/")
                        && !url.startsWith("{{")
                        && !url.matches("(?s)[\\w.\\[\\]-]+[:/?{#].*|localhost|[\\w-]+(\\.[\\w-]+)+")) {
                    throw spot.refusal("expected a request such as 'GET http://localhost:8080/', but found "
                            + SourcePosition.found(line));
                }
            }
        }

        /** A directive in a comment, with its name in lower case: {@code # @weight 3}. */
        private record Directive(String name, String value) {
            /** Directives for editors only, which do not affect what is sent. */
            private static final Set<String> EDITOR_DIRECTIVES =
                    Set.of(("note no-log no-redirect no-cookie-jar no-auto-encoding no-response-view noresponseview "
                                    + "no-reject-unauthorized norejectunauthorized title description debug verbose tag timeout "
                                    + "connection-timeout keepstreaming use-os-credentials save openwith extension loglevel "
                                    + "no-client-cert jwt hint proxy ratelimit responseref")
                            .split(" "));

            private static final Set<String> UNSUPPORTED =
                    Set.of("ref forceref import loop sleep grpc ws mqtt eventsource injectvariables prompt".split(" "));
            private static final Pattern SHAPE = Pattern.compile("@([\\w-]+)(?:\\s*=\\s*|\\s+)?(.*)");
            private static final String ACCEPTED =
                    "@name, @weight N, @expect STATUS, @capture NAME = json /pointer, @think TIME";

            static Directive parse(String comment) {
                Matcher shape = SHAPE.matcher(comment);
                return shape.matches()
                        ? new Directive(
                                shape.group(1).toLowerCase(Locale.ROOT),
                                shape.group(2).strip())
                        : new Directive("note", comment);
            }

            /** The directives of a request, with this one added. */
            Directives addTo(Directives others, SourcePosition spot) {
                try {
                    return switch (name) {
                        case "weight" -> others.weight(weight());
                        case "expect" -> others.and(Expectation.parse(value));
                        case "capture" -> others.and(Capture.parse(value));
                        case "think" -> others.think(think());
                        default -> ifEditorOnly(others);
                    };
                } catch (IllegalArgumentException refused) {
                    throw spot.refusal("@" + name + ": " + refused.getMessage());
                }
            }

            private Directives ifEditorOnly(Directives others) {
                if (UNSUPPORTED.contains(name)) {
                    throw new IllegalArgumentException(
                            name.equals("prompt")
                                    ? "not supported: pass the value with --var (API: variable) and delete this line"
                                    : name.equals("sleep")
                                            ? "not supported: write '# @think 1s' for a pause of a session"
                                            : "not supported (accepted: " + ACCEPTED + ")");
                }
                if (!EDITOR_DIRECTIVES.contains(name)) {
                    throw new IllegalArgumentException("unknown directive (accepted: " + ACCEPTED + ")");
                }
                return others;
            }

            private long weight() {
                if (!value.matches("[0-9]{1,7}")
                        || Long.parseLong(value) < 1
                        || Long.parseLong(value) > Directives.MOST_WEIGHT) {
                    throw new IllegalArgumentException("a weight must be a whole number from 1 to "
                            + Directives.MOST_WEIGHT + ", but was " + SourcePosition.found(value));
                }
                return Long.parseLong(value);
            }

            private ThinkTime think() {
                return new ThinkTime.Constant(DurationText.parseNanos(value));
            }
        }
    }

    /**
     * GraphQL queries in editor syntax: the query, an empty line, and its variables in JSON. Over HTTP they are a POST
     * of JSON.
     *
     * @see <a href="https://graphql.github.io/graphql-over-http/draft/">GraphQL over HTTP</a>
     */
    private static final class GraphQl {
        static final String METHOD = "GRAPHQL";

        private GraphQl() {}

        /** The REST Client's header for GraphQL. */
        static boolean isGraphQlHeader(RequestText.Header header) {
            return header.name().equalsIgnoreCase("X-REQUEST-TYPE")
                    && header.value().equalsIgnoreCase("GraphQL");
        }

        static RequestText overHttp(RequestText request) {
            StringBuilder written = new StringBuilder();
            SourcePosition spot = request.spot();
            for (RequestText.BodyPart part : request.body()) {
                if (!(part instanceof RequestText.Typed typed)) {
                    throw request.spot().refusal("a GraphQL query is text: write '<@ ./file' for one in a file");
                }
                spot = written.length() == 0 ? typed.spot() : spot;
                written.append(typed.text());
            }
            String text = written.toString().strip();
            if (text.isEmpty()) {
                throw request.spot().refusal("a GraphQL request needs a query");
            }
            int variables = variablesAt(text);
            String json = "{\"query\": " + JsonText.of((variables < 0 ? text : text.substring(0, variables)).strip())
                    + (variables < 0
                            ? ""
                            : ", \"variables\": " + text.substring(variables).strip()) + "}";
            List<RequestText.Header> headers = new ArrayList<>(request.headers());
            if (request.header("Content-Type").isEmpty()) {
                headers.add(new RequestText.Header(spot, "Content-Type", "application/json"));
            }
            return new RequestText(
                    request.spot(),
                    request.name(),
                    "POST",
                    request.url(),
                    headers,
                    List.of(new RequestText.Typed(spot, json)),
                    request.directives());
        }

        /**
         * After an empty line, a brace followed by a quoted name or by the closing brace; no query begins like this.
         */
        private static int variablesAt(String text) {
            int empty = text.lastIndexOf("\n\n");
            String rest = empty < 0 ? "" : text.substring(empty).strip();
            return rest.matches("(?s)\\{\\s*(\"|\\}).*") ? text.indexOf(rest, empty) : -1;
        }
    }
}
