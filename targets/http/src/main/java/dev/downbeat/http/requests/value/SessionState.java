package dev.downbeat.http.requests.value;

import dev.downbeat.http.message.RequestBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The state of one session: captured values and cookies. Reused for the next session. Not thread-safe. */
public final class SessionState {
    private static final int MOST_COOKIES = 50;
    private static final Pattern DOMAIN = Pattern.compile(";domain=\\.?([^;]+)");

    private final byte[] @Nullable [] captured;
    private final List<String> hosts;
    private final List<Map<String, byte[]>> cookiesOf = new ArrayList<>();
    private int host;

    /**
     * Creates the state.
     *
     * @param hosts the hosts, in lower case
     */
    public SessionState(int variables, List<String> hosts) {
        this.captured = new byte[variables][];
        this.hosts = hosts;
        hosts.forEach(each -> cookiesOf.add(new LinkedHashMap<>(2)));
    }

    /** Selects the host for cookies. */
    public void asks(int place) {
        host = place;
    }

    /** Resets for another session. */
    public void begin() {
        Arrays.fill(captured, null);
        cookiesOf.forEach(Map::clear);
    }

    public void capture(int variable, String value) {
        captured[variable] = value.getBytes(StandardCharsets.UTF_8);
    }

    public byte @Nullable [] captured(int variable) {
        return captured[variable];
    }

    /**
     * Stores a {@code Set-Cookie}: for the host that sent it, or for all hosts of its domain attribute. Paths are
     * ignored.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc6265">RFC 6265</a>
     */
    public void cookie(String field) {
        int end = field.indexOf(';');
        String pair = end < 0 ? field : field.substring(0, end);
        int equals = pair.indexOf('=');
        if (equals < 1) {
            return;
        }
        String name = pair.substring(0, equals).strip();
        String rest =
                end < 0 ? "" : field.substring(end).toLowerCase(Locale.ROOT).replace(" ", "");
        boolean isOver = rest.contains(";max-age=0")
                || rest.contains(";max-age=-")
                || rest.contains("expires=thu,01-jan-1970")
                || rest.contains("expires=thu,01jan1970");
        Matcher domain = DOMAIN.matcher(rest);
        String of = domain.find() && isWithin(hosts.get(host), domain.group(1)) ? domain.group(1) : "";
        for (int i = 0; i < cookiesOf.size(); i++) {
            if (i == host || (!of.isEmpty() && isWithin(hosts.get(i), of))) {
                take(cookiesOf.get(i), name, isOver ? null : pair.strip());
            }
        }
    }

    private static void take(Map<String, byte[]> cookies, String name, @Nullable String pair) {
        if (pair == null) {
            cookies.remove(name);
        } else if (cookies.size() < MOST_COOKIES || cookies.containsKey(name)) {
            cookies.put(name, pair.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** RFC 6265, 5.1.3. */
    private static boolean isWithin(String host, String domain) {
        return host.equals(domain) || host.endsWith("." + domain);
    }

    public boolean hasCookies() {
        return !cookiesOf.get(host).isEmpty();
    }

    public void writeCookies(RequestBytes into) {
        int from = into.length();
        for (byte[] pair : cookiesOf.get(host).values()) {
            if (into.length() > from) {
                into.one(';');
                into.one(' ');
            }
            into.append(pair);
        }
        into.oneLine(from);
    }
}
