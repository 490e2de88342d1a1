package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a user and a password are in a header. */
public final class Credentials {
    private static final Pattern TWO = Pattern.compile("(?i)basic\\s+([^\\s:]+)(?::|\\s+)(\\S+)");

    /** VS Code's; a signature of version 2 has one word instead. */
    private static final Pattern AWS_KEYS = Pattern.compile("(?i)AWS\\s+\\S+\\s+\\S.*");

    /** A finished header has parameters such as username="ann". */
    private static final Pattern DIGEST_PASSWORD = Pattern.compile("(?i)digest\\s+[^\\s=,]+(?:\\s+|:)[^\\s].*");

    private Credentials() {}

    /** The value of an Authorization header (RFC 7617). */
    public static String basic(String user, String password) {
        String pair = user + ":" + password;
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@code Basic user password} or {@code Basic user:password} encoded, as editors do; all else as it is, variables included.
     *
     * @throws IllegalArgumentException if the editor makes a signature or an answer to a challenge of it: sent as it is, the
     *     header would give the secret away
     */
    static String ofEditor(String value, SourcePosition spot) {
        if (AWS_KEYS.matcher(value).matches()) {
            throw spot.refusal(
                    "'Authorization: AWS KEY SECRET' is not signed here: leave the header out, give --aws-sigv4"
                            + " REGION:SERVICE, and the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        }
        if (DIGEST_PASSWORD.matcher(value).matches()) {
            throw spot.refusal(
                    "'Authorization: Digest USER PASSWORD' is not supported, since each answer needs a challenge of"
                            + " its own (accepted: Basic USER PASSWORD, Bearer TOKEN)");
        }
        Matcher two = TWO.matcher(value);
        return two.matches() && !value.contains("{{") ? basic(two.group(1), two.group(2)) : value;
    }
}
