package dev.downbeat.http.requests.file;

import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.requests.value.SourcePosition;
import java.util.List;
import java.util.Optional;

/**
 * A request as written in a file, without variables filled in.
 *
 * @param spot its position
 * @param name its name in results
 * @param method a token
 * @param url a URL, or a path if the host is given elsewhere
 * @param headers in order
 * @param body its parts in order; empty for no body
 * @param directives directives in its comments
 */
public record RequestText(
        SourcePosition spot,
        String name,
        String method,
        String url,
        List<Header> headers,
        List<BodyPart> body,
        Directives directives) {
    public RequestText {
        headers = List.copyOf(headers);
        body = List.copyOf(body);
    }

    /**
     * A header with a value that may contain variables.
     *
     * @param spot its position
     * @param name a token
     */
    public record Header(SourcePosition spot, String name, String value) {
        /** Checks what is possible before variables have values. */
        public Header {
            try {
                new HttpRequest.Header(name, value);
            } catch (IllegalArgumentException refused) {
                throw spot.refusal(String.valueOf(refused.getMessage()));
            }
        }
    }

    public sealed interface BodyPart {}

    /** Text with variables. */
    public record Typed(SourcePosition spot, String text) implements BodyPart {}

    /** Literal bytes, such as those of a file. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Raw(byte[] bytes) implements BodyPart {}

    /** The value of the first header with this name. */
    public Optional<String> header(String wanted) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(wanted))
                .map(Header::value)
                .findFirst();
    }
}
