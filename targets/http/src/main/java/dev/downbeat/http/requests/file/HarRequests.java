package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.JsonValues;
import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.TextFile;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A browser recording, an HTTP archive. A page uses many hosts, a run only one: that of the first entry that was sent.
 * Entries that the browser did not send are left out.
 *
 * @see <a href="http://www.softwareishard.com/blog/har-12-spec/">HAR 1.2</a>
 */
public final class HarRequests {
    private static final int LARGEST = 256;

    /** Headers that depend on the connection or the body and are regenerated. */
    private static final Set<String> GENERATED_HEADERS =
            Set.of("host", "content-length", "connection", "transfer-encoding", "keep-alive", "upgrade");

    /** Characters absent from an encoded form field: scripts leave {@code ! ' ( ) ~} unencoded. */
    private static final Pattern DECODED = Pattern.compile("[^\\w.*+%!'()~-]|%(?![0-9a-fA-F]{2})");

    private HarRequests() {}

    /**
     * Parses an archive.
     *
     * @throws IllegalArgumentException if the file is not an archive
     */
    public static HttpFile parse(Path file) throws IOException {
        return parse(TextFile.read(file, LARGEST), String.valueOf(file.getFileName()));
    }

    public static HttpFile parse(String text, String name) {
        Object root;
        try {
            root = JsonValues.parse(text);
        } catch (IllegalArgumentException corrupt) {
            throw new SourcePosition(name, 0).refusal(String.valueOf(corrupt.getMessage()));
        }
        List<Object> entries =
                JsonValues.list(JsonValues.object(JsonValues.object(root).getOrDefault("log", Map.of()))
                        .getOrDefault("entries", List.of()));
        List<RequestText> selected = new ArrayList<>();
        String first = firstOrigin(entries);
        int others = 0;
        int unsent = 0;
        for (int i = 0; i < entries.size(); i++) {
            Map<String, Object> entry = JsonValues.object(entries.get(i));
            Map<String, Object> request = JsonValues.object(entry.getOrDefault("request", Map.of()));
            String origin = origin(request);
            if (!origin.isEmpty() && origin.equals(first) && isUnsent(entry)) {
                unsent++;
            } else if (!origin.isEmpty() && origin.equals(first)) {
                selected.add(request(request, new SourcePosition(name + " entry", i + 1, true)));
            } else if (!origin.isEmpty()) {
                others++;
            }
        }
        if (selected.isEmpty() && unsent > 0) {
            throw new SourcePosition(name, 0)
                    .refusal("all requests to " + first + " came from the browser's cache or got no response: record"
                            + " again with the cache disabled");
        }
        if (selected.isEmpty()) {
            throw new SourcePosition(name, 0).refusal("there is no request over HTTP in it: expected log.entries");
        }
        List<String> notes = new ArrayList<>();
        if (others > 0) {
            notes.add(name + ": " + others + " of " + (selected.size() + unsent + others)
                    + " requests go to other hosts than " + first
                    + " and are left out; an .http file may name several");
        }
        if (unsent > 0) {
            notes.add(name + ": " + unsent + " of " + (selected.size() + unsent) + " requests to " + first
                    + " came from the browser's cache or got no response, and are left out");
        }
        return new HttpFile(selected, Map.of(), notes);
    }

    /** Whether the browser answered a request from its cache, blocked it, or saw no response. */
    private static boolean isUnsent(Map<String, Object> entry) {
        Map<String, Object> response = JsonValues.object(entry.getOrDefault("response", Map.of()));
        return entry.get("_fromCache") instanceof String // as Chrome writes it
                || entry.get("_fetchType") instanceof String type && type.endsWith(" Cache") // as Safari does
                || response.get("status") instanceof Number status && status.intValue() == 0;
    }

    /** The origin of the first entry that the browser sent; of the first at all if it sent none, empty if there is none. */
    private static String firstOrigin(List<Object> entries) {
        String unsent = "";
        for (Object one : entries) {
            Map<String, Object> entry = JsonValues.object(one);
            String origin = origin(JsonValues.object(entry.getOrDefault("request", Map.of())));
            if (!origin.isEmpty() && !isUnsent(entry)) {
                return origin;
            }
            unsent = unsent.isEmpty() ? origin : unsent;
        }
        return unsent;
    }

