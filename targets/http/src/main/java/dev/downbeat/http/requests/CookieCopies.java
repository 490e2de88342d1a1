package dev.downbeat.http.requests;

import dev.downbeat.exchange.SafeText;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.requests.file.RequestText;
import dev.downbeat.http.requests.value.SessionState;
import dev.downbeat.http.requests.value.Text;
import dev.downbeat.http.requests.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Copies of a recorded cookie's value in the rest of its request: tokens against cross-site request forgery, which a
 * service compares with the cookie. A session that was given another cookie sends the new value in both. Immutable.
 *
 * @see <a href="https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html">Double
 *     submit</a>
 */
public final class CookieCopies {
    /** Shorter values, such as {@code en}, may be equal by chance; a token has at least 128 bits, so 22 characters. */
    private static final int LEAST_LENGTH = 16;

    private final RequestText request;
    private final List<RecordedCookie> cookies = new ArrayList<>();

    private record RecordedCookie(String name, String value, String decoded) {
        boolean isCopiedTo(String other) {
            return other.equals(decoded) || other.equals(value);
        }

        boolean isWithin(String other) {
            return other.contains(decoded) || other.contains(value);
        }
    }

    CookieCopies(RequestText request) {
        this.request = request;
        for (RequestText.Header header : request.headers()) {
            if (isRecordedCookie(header)) {
                for (String pair : header.value().split(";")) {
                    int equals = pair.indexOf('=');
                    String value = pair.substring(equals + 1).strip();
                    if (equals > 0 && value.length() >= LEAST_LENGTH) {
                        cookies.add(new RecordedCookie(pair.substring(0, equals).strip(), value, decoded(value)));
                    }
                }
            }
        }
    }

    static boolean isRecordedCookie(RequestText.Header header) {
        return header.isRecorded() && header.name().equalsIgnoreCase("Cookie");
    }

    /** One line that names copies which remain as recorded, since they are only a part of a header, a body or a URL. */
    public static Optional<String> unreplaced(List<RequestText> requests) {
        List<String> all = requests.stream()
                .flatMap(request -> new CookieCopies(request).unreplaced().stream())
                .toList();
        return all.stream()
                .findFirst()
                .map(first -> first + (all.size() == 1 ? "" : "; there are " + all.size() + " such requests"));
    }

    private Optional<String> unreplaced() {
        for (RecordedCookie cookie : cookies) {
            Optional<String> place = placeOf(cookie);
            if (place.isPresent()) {
                return Optional.of(request.spot() + ": " + place.get() + " contains the value of the cookie "
                        + SafeText.line(cookie.name) + ", which every session sends there as recorded");
            }
        }
        return Optional.empty();
    }

    private Optional<String> placeOf(RecordedCookie cookie) {
        if (cookie.isWithin(request.url()) || cookie.isWithin(request.query())) {
            return Optional.of("the URL");
        }
        for (RequestText.Header header : request.headers()) {
            if (!isRecordedCookie(header) && !isReplaced(header, cookie) && cookie.isWithin(header.value())) {
                return Optional.of("the header " + header.name());
            }
        }
        String body = body();
        boolean isForm = hasFields();
        for (String part : isForm ? body.split("&", -1) : new String[] {body}) {
            if (cookie.isWithin(part) && !(isForm && cookie.isCopiedTo(fieldValue(part)))) {
                return Optional.of("the body");
            }
        }
        return Optional.empty();
    }

    private static boolean isReplaced(RequestText.Header header, RecordedCookie cookie) {
        return header.isRecorded() && cookie.isCopiedTo(header.value());
    }

    /** The value to write for a header. */
    Text header(RequestText.Header header, Text recorded) {
        for (RecordedCookie cookie : cookies) {
            if (isReplaced(header, cookie)) {
                return copy(cookie, header.value(), recorded, false);
            }
        }
        return recorded;
    }

    /** The body to write, with copies where they are the whole value of a form's field. */
    Text body(Text recorded) {
        if (cookies.isEmpty() || !recorded.isFixed() || !hasFields()) {
            return recorded;
        }
        Text.Builder all = new Text.Builder();
        String body = body();
        int done = 0;
        int at = 0;
        for (String pair : body.split("&", -1)) {
            int valueAt = at + pair.indexOf('=') + 1;
            int end = at + pair.length();
            String value = fieldValue(pair);
            Optional<RecordedCookie> found =
                    cookies.stream().filter(cookie -> cookie.isCopiedTo(value)).findFirst();
            if (found.isPresent()) {
                Text field = new Text.Builder()
                        .add(bytes(body.substring(valueAt, end)))
                        .build();
                all.add(bytes(body.substring(done, valueAt))).add(copy(found.get(), value, field, true));
                done = end;
            }
            at = end + 1;
        }
        return all.add(bytes(body.substring(done))).build();
    }

    /** Scripts decode a cookie unless its copy shows that they do not. */
    private static Text copy(RecordedCookie cookie, String copied, Text recorded, boolean isField) {
        boolean isDecoded = copied.equals(cookie.decoded);
        Value value = (draw, into) -> {
            SessionState known = draw.sessionState();
            int from = into.length();
            if (known == null || !known.appendCookie(cookie.name, into)) {
                return recorded.write(draw, into);
            }
            if (isDecoded) {
                into.percentDecode(from);
            }
            if (isField) {
                into.percentEncodeComponent(from);
            } else {
                into.oneLine(from);
            }
            return null;
        };
        return new Text.Builder().add(value, Text.Place.BODY).build();
    }

    /** Whether its body is a form without variables. */
    private boolean hasFields() {
        return request.isForm()
                && request.body().stream()
                        .allMatch(part -> part instanceof RequestText.Raw
                                || part instanceof RequestText.Typed typed
                                        && !typed.text().contains("{{"));
    }

    /** The body as it was written, one byte per character. */
    private String body() {
        RequestBytes all = new RequestBytes();
        for (RequestText.BodyPart part : request.body()) {
            if (part instanceof RequestText.Raw raw) {
                all.append(raw.bytes());
            } else if (part instanceof RequestText.Form form) {
                all.append(form.pairs().getBytes(StandardCharsets.UTF_8));
            } else {
                all.append(((RequestText.Typed) part).text().getBytes(StandardCharsets.UTF_8));
            }
        }
        return latin(all);
    }

    private static String fieldValue(String pair) {
        return decoded(pair.substring(pair.indexOf('=') + 1).replace('+', ' '));
    }

    private static String decoded(String value) {
        RequestBytes bytes = new RequestBytes();
        bytes.append(value.getBytes(StandardCharsets.ISO_8859_1));
        bytes.percentDecode(0);
        return latin(bytes);
    }

    private static String latin(RequestBytes bytes) {
        return new String(bytes.array(), 0, bytes.length(), StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String latin) {
        return latin.getBytes(StandardCharsets.ISO_8859_1);
    }
}
