package dev.downbeat.http.message;

import java.util.List;
import java.util.Optional;

/**
 * A response in full, for those who look at it.
 *
 * @param status from 100 to 999
 * @param reason what follows the status; may be empty
 * @param fields header fields in the order in which they came
 * @param body without any transfer coding; not copied, so leave it as it is
 */
@SuppressWarnings("ArrayRecordComponent")
public record HttpResponse(int status, String reason, List<Field> fields, byte[] body) {
    /** A header field as it came. */
    public record Field(String name, String value) {}

    public HttpResponse {
        fields = List.copyOf(fields);
    }

    /** The value of the first field of this name, in whatever case. */
    public Optional<String> field(String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(Field::value)
                .findFirst();
    }
}
