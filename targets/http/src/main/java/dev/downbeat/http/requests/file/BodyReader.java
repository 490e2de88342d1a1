package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a request's body, and what follows it up to the next request. Use once. */
final class BodyReader {
    private static final Pattern FROM_FILE = Pattern.compile("<(@\\w*)?\\s+(\\S.*)");
    private static final long LARGEST = 64L << 20;

    private final List<String> lines;
    private final String file;
    private final Path folder;
    private final boolean isForm;
    private final boolean isMultipart;
    private final List<RequestText.BodyPart> parts = new ArrayList<>();
    private final List<HandlerScript> scripts = new ArrayList<>();
    private final StringBuilder typed = new StringBuilder();
    private int typedFrom;
    private int at;

    /** Reads from a line on, from 0: the one after the headers. */
    BodyReader(List<String> lines, int at, String file, Path folder, List<RequestText.Header> headers) {
        this.lines = lines;
        this.at = at;
        this.file = file;
        this.folder = folder;
        String type = headers.stream()
                .filter(header -> header.name().equalsIgnoreCase("Content-Type"))
                .map(header -> header.value().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("");
        this.isForm = type.startsWith("application/x-www-form-urlencoded");
        this.isMultipart = type.startsWith("multipart/");
    }

    /** The line of the next request. */
    int at() {
        return at;
    }

    List<HandlerScript> scripts() {
        return scripts;
    }

    List<RequestText.BodyPart> read() throws IOException {
        boolean begun = false;
        while (at < lines.size()) {
            String line = lines.get(at);
            if (line.stripLeading().startsWith("###")) {
                break;
            }
            if (line.startsWith("> ") || line.startsWith(">{") || line.startsWith(">>") || line.startsWith("<>")) {
                afterBody(line);
                continue;
            }
            Matcher include = FROM_FILE.matcher(line);
            if (include.matches() && !line.contains("{%")) {
                include(include.group(1) != null, include.group(2).strip());
                begun = true;
            } else if (begun || !line.isBlank()) {
                type(line);
                begun = true;
            }
            at++;
        }
        endTyped(true);
        return parts;
    }

    private void type(String line) {
        if (typed.length() == 0) {
            typedFrom = at + 1;
        }
        typed.append(isForm ? line.strip() : line).append(isForm ? "" : isMultipart ? "\r\n" : "\n");
    }

    /** Empty lines before the next request do not belong to the body. */
    private void endTyped(boolean isLast) {
        String text = typed.toString();
        typed.setLength(0);
        if (isLast) {
            text = text.stripTrailing() + (isMultipart && !text.isBlank() ? "\r\n" : "");
        }
        if (isForm) {
            text = FormText.encoded(text);
        }
        if (!text.isEmpty()) {
            parts.add(new RequestText.Typed(new SourcePosition(file, Math.max(1, typedFrom)), text));
        }
    }

    private void include(boolean withVariables, String name) throws IOException {
        endTyped(false);
        SourcePosition spot = new SourcePosition(file, at + 1);
        Path path;
        try {
            path = folder.resolve(name);
        } catch (InvalidPathException none) {
            throw spot.refusal("expected the name of a file, but found " + SourcePosition.found(name));
        }
        if (!Files.isRegularFile(path) || Files.size(path) > LARGEST) {
            throw spot.refusal(Files.isRegularFile(path) ? name + " is larger than 64 MiB" : "no such file: " + name);
        }
        parts.add(
                withVariables
                        ? new RequestText.Typed(new SourcePosition(name, 1), Files.readString(path))
                        : new RequestText.Raw(Files.readAllBytes(path)));
        if (isMultipart) {
            parts.add(new RequestText.Raw(new byte[] {'\r', '\n'}));
        }
    }

    /** A response handler, or where an editor saves the response. */
    private void afterBody(String line) {
        SourcePosition spot = new SourcePosition(file, at + 1);
        at++;
        if (line.startsWith(">>") || line.startsWith("<>")) {
            return;
        }
        StringBuilder script = new StringBuilder(line);
        if (line.contains("{%")) {
            while (script.indexOf("%}") < 0) {
                if (at >= lines.size()) {
                    throw spot.refusal("a script is not closed by '%}'");
                }
                script.append('\n').append(lines.get(at++));
            }
        }
        scripts.add(new HandlerScript(spot, script.toString()));
    }
}
