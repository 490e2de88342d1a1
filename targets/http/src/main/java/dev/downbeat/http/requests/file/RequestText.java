package dev.downbeat.http.requests.file;

import dev.downbeat.http.HttpRequest;
import dev.downbeat.http.requests.value.SourcePosition;
import java.util.List;
import java.util.Optional;

/**
 * A request as it stands in a file, its variables not filled in.
 *
 * @param spot where it begins
 * @param name what it is called in results
 * @param method a token
 * @param url what is asked: a URL, or a path where the host is said elsewhere
 * @param headers in their order
 * @param body its parts in their order; none for no body
 * @param directives what is said of it in comments
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
     * A header whose value may have variables.
     *
     * @param spot where it stands
     * @param name a token
     */
    public record Header(SourcePosition spot, String name, String value) {
        /** Checks what can be checked before variables have values. */
        public Header {
            try {
                new HttpRequest.Header(name, value);
            } catch (IllegalArgumentException refused) {
                throw spot.refusal(String.valueOf(refused.getMessage()));
            }
        }
    }

    public sealed interface BodyPart {}

    /** Text whose variables are filled in. */
    public record Typed(SourcePosition spot, String text) implements BodyPart {}

    /** Bytes that go as they are, such as those of a file. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Raw(byte[] bytes) implements BodyPart {}

    /** The value of the first header of this name. */
    public Optional<String> header(String wanted) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(wanted))
                .map(Header::value)
                .findFirst();
    }
}
