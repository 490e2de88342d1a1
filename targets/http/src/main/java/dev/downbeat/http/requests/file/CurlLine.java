package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.SourcePosition;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
            "-k", "give -k to downbeat, too",
            "--insecure", "give -k to downbeat, too",
            "-L", "redirects are not followed",
            "--location", "redirects are not followed",
            "-m", "give --timeout to downbeat",
            "--max-time", "give --timeout to downbeat",
            "--connect-timeout", "give --connect-timeout to downbeat");
    private static final Set<String> HINTED_WITH_VALUE = Set.of("-m", "--max-time", "--connect-timeout");

    /** Short options with a value, which may follow without a blank. */
    private static final String SHORT_WITH_VALUE = "XHdubAeomwF";

    /** Of PowerShell, a browser's console, or another client; a URL has a dot or a colon, but for localhost. */
    private static final Pattern OTHER_COMMAND =
            Pattern.compile("(?!localhost)[A-Za-z][A-Za-z-]*|\\$.*|(?s)fetch\\(.*");

    /** What curl would make several URLs of. */
    private static final Pattern GLOB = Pattern.compile("(?<!\\{)\\{[^{}]+\\}(?!\\})|\\[\\w+-\\w+(:\\d+)?\\]");

    private final SourcePosition spot;
    private final Path folder;
    private final Deque<String> words;
    private final List<RequestText.Header> headers = new ArrayList<>();
    private final List<String> data = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<byte[]> fromFile = Optional.empty();
    private Optional<String> method = Optional.empty();
    private Optional<String> url = Optional.empty();
    private boolean asQuery;
    private boolean isHead;
    private boolean isJson;
    private boolean isLiteral;
    private boolean hasNoType;

    private CurlLine(String line, SourcePosition spot, Path folder) {
        this.spot = spot;
        this.folder = folder;
        this.words = new ArrayDeque<>(split(line, spot));
    }

    /**
     * Parses a line, with or without a leading {@code curl}.
     *
     * @param spot its position
     * @param folder folder of body files
     * @throws IllegalArgumentException if it uses an unsupported option; the message names it
     */
    public static HttpFile parse(String line, SourcePosition spot, Path folder) throws IOException {
        return new CurlLine(line, spot, folder).read();
    }

    /**
     * Parses a file of such lines; empty lines and lines that start with # are ignored, and a backslash joins two
     * lines.
     */
    public static HttpFile parse(Path file) throws IOException {
        List<RequestText> requests = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            SourcePosition spot = new SourcePosition(String.valueOf(file.getFileName()), i + 1);
            StringBuilder line = new StringBuilder(lines.get(i));
            while (line.toString().stripTrailing().endsWith("\\") && i + 1 < lines.size()) {
                line.setLength(line.toString().stripTrailing().length() - 1);
                line.append(' ').append(lines.get(++i));
            }
            if (!line.toString().isBlank() && !line.toString().stripLeading().startsWith("#")) {
                HttpFile one = parse(line.toString(), spot, HttpFile.folderOf(file));
                requests.addAll(one.requests());
                notes.addAll(one.notes());
            }
        }
        return new HttpFile(requests, Map.of(), notes);
    }

    private HttpFile read() throws IOException {
        if ("curl".equals(words.peek()) || "curl.exe".equals(words.peek())) {
            words.remove();
        } else if (OTHER_COMMAND.matcher(String.valueOf(words.peek())).matches()) {
            throw spot.refusal("expected a line of curl, but found " + SourcePosition.found(words.remove())
                    + " (in a browser: Copy as cURL (bash))");
        }
        while (!words.isEmpty()) {
            String word = words.remove();
            if (word.length() > 2 && word.charAt(0) == '-' && word.charAt(1) != '-') {
                boolean hasValue = SHORT_WITH_VALUE.indexOf(word.charAt(1)) >= 0;
                words.addFirst(hasValue ? word.substring(2) : "-" + word.substring(2));
                word = word.substring(0, 2);
            }
            take(word);
        }
        String target = url.orElseThrow(() -> spot.refusal("the curl line has no URL"));
        if (!isLiteral && GLOB.matcher(target).find()) {
            throw spot.refusal(
                    "curl makes several requests of [1-3] and {a,b}: add -g if they belong to the URL, or write each");
        }
        String body = String.join("&", data);
        if (asQuery && !body.isEmpty()) {
            target += (target.contains("?") ? "&" : "?") + body;
            body = "";
        }
        boolean hasBody = !body.isEmpty() || fromFile.isPresent() || (!data.isEmpty() && !asQuery);
        String verb = method.orElse(isHead ? "HEAD" : hasBody ? "POST" : "GET");
        if (hasBody
                && !hasNoType
                && headers.stream().noneMatch(one -> one.name().equalsIgnoreCase("Content-Type"))) {
            header("Content-Type: " + (isJson ? "application/json" : "application/x-www-form-urlencoded"));
        }
        List<RequestText.BodyPart> parts = new ArrayList<>();
        if (!body.isEmpty()) {
            parts.add(new RequestText.Typed(spot, body));
        }
        fromFile.ifPresent(bytes -> parts.add(new RequestText.Raw(bytes)));
        RequestText request =
                new RequestText(spot, RequestText.nameOf(verb, target), verb, target, headers, parts, Directives.NONE);
        return new HttpFile(List.of(request), Map.of(), notes);
    }

    private void take(String word) throws IOException {
        switch (word) {
            case "-X", "--request" -> method = Optional.of(value(word));
            case "-H", "--header" -> header(value(word));
            case "-d", "--data", "--data-ascii" -> data(value(word), false);
            case "--data-binary" -> data(value(word), true);
            case "--data-raw" -> data.add(value(word));
            case "--data-urlencode" -> data.add(encoded(value(word)));
            case "-g", "--globoff" -> isLiteral = true;
            case "--json" -> {
                isJson = true;
                data(value(word), true);
                header("Accept: application/json");
            }
            case "-u", "--user" -> {
                String[] pair = value(word).split(":", 2);
                header("Authorization: " + Credentials.basic(pair[0], pair.length > 1 ? pair[1] : ""));
            }
            case "-b", "--cookie" -> cookie(value(word));
            case "-A", "--user-agent" -> header("User-Agent: " + value(word));
            case "-e", "--referer" -> header("Referer: " + value(word));
            case "--compressed" -> header("Accept-Encoding: gzip");
            case "-G", "--get" -> asQuery = true;
            case "-I", "--head" -> isHead = true;
            case "--url" -> url = Optional.of(value(word));
            default -> takeOther(word);
        }
    }

    private void takeOther(String word) {
        if (HINTS.containsKey(word)) {
            notes.add(spot + ": curl's " + word + " is not taken over: " + HINTS.get(word));
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
        header("Cookie: " + value);
    }

    private void header(String line) {
        int colon = line.indexOf(':');
        if (colon == line.length() - 1 && colon > 0) {
            leaveOut(line.substring(0, colon).strip());
            return;
        }
        if (colon < 1) {
            throw spot.refusal("expected a header 'Name: value', but found " + SourcePosition.found(line));
        }
        String name = line.substring(0, colon).strip();
        if (!name.startsWith(":") && !name.toLowerCase(Locale.ROOT).equals("content-length")) {
            headers.add(
                    new RequestText.Header(spot, name, line.substring(colon + 1).strip()));
        }
    }

    /** A header without a value is one that curl does not send. */
    private void leaveOut(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals("accept") || lower.equals("user-agent") || lower.equals("host")) {
            throw spot.refusal("curl's -H '" + name + ":' is not supported: " + name + " is always sent");
        }
        hasNoType |= lower.equals("content-type");
    }

    private byte[] bytesOf(String file) throws IOException {
        return BodyReader.fileOf(folder, file, spot);
    }

    private void data(String value, boolean binary) throws IOException {
        if (!value.startsWith("@")) {
            data.add(value);
            return;
        }
        byte[] bytes = bytesOf(value.substring(1));
        if (binary) {
            fromFile = Optional.of(bytes);
        } else {
            data.add(new String(bytes, StandardCharsets.UTF_8).replaceAll("[\r\n]", ""));
        }
    }

    /** {@code TEXT}, {@code =TEXT}, {@code NAME=TEXT}, {@code @FILE} or {@code NAME@FILE}. */
    private String encoded(String value) throws IOException {
        int equals = value.indexOf('=');
        int file = equals < 0 ? value.indexOf('@') : -1;
        int sign = Math.max(equals, file);
        String name = sign <= 0 ? "" : value.substring(0, sign) + "=";
        String text = value.substring(sign + 1);
        return name
                + URLEncoder.encode(
                                file < 0 ? text : new String(bytesOf(text), StandardCharsets.UTF_8),
                                StandardCharsets.UTF_8)
                        .replace("+", "%20");
    }

    /** Splits like a POSIX shell, with bash's {@code $'...'}. */
    static List<String> split(String line, SourcePosition spot) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            boolean ansi = c == '$' && at + 1 < line.length() && line.charAt(at + 1) == '\'';
            refuseExpansion(line, at, spot);
            if (c == '^' && (at + 1 == line.length() || "\"\r\n".indexOf(line.charAt(at + 1)) >= 0)) {
                throw spot.refusal("this line is for Windows' cmd: in a browser, Copy as cURL (bash)");
            }
            if (c == '\'' || c == '"' || ansi) {
                at = quoted(line, ansi ? at + 1 : at, ansi, word, spot);
                begun = true;
            } else if (c == '\\' && at + 1 < line.length()) {
                char next = line.charAt(++at);
                if (next != '\n') {
                    word.append(next);
                    begun = true;
                }
            } else if (Character.isWhitespace(c)) {
                if (begun) {
                    words.add(word.toString());
                }
                word.setLength(0);
                begun = false;
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }

    /** Rejects what a shell would expand: its value is unknown here. */
    private static void refuseExpansion(String line, int at, SourcePosition spot) {
        char c = line.charAt(at);
        char next = at + 1 < line.length() ? line.charAt(at + 1) : ' ';
        if (c == '`' || (c == '$' && (Character.isLetter(next) || "_{(".indexOf(next) >= 0))) {
            int end = Math.min(line.length(), at + 16);
            throw spot.refusal("a shell would fill in " + SourcePosition.found(line.substring(at, end))
                    + ": write its value, {{NAME}} with --var, or single quotes if it is text");
        }
    }

    /** Returns the index of the closing quote. */
    private static int quoted(String line, int open, boolean ansi, StringBuilder word, SourcePosition spot) {
        char quote = line.charAt(open);
        for (int at = open + 1; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == quote) {
                return at;
            }
            if (quote == '"') {
                refuseExpansion(line, at, spot);
            }
            boolean escapes = c == '\\' && at + 1 < line.length() && (ansi || quote == '"');
            if (!escapes) {
                word.append(c);
                continue;
            }
            char next = line.charAt(++at);
            if (ansi) {
                at = AnsiEscape.append(line, at, word);
            } else if ("\"\\$`".indexOf(next) >= 0) {
                word.append(next);
            } else if (next != '\n') {
                word.append('\\').append(next);
            }
        }
        throw spot.refusal("a quote is not closed in the curl line");
    }

    /** Escapes in bash's {@code $'...'}. Chrome writes each {@code !} of a copied request as {@code \\u0021}. */
    private static final class AnsiEscape {
        private static final String LETTERS = "abefnrtv";
        private static final String MEANINGS = "\u0007\b\u001b\f\n\r\t\u000b";
        private static final int HEX = 16;
        private static final int OCTAL = 8;

        private AnsiEscape() {}

        /**
         * Appends the character that an escape stands for.
         *
         * @param at index of the character after the backslash
         * @return index of its last character
         */
        static int append(String line, int at, StringBuilder word) {
            char kind = line.charAt(at);
            int letter = LETTERS.indexOf(kind);
            if (letter >= 0) {
                word.append(MEANINGS.charAt(letter));
                return at;
            }
            return switch (kind) {
                case 'u' -> number(line, at, at + 1, 4, HEX, word);
                case 'U' -> number(line, at, at + 1, 8, HEX, word);
                case 'x' -> number(line, at, at + 1, 2, HEX, word);
                case '0', '1', '2', '3', '4', '5', '6', '7' -> number(line, at, at, 3, OCTAL, word);
                default -> {
                    word.append(kind);
                    yield at;
                }
            };
        }

        /** The character with that code; the letter itself if no digit follows. */
        private static int number(String line, int at, int from, int most, int base, StringBuilder word) {
            int end = from;
            while (end < line.length() && end < from + most && Character.digit(line.charAt(end), base) >= 0) {
                end++;
            }
            int code = end == from ? -1 : Integer.parseUnsignedInt(line.substring(from, end), base);
            if (!Character.isValidCodePoint(code)) {
                word.append(line.charAt(at));
                return at;
            }
            word.appendCodePoint(code);
            return end - 1;
        }
    }
}
