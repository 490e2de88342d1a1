package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads a request's body and the rest of the request, up to the next one. Use once. */
final class BodyReader {
    static final String NO_SCRIPT =
            "a script '{{ ... }}' is not run: set its variables by '@name = value' or --var (API: variable), and leave it out";

    private static final Pattern FROM_FILE = Pattern.compile("<(@[\\w-]*)?\\s+(\\S.*)");
    private static final Pattern REQUEST =
            Pattern.compile("(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\\s+(https?://|\\{\\{).*");
    private static final Pattern RESPONSE = Pattern.compile("HTTP/[0-9.]+\\s+[1-5][0-9][0-9]\\b.*");
    private static final Pattern SCRIPT = Pattern.compile("\\{\\{[@+]?\\w*");

    /** A response script that stores a value. */
    private static final Pattern SET = Pattern.compile(
            "client\\.global\\.set\\(\\s*[\"']([\\w.-]+)[\"']\\s*,\\s*(?:jsonPath\\([^)]*\\)|response\\.body\\.([\\w.\\[\\]]+)|[^)]*)");

    private final List<String> lines;
    private final String file;
    private final BodyFiles files;
    private final boolean isForm;
    private final boolean isMultipart;
    private final boolean isJson;
    private final boolean isLines;
    private final List<RequestText.BodyPart> parts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final StringBuilder typed = new StringBuilder();
    private int typedFrom;
    private int firstComment;
    private int at;

    /** Reads from the line after the headers, given by its index. */
    BodyReader(List<String> lines, int at, String file, BodyFiles files, List<RequestText.Header> headers) {
        this.lines = lines;
        this.at = at;
        this.file = file;
        this.files = files;
        String type = headers.stream()
                .filter(header -> header.name().equalsIgnoreCase("Content-Type"))
                .map(header -> header.value().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("");
        this.isForm = RequestText.isForm(type);
        this.isMultipart = type.startsWith("multipart/");
        this.isLines = type.startsWith("application/x-ndjson") || type.startsWith("application/ndjson");
        this.isJson = type.contains("json");
    }

    int at() {
        return at;
    }

    List<String> notes() {
        return notes;
    }

    static boolean isComment(String line) {
        return line.startsWith("#") || line.startsWith("//");
    }

    /** Whether the line starts a script of httpYac. */
    static boolean isScript(String line) {
        return SCRIPT.matcher(line.strip()).matches();
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
            refuseOthers(line.strip());
            Matcher include = FROM_FILE.matcher(line);
            if (include.matches() && !line.contains("{%")) {
                include(Optional.ofNullable(include.group(1)), include.group(2).strip());
                begun = true;
            } else if (line.startsWith("?? ")) {
                notes.add(spot() + ": the check '??' is not made: write it as '# @expect 200' above the request");
            } else if (isComment(line.strip())) {
                firstComment = firstComment == 0 ? at + 1 : firstComment;
            } else if ((begun || !line.isBlank()) && !isAfterFile(line)) {
                type(line);
                begun = true;
            }
            at++;
        }
        endTyped(true);
        if (firstComment > 0 && begun && !isJson) {
            notes.add(new SourcePosition(file, firstComment)
                    + ": lines of a body that begin with # or // are comments and not sent: '< ./FILE' sends all");
        }
        return parts;
    }

    private SourcePosition spot() {
        return new SourcePosition(file, at + 1);
    }

    /** Rejects scripts and responses, and requests without a separator. */
    private void refuseOthers(String line) {
        if (isScript(line)) {
            throw spot().refusal(NO_SCRIPT);
        }
        if (!isMultipart && REQUEST.matcher(line).matches()) {
            throw spot().refusal("a request begins in the body of another: write a line '###' before it");
        }
        if (!isMultipart && RESPONSE.matcher(line).matches()) {
            throw spot().refusal("the request body contains a response: remove it");
        }
    }

