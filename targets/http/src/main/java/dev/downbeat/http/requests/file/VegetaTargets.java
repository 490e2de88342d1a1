package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.JsonValues;
import dev.downbeat.http.requests.file.RequestText.Directives;
import dev.downbeat.http.requests.value.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A target list in vegeta's format: a request line, headers, and {@code @FILE} for a body, separated by empty lines; or
 * one JSON object per line.
 *
 * @see <a href="https://github.com/tsenart/vegeta#http-format">vegeta's formats</a>
 */
public final class VegetaTargets {
    private final List<String> lines;
    private final String file;
    private final Path folder;
    private final List<RequestText> requests = new ArrayList<>();
    private int at;

    private VegetaTargets(List<String> lines, String file, Path folder) {
        this.lines = lines;
        this.file = file;
        this.folder = folder;
    }

    /**
     * Parses a list.
     *
     * @throws IllegalArgumentException if a line is invalid; the message names it
     */
    public static List<RequestText> parse(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        return new VegetaTargets(Files.readAllLines(file), name, HttpFile.folderOf(file)).read();
    }

    private List<RequestText> read() throws IOException {
        while (at < lines.size()) {
            String line = lines.get(at).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                at++;
            } else if (line.startsWith("{")) {
                json(line);
                at++;
            } else {
                target(line);
            }
        }
        if (requests.isEmpty()) {
            throw new SourcePosition(file, 0).refusal("there is no target in it, such as 'GET http://localhost:8080/'");
        }
        return requests;
    }

    private SourcePosition spot() {
        return new SourcePosition(file, at + 1);
    }

    private void target(String line) throws IOException {
        SourcePosition spot = spot();
        String[] words = line.split("\\s+", -1);
        if (words.length != 2 || !words[0].matches("[A-Z]+")) {
            throw spot.refusal(
                    "expected a target such as 'GET http://localhost:8080/', but found " + SourcePosition.found(line));
        }
        List<RequestText.Header> headers = new ArrayList<>();
        List<RequestText.BodyPart> body = List.of();
        for (at++; at < lines.size() && !lines.get(at).isBlank(); at++) {
            String next = lines.get(at).strip();
            if (next.startsWith("#")) {
                continue;
            }
            if (next.startsWith("@")) {
                body = List.of(new RequestText.Raw(fileOf(next.substring(1))));
                continue;
            }
            int colon = next.indexOf(':');
            if (colon < 1) {
                throw spot().refusal(
                                "expected a header 'Name: value' or '@FILE', but found " + SourcePosition.found(next));
            }
            headers.add(new RequestText.Header(
                    spot(),
                    next.substring(0, colon).strip(),
                    next.substring(colon + 1).strip()));
        }
        add(spot, words[0], words[1], headers, body);
    }

    private byte[] fileOf(String name) throws IOException {
        return BodyReader.fileOf(folder, name, spot());
    }

    private void json(String line) {
        Map<String, Object> target;
        List<RequestText.BodyPart> body = List.of();
        try {
            target = JsonValues.object(JsonValues.parse(line));
            Object encoded = target.get("body");
            if (encoded instanceof String base64 && !base64.isEmpty()) {
                body = List.of(new RequestText.Raw(Base64.getDecoder().decode(base64)));
            }
        } catch (IllegalArgumentException corrupt) {
            throw spot().refusal(String.valueOf(corrupt.getMessage()));
        }
        if (!(target.get("method") instanceof String method) || !(target.get("url") instanceof String url)) {
            throw spot().refusal("expected \"method\" and \"url\", but found " + SourcePosition.found(line));
        }
        List<RequestText.Header> headers = new ArrayList<>();
        JsonValues.object(Optional.ofNullable(target.get("header")).orElse(Map.of()))
                .forEach((name, values) -> JsonValues.list(values)
                        .forEach(value -> headers.add(new RequestText.Header(spot(), name, JsonValues.plain(value)))));
        add(spot(), method, url, headers, body);
    }

    private void add(
            SourcePosition spot,
            String method,
            String url,
            List<RequestText.Header> headers,
            List<RequestText.BodyPart> body) {
        requests.add(new RequestText(spot, nameOf(method, url), method, url, headers, body, Directives.NONE));
    }

    /** The default name of a request: its method and path. */
    static String nameOf(String method, String url) {
        int scheme = url.indexOf("://");
        int slash = url.indexOf('/', scheme < 0 ? 0 : scheme + 3);
        String path = slash < 0 ? "/" : url.substring(slash);
        int end = path.indexOf('?');
        return method + " " + (end < 0 ? path : path.substring(0, end));
    }
}
