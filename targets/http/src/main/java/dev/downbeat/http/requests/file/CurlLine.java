package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.TextFile;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A request copied from a browser: {@code curl 'http://...' -H 'Accept: text/html' --data-raw '{}'}. Use once. */
public final class CurlLine {
    /** Options that only affect curl's output, or match Downbeat's behaviour. */
    private static final Set<String> IGNORED =
            Set.of(("-s --silent -S --show-error -v --verbose -i --include -f --fail --http1.1 -# --progress-bar "
                            + "-N --no-buffer --fail-with-body -4 -6")
                    .split(" "));

    private static final Set<String> IGNORED_WITH_VALUE = Set.of("-o", "--output", "-w", "--write-out", "--stderr");
    private static final Map<String, String> HINTS = Map.of(
            "-k", "-k",
            "--insecure", "-k",
            "-L", "--follow 10",
            "--location", "--follow 10",
            "-m", "--timeout",
            "--max-time", "--timeout",
            "--connect-timeout", "--connect-timeout");
    private static final Set<String> HINTED_WITH_VALUE = Set.of("-m", "--max-time", "--connect-timeout");

    /** Short options with a value, which may follow without a blank. */
    private static final String SHORT_WITH_VALUE = "XHdubAeomwF";

    /** A command of PowerShell, a console or another client: a URL other than localhost has a dot or colon. */
    private static final Pattern OTHER_COMMAND =
            Pattern.compile("(?!localhost)[A-Za-z][A-Za-z-]*|\\$.*|(?s)fetch\\(.*");

    /** A pattern that curl expands to several URLs. */
    private static final Pattern GLOB = Pattern.compile("(?<!\\{)\\{[^{}]+\\}(?!\\})|\\[\\w+-\\w+(:\\d+)?\\]");

    private static final Pattern BEYOND_ASCII = Pattern.compile("[^\\p{ASCII}]");

    private final SourcePosition spot;
    private final BodyFiles files;
    private final Deque<String> words;
    private final List<RequestText.Header> headers = new ArrayList<>();

    /** Headers of options such as -u, which -H overrides. */
    private final Map<String, String> defaults = new LinkedHashMap<>();

    /** Lower-case names of headers that the line removes. */
    private final Set<String> leftOut = new HashSet<>();

    private final List<RequestText.BodyPart> data = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<String> method = Optional.empty();
    private Optional<String> url = Optional.empty();
    private boolean asQuery;
    private boolean isHead;
    private boolean isLiteral;

    private CurlLine(CurlCommands.CurlCommand command, BodyFiles files) {
        this.spot = command.spot();
        this.files = files;
        this.words = command.words();
    }

    /**
     * Parses a line, with or without a leading {@code curl}, or several with a {@code ;} between them.
     *
     * @param spot its position
     * @param folder folder of body files
     * @throws IllegalArgumentException if it uses an unsupported option; the message names it
     */
    public static HttpFile parse(String line, SourcePosition spot, Path folder) throws IOException {
        return read(CurlCommands.of(line, spot, false), spot, new BodyFiles(folder));
    }

    /** Parses a file of such lines, written like a shell script: a backslash or an open quote joins two lines. */
    public static HttpFile parse(Path file) throws IOException {
        SourcePosition first = new SourcePosition(String.valueOf(file.getFileName()), 1);
        return read(CurlCommands.of(TextFile.read(file, HttpFile.LARGEST), first, true), first, BodyFiles.beside(file));
    }

    private static HttpFile read(List<CurlCommands.CurlCommand> commands, SourcePosition first, BodyFiles files)
            throws IOException {
        List<RequestText> requests = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (CurlCommands.CurlCommand command : commands) {
            CurlLine one = new CurlLine(command, files);
            requests.add(one.read());
            notes.addAll(one.notes);
        }
        if (requests.isEmpty()) {
            throw first.refusal("the curl line has no URL");
        }
        return new HttpFile(requests, Map.of(), notes, files.all());
    }

