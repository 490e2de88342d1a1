package dev.downbeat.http.message;

import java.util.List;
import java.util.Optional;

/**
 * A complete response.
 *
 * @param status from 100 to 999
 * @param reason the text after the status; may be empty
 * @param fields header fields in order of arrival
 * @param body without transfer coding; not copied, so it must not be modified
 */
@SuppressWarnings("ArrayRecordComponent")
public record HttpResponse(int status, String reason, List<Field> fields, byte[] body) {
    /** A header field as received. */
    public record Field(String name, String value) {}

    public HttpResponse {
        fields = List.copyOf(fields);
    }

    /** The value of the first field with this name, ignoring case. */
    public Optional<String> field(String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(Field::value)
                .findFirst();
    }
}
