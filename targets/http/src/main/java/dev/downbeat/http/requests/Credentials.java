package dev.downbeat.http.requests;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a user and a password are in a header. */
public final class Credentials {
    private static final Pattern TWO = Pattern.compile("(?i)basic\\s+([^\\s:]+)(?::|\\s+)(\\S+)");

    private Credentials() {}

    /** The value of an Authorization header (RFC 7617). */
    public static String basic(String user, String password) {
        String pair = user + ":" + password;
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** {@code Basic user password} or {@code Basic user:password} encoded; all else as it is, variables included. */
    static String basic(String value) {
        Matcher two = TWO.matcher(value);
        return two.matches() && !value.contains("{{") ? basic(two.group(1), two.group(2)) : value;
    }
}