    private RequestText read() throws IOException {
        if (CurlCommands.beginWithCurl(words)) {
            words.remove();
        } else if (OTHER_COMMAND.matcher(String.valueOf(words.peek())).matches()) {
            throw spot.refusal("expected a curl command, but found " + SourcePosition.found(words.remove())
                    + " (in a browser: Copy as cURL (bash))");
        }
        while (!words.isEmpty()) {
            String word = words.remove();
            if (word.length() > 2 && word.charAt(0) == '-' && word.charAt(1) != '-') {
                boolean hasValue = SHORT_WITH_VALUE.indexOf(word.charAt(1)) >= 0;
                words.addFirst(hasValue ? word.substring(2) : "-" + word.substring(2));
                word = word.substring(0, 2);
            }
            option(word);
        }
        String target = url.orElseThrow(() -> spot.refusal("the curl line has no URL"));
        if (!isLiteral && GLOB.matcher(target).find()) {
            throw spot.refusal(
                    "curl makes several requests of [1-3] and {a,b}: add -g if they belong to the URL, or write each");
        }
        if (asQuery && !data.isEmpty()) {
            target += (target.contains("?") ? "&" : "?") + query();
            data.clear();
        }
        String verb = method.orElse(isHead ? "HEAD" : data.isEmpty() ? "GET" : "POST");
        if (!data.isEmpty()) {
            defaults.putIfAbsent("Content-Type", RequestText.FORM);
        }
        List<RequestText.Header> sent = new ArrayList<>(headers);
        defaults.forEach((name, value) -> {
            if (!leftOut.contains(name.toLowerCase(Locale.ROOT))
                    && headers.stream().noneMatch(one -> one.name().equalsIgnoreCase(name))) {
                sent.add(new RequestText.Header(spot, name, value, true));
            }
        });
        return new RequestText(spot, RequestText.nameOf(verb, target), verb, target, sent, data, Directives.NONE);
    }

    private String query() {
        StringBuilder query = new StringBuilder();
        for (RequestText.BodyPart part : data) {
            query.append(part instanceof RequestText.Raw raw ? ofUrl(raw.bytes()) : ((RequestText.Typed) part).text());
        }
        return query.toString();
    }

    /** Percent-encodes bytes beyond ASCII, since decoding would replace those that are not UTF-8. */
    private static String ofUrl(byte[] bytes) {
        return BEYOND_ASCII
                .matcher(new String(bytes, StandardCharsets.ISO_8859_1))
                .replaceAll(one -> "%%%02X".formatted((int) one.group().charAt(0)));
    }

    private void option(String word) throws IOException {
        switch (word) {
            case "-X", "--request" -> method = Optional.of(value(word));
            case "-H", "--header" -> header(value(word));
            case "-d", "--data", "--data-ascii" -> data("&", value(word), false);
            case "--data-binary" -> data("&", value(word), true);
            case "--data-raw" -> data("&", typed(value(word)));
            case "--data-urlencode" -> data("&", typed(encoded(value(word))));
            case "-g", "--globoff" -> isLiteral = true;
            case "--json" -> {
                data("", value(word), true);
                defaults.put("Content-Type", "application/json");
                defaults.put("Accept", "application/json");
            }
            case "-u", "--user" -> {
                String[] pair = value(word).split(":", 2);
                defaults.put("Authorization", Credentials.basic(pair[0], pair.length > 1 ? pair[1] : ""));
            }
            case "-b", "--cookie" -> cookie(value(word));
            case "-A", "--user-agent" -> {
                String agent = value(word);
                if (agent.isEmpty()) {
                    leaveOut("User-Agent", word + " ''");
                }
                defaults.put("User-Agent", agent);
            }
            case "-e", "--referer" -> defaults.put("Referer", value(word));
            case "--compressed" -> defaults.put("Accept-Encoding", "gzip");
            case "-G", "--get" -> asQuery = true;
            case "-I", "--head" -> isHead = true;
            case "--url" -> url = Optional.of(value(word));
            default -> otherOption(word);
        }
    }