    private static String origin(Map<String, Object> request) {
        if (!(request.get("method") instanceof String method)
                || method.equals("CONNECT") // to a proxy
                || !(request.get("url") instanceof String url)
                || !url.startsWith("http")) {
            return "";
        }
        int slash = url.indexOf('/', url.indexOf("://") + 3);
        return (slash < 0 ? url : url.substring(0, slash)).toLowerCase(Locale.ROOT);
    }

    private static RequestText request(Map<String, Object> request, SourcePosition spot) {
        String method = String.valueOf(request.get("method"));
        String url = String.valueOf(request.get("url"));
        List<RequestText.Header> headers = new ArrayList<>();
        for (Object one : JsonValues.list(request.getOrDefault("headers", List.of()))) {
            Map<String, Object> header = JsonValues.object(one);
            String name = JsonValues.plain(header.getOrDefault("name", ""));
            if (!name.startsWith(":")
                    && !GENERATED_HEADERS.contains(name.toLowerCase(Locale.ROOT))
                    && !name.isEmpty()) {
                String value = JsonValues.plain(header.getOrDefault("value", ""));
                headers.add(new RequestText.Header(spot, name, value, true));
            }
        }
        byte[] bytes = body(request, spot);
        List<RequestText.BodyPart> body = bytes.length == 0 ? List.of() : List.of(new RequestText.Raw(bytes));
        return new RequestText(spot, RequestText.nameOf(method, url), method, url, headers, body, Directives.NONE);
    }

    private static byte[] body(Map<String, Object> request, SourcePosition spot) {
        Map<String, Object> posted = JsonValues.object(request.getOrDefault("postData", Map.of()));
        List<Map<String, Object>> fields = JsonValues.list(posted.getOrDefault("params", List.of())).stream()
                .map(JsonValues::object)
                .toList();
        String text = posted.get("text") instanceof String given ? given : "";
        if (fields.isEmpty() || !text.isEmpty()) {
            byte[] bytes = "base64".equals(posted.get("encoding"))
                    ? decoded(text, spot)
                    : text.getBytes(StandardCharsets.UTF_8);
            long size = size(request);
            if (bytes.length < size) {
                throw spot.refusal("the archive has only " + bytes.length + " of the " + size
                        + " bytes of this request's body: delete the entry from the file");
            }
            return bytes;
        }
        if (!RequestText.isForm(String.valueOf(posted.get("mimeType")))) {
            throw spot.refusal("the archive has the fields of a form, but not the body that was sent: delete the entry"
                    + " from the file");
        }
        // Browsers write all fields of a form either decoded or as sent.
        boolean isDecoded = fields.stream()
                .anyMatch(field -> DECODED.matcher(plain(field, "name")).find()
                        || DECODED.matcher(plain(field, "value")).find());
        UnaryOperator<String> sent = one -> isDecoded ? URLEncoder.encode(one, StandardCharsets.UTF_8) : one;
        return fields.stream()
                .map(field -> sent.apply(plain(field, "name")) + "=" + sent.apply(plain(field, "value")))
                .collect(Collectors.joining("&"))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The size of the body on the wire: Chrome omits the files of an upload from its text and from its bodySize. */
    private static long size(Map<String, Object> request) {
        long size = request.get("bodySize") instanceof Number bodySize ? bodySize.longValue() : 0;
        for (Object one : JsonValues.list(request.getOrDefault("headers", List.of()))) {
            Map<String, Object> header = JsonValues.object(one);
            String value = JsonValues.plain(header.getOrDefault("value", ""));
            if ("content-length".equalsIgnoreCase(String.valueOf(header.get("name"))) && value.matches("[0-9]{1,18}")) {
                size = Math.max(size, Long.parseLong(value));
            }
        }
        return size;
    }

    private static byte[] decoded(String text, SourcePosition spot) {
        try {
            return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
        } catch (IllegalArgumentException other) {
            throw spot.refusal("the archive's body is not in Base64, as its encoding says");
        }
    }

    private static String plain(Map<String, Object> field, String member) {
        Object value = field.get(member);
        return value == null ? "" : JsonValues.plain(value);
    }
}