    private void type(String line) {
        if (typed.length() == 0) {
            typedFrom = at + 1;
        }
        typed.append(isForm ? line.strip() : line).append(isForm ? "" : isMultipart ? "\r\n" : "\n");
    }

    /** JetBrains' files have an empty line between an uploaded file and the next boundary, which is not uploaded. */
    private boolean isAfterFile(String line) {
        return isMultipart
                && line.isBlank()
                && typed.length() == 0
                && !parts.isEmpty()
                && lines.stream()
                        .skip(at)
                        .filter(next -> !next.isBlank())
                        .findFirst()
                        .filter(next -> next.startsWith("--"))
                        .isPresent();
    }

    /** Empty lines before the next request do not belong to the body. */
    private void endTyped(boolean isLast) {
        String text = typed.toString();
        typed.setLength(0);
        if (isLast) {
            text = text.stripTrailing() + (text.isBlank() ? "" : isMultipart ? "\r\n" : isLines ? "\n" : "");
        }
        add(new SourcePosition(file, Math.max(1, typedFrom)), text);
    }

    private void add(SourcePosition spot, String text) {
        String sent = isForm ? formEncoded(text) : text;
        if (!sent.isEmpty()) {
            parts.add(new RequestText.Typed(spot, sent));
        }
    }

    private void include(Optional<String> withVariables, String name) throws IOException {
        endTyped(false);
        SourcePosition spot = spot();
        byte[] bytes = files.read(name, spot);
        if (withVariables.isPresent()) {
            String text = decoded(bytes, withVariables.get().substring(1), spot);
            add(new SourcePosition(name, 1), isForm ? joined(text) : text);
        } else {
            parts.add(new RequestText.Raw(bytes));
        }
        if (isMultipart) {
            parts.add(new RequestText.Raw(new byte[] {'\r', '\n'}));
        }
    }

    /** A form's lines are joined. */
    private static String joined(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining());
    }

    private static String decoded(byte[] bytes, String charset, SourcePosition spot) {
        String name = charset.isEmpty() ? "UTF-8" : charset;
        try {
            return Charset.forName(name)
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            throw spot.refusal("unknown encoding: '<@" + name + "' (accepted: such as <@, <@latin1, <@UTF-16LE)");
        } catch (CharacterCodingException other) {
            throw spot.refusal("the file is not text in " + name);
        }
    }

    /** Skips a response handler, or the file for an editor to save the response in. */
    private void afterBody(String line) {
        SourcePosition spot = spot();
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
        notes.add(spot + ": the response handler is not run: " + insteadOf(script));
    }

    /** The directive for what a response script of an editor does: scripts are not executed. */
    private static String insteadOf(CharSequence script) {
        Matcher set = SET.matcher(script);
        if (!set.find()) {
            return "write what it checks as '# @expect 200'";
        }
        String pointer = set.group(2) == null
                ? "/..."
                : "/" + set.group(2).replaceAll("[.\\[]", "/").replace("]", "");
        return "write '# @capture " + set.group(1) + " = json " + pointer + "' above the request";
    }

    /**
     * Encodes a form in editor syntax: {@code first name = Ann Lee & city = Bath} means {@code
     * first+name=Ann+Lee&city=Bath}. Removes blanks around {@code &} and the first {@code =}, and replaces others by
     * {@code +}; variables are unchanged.
     */
    static String formEncoded(String text) {
        StringBuilder form = new StringBuilder();
        boolean isName = true;
        boolean isAfterSign = true;
        boolean hasBlank = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isSign = c == '&' || (c == '=' && isName);
            if (Character.isWhitespace(c)) {
                hasBlank = true;
                continue;
            }
            if (hasBlank && !isSign && !isAfterSign) {
                form.append('+');
            }
            hasBlank = false;
            isAfterSign = isSign;
            isName = isSign ? c == '&' : isName;
            int end = text.startsWith("{{", at) ? text.indexOf("}}", at) : -1;
            if (end > 0) {
                form.append(text, at, end + 2);
                at = end + 1;
            } else {
                form.append(c);
            }
        }
        return form.toString();
    }
}