    private void otherOption(String word) {
        if (HINTS.containsKey(word)) {
            notes.add(spot + ": curl's " + word + " is ignored: use downbeat's " + HINTS.get(word));
            if (HINTED_WITH_VALUE.contains(word)) {
                value(word);
            }
        } else if (IGNORED_WITH_VALUE.contains(word)) {
            value(word);
        } else if (word.startsWith("-") && !IGNORED.contains(word)) {
            throw spot.refusal("curl's " + word + " is not supported (accepted: -X, -H, -d, --data-raw, --data-binary,"
                    + " --data-urlencode, --json, -u, -b, -A, -e, -G, -I, --compressed, --url)");
        } else if (!word.startsWith("-")) {
            if (url.isPresent()) {
                throw spot.refusal("a curl line must have one URL, but has another: " + SourcePosition.found(word));
            }
            url = Optional.of(word);
        }
    }

    private String value(String option) {
        if (words.isEmpty()) {
            throw spot.refusal("curl's " + option + " needs a value");
        }
        return words.remove();
    }

    private void cookie(String value) {
        if (!value.contains("=")) {
            throw spot.refusal("curl's -b FILE is not read: write the cookies as -b 'NAME=VALUE'");
        }
        defaults.merge("Cookie", value, (one, other) -> one + "; " + other);
    }

    /** {@code Name: value}; {@code Name;} for an empty value, {@code Name:} for none, which curl then does not send. */
    private void header(String line) {
        int colon = line.indexOf(':');
        boolean isEmpty = colon < 0 && line.indexOf(';') == line.length() - 1;
        int end = isEmpty ? line.length() - 1 : colon;
        if (end < 1) {
            throw spot.refusal("expected a header 'Name: value', but found " + SourcePosition.foundWord(line));
        }
        String name = line.substring(0, end).strip();
        String value = line.substring(end + 1).strip();
        if (value.isEmpty() && !isEmpty) {
            leaveOut(name, "-H '" + name + ":'");
        } else if (!name.startsWith(":") && !name.toLowerCase(Locale.ROOT).equals("content-length")) {
            headers.add(new RequestText.Header(spot, name, value, true));
        }
    }

    private void leaveOut(String name, String option) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals("accept") || lower.equals("user-agent") || lower.equals("host")) {
            throw spot.refusal("curl's " + option + " is not supported: " + name + " is always sent");
        }
        leftOut.add(lower);
    }

    private RequestText.Typed typed(String text) {
        return new RequestText.Typed(spot, text);
    }

    private void data(String separator, String value, boolean binary) throws IOException {
        if (!value.startsWith("@")) {
            data(separator, typed(value));
            return;
        }
        byte[] bytes = files.read(value.substring(1), spot);
        data(separator, binary ? new RequestText.Raw(bytes) : withoutLineBreaks(bytes));
    }

    /** As curl does; a file that is not text has no variables. */
    private RequestText.BodyPart withoutLineBreaks(byte[] file) {
        String latin = new String(file, StandardCharsets.ISO_8859_1).replaceAll("[\r\n\0]", "");
        byte[] bytes = latin.getBytes(StandardCharsets.ISO_8859_1);
        String text = new String(bytes, StandardCharsets.UTF_8);
        return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes) ? typed(text) : new RequestText.Raw(bytes);
    }

    private void data(String separator, RequestText.BodyPart part) {
        if (!data.isEmpty() && !separator.isEmpty()) {
            data.add(typed(separator));
        }
        data.add(part);
    }

    /** {@code TEXT}, {@code =TEXT}, {@code NAME=TEXT}, {@code @FILE} or {@code NAME@FILE}. */
    private String encoded(String value) throws IOException {
        int equals = value.indexOf('=');
        int file = equals < 0 ? value.indexOf('@') : -1;
        int sign = Math.max(equals, file);
        String name = sign <= 0 ? "" : value.substring(0, sign) + "=";
        String text = value.substring(sign + 1);
        return name + escaped(file < 0 ? text.getBytes(StandardCharsets.UTF_8) : files.read(text, spot));
    }

    /** As curl and Hurl escape what belongs to a URL (RFC 3986, 2.3). */
    static String escaped(byte[] bytes) {
        return URLEncoder.encode(new String(bytes, StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
