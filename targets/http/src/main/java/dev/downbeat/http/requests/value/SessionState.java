package dev.downbeat.http.requests.value;

import dev.downbeat.http.message.RequestBytes;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
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
    private static final Pattern MAX_AGE = Pattern.compile(";max-age=(-?\\d+)");
    private static final Pattern EXPIRES =
            Pattern.compile(";expires=[a-z]+,?(\\d{1,2})-?([a-z]{3})-?(\\d{4}|\\d{2})\\d{2}:");
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private final byte[] @Nullable [] captured;
    private final List<String> hosts;
    private final List<Map<String, byte[]>> cookiesOf = new ArrayList<>();
    private long session = -1;
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
    public void selectHost(int place) {
        host = place;
    }

    /** Resets if the session is new; its first request may have timed out unsent. */
    public void switchTo(long number) {
        if (session != number) {
            session = number;
            Arrays.fill(captured, null);
            cookiesOf.forEach(Map::clear);
        }
    }

    public void capture(int variable, byte[] value) {
        captured[variable] = value;
    }

    public byte @Nullable [] captured(int variable) {
        return captured[variable];
    }

    /**
     * Stores a {@code Set-Cookie}: for the host that sent it, or for all hosts of its domain attribute, which must be
     * its own. Paths are ignored.
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
        Matcher domain = DOMAIN.matcher(rest);
        boolean hasDomain = domain.find();
        String of = hasDomain ? domain.group(1) : hosts.get(host);
        if (!isWithin(hosts.get(host), of)) {
            return;
        }
        for (int i = 0; i < cookiesOf.size(); i++) {
            if (i == host || (hasDomain && isWithin(hosts.get(i), of))) {
                store(cookiesOf.get(i), name, deletesCookie(rest) ? null : pair.strip());
            }
        }
    }

    /** Whether the attributes expire the cookie; Max-Age overrides Expires. */
    private static boolean deletesCookie(String attributes) {
        Matcher age = MAX_AGE.matcher(attributes);
        if (age.find()) {
            return age.group(1).matches("-.*|0+");
        }
        Matcher date = EXPIRES.matcher(attributes);
        int month = date.find() ? (MONTHS.indexOf(date.group(2)) + 3) / 3 : 0;
        if (month == 0) {
            return false;
        }
        int year = Integer.parseInt(date.group(3));
        int century = year > 99 ? 0 : year < 70 ? 2000 : 1900;
        int day = Math.min(
                Integer.parseInt(date.group(1)),
                YearMonth.of(century + year, month).lengthOfMonth());
        return LocalDate.of(century + year, month, Math.max(1, day)).isBefore(LocalDate.now(ZoneOffset.UTC));
    }

    private static void store(Map<String, byte[]> cookies, String name, @Nullable String pair) {
        if (pair == null) {
            cookies.remove(name);
        } else if (cookies.size() < MOST_COOKIES || cookies.containsKey(name)) {
            cookies.put(name, pair.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** RFC 6265, 5.1.3; a domain of one label, such as com, has no cookies. */
    private static boolean isWithin(String host, String domain) {
        boolean isName = domain.indexOf('.') > 0 && !host.matches("[0-9.]+");
        return host.equals(domain) || (isName && host.endsWith("." + domain));
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
