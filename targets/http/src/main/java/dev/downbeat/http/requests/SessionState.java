package dev.downbeat.http.requests;

import dev.downbeat.http.RequestBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one session knows: what it captured, and its cookies. Used again for the next session. Not thread-safe. */
final class SessionState {
    private static final int MOST_COOKIES = 50;

    private final byte[] @Nullable [] captured;
    private final Map<String, byte[]> cookies = new LinkedHashMap<>(2);

    SessionState(int variables) {
        captured = new byte[variables][];
    }

    /** Begins with another session. */
    void begin() {
        Arrays.fill(captured, null);
        cookies.clear();
    }

    void capture(int variable, String value) {
        captured[variable] = value.getBytes(StandardCharsets.UTF_8);
    }

    byte @Nullable [] captured(int variable) {
        return captured[variable];
    }

    /**
     * Takes a {@code Set-Cookie}. All requests go to one host, so domains mean nothing; paths are not looked at.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc6265">RFC 6265</a>
     */
    void cookie(String field) {
        int end = field.indexOf(';');
        String pair = end < 0 ? field : field.substring(0, end);
        int equals = pair.indexOf('=');
        if (equals < 1) {
            return;
        }
        String name = pair.substring(0, equals).strip();
        String rest =
                end < 0 ? "" : field.substring(end).toLowerCase(Locale.ROOT).replace(" ", "");
        if (rest.contains(";max-age=0")
                || rest.contains(";max-age=-")
                || rest.contains("expires=thu,01-jan-1970")
                || rest.contains("expires=thu,01jan1970")) {
            cookies.remove(name);
        } else if (cookies.size() < MOST_COOKIES || cookies.containsKey(name)) {
            cookies.put(name, pair.strip().getBytes(StandardCharsets.UTF_8));
        }
    }

    boolean hasCookies() {
        return !cookies.isEmpty();
    }

    void writeCookies(RequestBytes into) {
        int from = into.length();
        for (byte[] pair : cookies.values()) {
            if (into.length() > from) {
                into.one(';');
                into.one(' ');
            }
            into.append(pair);
        }
        into.oneLine(from);
    }
}
