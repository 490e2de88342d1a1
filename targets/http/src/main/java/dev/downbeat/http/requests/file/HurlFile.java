package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.Expectation;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    /** A variable at the beginning of a URL: its host. */
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
    private final Path folder;
    private final List<RequestText> requests = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<String> taken = new HashSet<>();
    private int at;

    private HurlFile(String text, String file, Path folder) {
        String bare = text.startsWith("\uFEFF") ? text.substring(1) : text;
        this.lines = bare.replace("{{newUuid}}", "{{$uuid}}")
                .replace("{{newDate}}", "{{$isoTimestamp}}")
                .lines()
                .toList();
        this.file = file;
        this.folder = folder;
    }

    /**
     * Parses a file, and the body files that it names, relative to its own folder.
     *
     * @throws IllegalArgumentException if it is malformed or uses an unsupported feature; the message names the line
     */
    public static HttpFile parse(Path file) throws IOException {
        return parse(Files.readString(file), String.valueOf(file.getFileName()), HttpFile.folderOf(file));
    }

    static HttpFile parse(String text, String name, Path folder) throws IOException {
        HurlFile reader = new HurlFile(text, name, folder);
        while (reader.isMore()) {
            reader.entry();
        }
        if (reader.requests.isEmpty()) {
            throw new SourcePosition(name, 0)
                    .refusal("there is no request in it, such as 'GET http://localhost:8080/'");
        }
        return new HttpFile(reader.requests, reader.variables, reader.notes);
    }

    /** Skips what is empty; whether a line is left. */
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

    private void note(String what) {
        notes.add(spot() + ": " + what);
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
                entry.take();
            }
        }
        entry.end();
    }

    /** One request with its response. */
    private final class Entry {
        private final SourcePosition spot;
        private final String method;
        private final StringBuilder url;
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
            this.url = new StringBuilder(url);
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
                note("the version of the response is not checked: --http says which is spoken");
            }
        }

        private void expect(Expectation more) {
            directives = directives.and(more);
        }

        void take() throws IOException {
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
                    url.append(url.indexOf("?") < 0 ? '?' : '&').append(HurlText.encodedPair(name, value));
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
                variables.put(
                        value.substring(0, equals).strip(),
                        value.substring(equals + 1).strip());
            } else if (name.equals("delay")) {
                think(value.matches("[0-9]+") ? value + "ms" : value);
            } else if (name.equals("skip")) {
                isSkipped = value.equals("true");
            } else if (name.equals("compressed")) {
                headers.add(new RequestText.Header(spot(), "Accept-Encoding", "gzip"));
            } else if (HINTS.containsKey(name)) {
                note("the option " + name + " is not taken over: say " + HINTS.get(name) + " to downbeat");
            } else if (!SILENT_OPTIONS.contains(name)) {
                throw spot().refusal("the option " + name
                        + " is not supported (accepted: variable, delay, skip, compressed)");
            }
        }

        private void think(String time) {
            try {
                directives = directives.think(new ThinkTime.Constant(DurationText.parseNanos(time)));
            } catch (IllegalArgumentException refused) {
                throw spot().refusal("delay: " + refused.getMessage());
            }
        }

        /** Bodies have no mark of their own: how one begins says how it ends. */
        private void body() throws IOException {
            hasBody = true;
            HurlBody read = HurlBody.read(lines, at, file, folder, isAnswered);
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
                body = List.of(new RequestText.Typed(spot, form.toString()));
                type("application/x-www-form-urlencoded");
            }
            headers.removeIf(header -> header.name().toLowerCase(Locale.ROOT).equals("content-length"));
            String called = VegetaTargets.nameOf(method, HOST.matcher(url).replaceFirst("/"));
            String own = called;
            for (int n = 2; !taken.add(own); n++) {
                own = called + " (" + n + ")";
            }
            requests.add(new RequestText(spot, own, method, url.toString(), headers, body, directives));
        }
    }
}
