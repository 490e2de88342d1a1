package dev.downbeat.http.message;

import dev.downbeat.http.message.RequestWriter.ResponseSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Stores a complete response. Not thread-safe. */
    public static final class Reader implements ResponseSink {
        private final List<HttpResponse.Field> fields = new ArrayList<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable String statusLine;

        @Override
        public void line(byte[] text, int from, int to) {
            String line = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
            int colon = line.indexOf(':');
            if (statusLine == null || line.startsWith("HTTP/")) {
                statusLine = line;
                fields.clear(); // drop the fields of an interim response
            } else if (colon > 0 && !Character.isWhitespace(line.charAt(0))) {
                fields.add(new HttpResponse.Field(
                        line.substring(0, colon), line.substring(colon + 1).strip()));
            }
        }

        @Override
        public void body(byte[] bytes, int from, int to) {
            body.write(bytes, from, to - from);
        }

        /** The response; call once its head is complete. */
        public HttpResponse response() {
            String line = statusLine == null ? "HTTP/1.1 000" : statusLine;
            int statusAt = line.indexOf(' ') + 1;
            int reasonAt = statusAt + "200 ".length();
            int status = Integer.parseInt(line.substring(statusAt, statusAt + 3));
            String reason = line.length() > reasonAt ? line.substring(reasonAt) : "";
            return new HttpResponse(status, reason, fields, body.toByteArray());
        }
    }
}
