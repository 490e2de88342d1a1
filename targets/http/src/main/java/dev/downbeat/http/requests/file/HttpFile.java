package dev.downbeat.http.requests.file;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request file in the syntax of editors: IntelliJ IDEA's HTTP client and the REST Client of VS Code, as far as they
 * agree.
 *
 * @param requests in order
 * @param variables defined in the file: {@code @host = http://localhost:8080}
 * @param notes unsupported content that is ignored, one line each
 * @see <a href="https://github.com/JetBrains/http-request-in-editor-spec">HTTP request in editor specification</a>
 */
public record HttpFile(List<RequestText> requests, Map<String, String> variables, List<String> notes) {
    private static final long LARGEST = 16L << 20;

    public HttpFile {
        requests = List.copyOf(requests);
        variables = Map.copyOf(new LinkedHashMap<>(variables));
        notes = List.copyOf(notes);
    }

    /**
     * Parses a file, and the body files that it names, relative to its own folder.
     *
     * @throws IllegalArgumentException if the file is malformed or uses an unsupported feature; the message names the
     *     line and the accepted forms
     */
    public static HttpFile parse(Path file) throws IOException {
        if (Files.size(file) > LARGEST) {
            throw new IllegalArgumentException(file + " is larger than 16 MiB: it is not a file of requests");
        }
        try {
            return parse(Files.readString(file), String.valueOf(file.getFileName()), folderOf(file));
        } catch (CharacterCodingException binary) {
            throw new IllegalArgumentException(file + ": it is not UTF-8 text", binary);
        }
    }

    static Path folderOf(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? Path.of("/") : parent;
    }

    public static HttpFile parse(String text, String name, Path folder) throws IOException {
        String bare = text.startsWith("\uFEFF") ? text.substring(1) : text;
        HttpFileReader reader = new HttpFileReader(bare, name, folder);
        reader.read();
        return new HttpFile(reader.requests(), reader.variables(), reader.notes());
    }
}
