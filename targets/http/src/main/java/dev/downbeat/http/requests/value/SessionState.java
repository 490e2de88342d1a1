package dev.downbeat.http.requests.value;

import dev.downbeat.http.message.RequestBytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
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
    private static final Pattern PATH = Pattern.compile(";path=(/[^;]*)");
    private static final Pattern MAX_AGE = Pattern.compile(";max-age=(-?\\d+)");
    private static final Pattern EXPIRES =
            Pattern.compile(";expires=[a-z]+,?(\\d{1,2})-?([a-z]{3})-?(\\d{4}|\\d{2})(\\d{2}):(\\d{2}):(\\d{2})");

    /** Clocks of machines may differ by this much. */
    private static final Duration CLOCK_ERROR = Duration.ofHours(1);

    /** Stands for a cookie that the service deleted, so that no recorded one is sent. */
    private static final byte[] DELETED = new byte[0];

    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private final byte[] @Nullable [] captured;
    private final List<String> hosts;
    private final List<Map<String, StoredCookie>> cookiesOf = new ArrayList<>();
    private long session = -1;
    private int host;

    /**
     * A cookie that the service has set or deleted.
     *
     * @param pair name and value; {@link #DELETED} if it was deleted
     * @param valueAt where the value begins
     * @param path the path it was set for; empty if none was given
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record StoredCookie(byte[] pair, int valueAt, String path) {
        boolean isDeleted() {
            return pair.length == 0;
        }
    }

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
     * its own. Paths are ignored, except that a deletion leaves a cookie of another path.
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
        boolean isDeleted = deletesCookie(rest, pair.substring(equals + 1).isBlank());
        Matcher path = PATH.matcher(rest);
        byte[] bytes = isDeleted ? DELETED : pair.strip().getBytes(StandardCharsets.ISO_8859_1);
        int valueAt = pair.strip().length() - pair.substring(equals + 1).strip().length();
        StoredCookie cookie = new StoredCookie(bytes, valueAt, path.find() ? path.group(1) : "");
        for (int i = 0; i < cookiesOf.size(); i++) {
            if (i == host || (hasDomain && isWithin(hosts.get(i), of))) {
                store(cookiesOf.get(i), name, cookie);
            }
        }
    }

    /** Whether the attributes expire the cookie; Max-Age overrides Expires. */
    private static boolean deletesCookie(String attributes, boolean isEmpty) {
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
        LocalTime time = LocalTime.of(
                Math.min(23, Integer.parseInt(date.group(4))),
                Math.min(59, Integer.parseInt(date.group(5))),
                Math.min(59, Integer.parseInt(date.group(6))));
        Instant expiry = YearMonth.of(century + year, month)
                .atDay(Math.max(1, day))
                .atTime(time)
                .toInstant(ZoneOffset.UTC);
        return expiry.isBefore(Instant.now().minus(isEmpty ? Duration.ZERO : CLOCK_ERROR));
    }

    private static void store(Map<String, StoredCookie> cookies, String name, StoredCookie cookie) {
        if (cookie.isDeleted() && !isSamePath(cookie.path, cookies.get(name))) {
            return;
        }
        if (cookies.size() >= MOST_COOKIES) {
            cookies.values().removeIf(StoredCookie::isDeleted);
        }
        if (cookies.size() < MOST_COOKIES || cookies.containsKey(name)) {
            cookies.put(name, cookie);
        }
    }

    /** Without a path it is that of a request, which may be the same; a recorded cookie is taken to be of the whole host. */
    private static boolean isSamePath(String path, @Nullable StoredCookie kept) {
        String other = kept == null ? "/" : kept.path;
        return path.isEmpty() || other.isEmpty() || path.equals(other);
    }

    /** RFC 6265, 5.1.3; a domain of one label, such as com, has no cookies. */
    private static boolean isWithin(String host, String domain) {
        boolean isName = domain.indexOf('.') > 0 && !host.matches("[0-9.]+");
        return host.equals(domain) || (isName && host.endsWith("." + domain));
    }

    public boolean hasCookies() {
        for (StoredCookie cookie : cookiesOf.get(host).values()) {
            if (!cookie.isDeleted()) {
                return true;
            }
        }
        return false;
    }

    /** Appends the value of a cookie that the service has set; returns false if there is none. */
    public boolean appendCookie(String name, RequestBytes into) {
        StoredCookie cookie = cookiesOf.get(host).get(name);
        if (cookie == null || cookie.isDeleted()) {
            return false;
        }
        into.append(cookie.pair, cookie.valueAt, cookie.pair.length);
        return true;
    }

    /** Removes the cookies, from there to the end, that the service has set or deleted in this session. */
    public void dropReplaced(RequestBytes bytes, int from) {
        Map<String, StoredCookie> own = cookiesOf.get(host);
        if (own.isEmpty()) {
            return;
        }
        String recorded = new String(bytes.array(), from, bytes.length() - from, StandardCharsets.ISO_8859_1);
        bytes.cut(from);
        for (String pair : recorded.split(";")) {
            String name = pair.substring(0, Math.max(0, pair.indexOf('='))).strip();
            if (!own.containsKey(name)) {
                append(pair.strip().getBytes(StandardCharsets.ISO_8859_1), bytes, from);
            }
        }
    }

    /** Appends the cookies to those that begin at a position. */
    public void writeCookies(RequestBytes into, int from) {
        int begin = into.length();
        for (StoredCookie cookie : cookiesOf.get(host).values()) {
            append(cookie.pair, into, from);
        }
        into.oneLine(begin);
    }

    private static void append(byte[] pair, RequestBytes into, int from) {
        if (pair.length > 0) {
            if (into.length() > from) {
                into.one(';');
                into.one(' ');
            }
            into.append(pair);
        }
    }
}
