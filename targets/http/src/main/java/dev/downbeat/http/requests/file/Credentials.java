package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.http.requests.value.Text;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Encodes a user and password as a header value. */
public final class Credentials {
    private static final Pattern TWO = Pattern.compile("(?i)basic\\s++([^\\s:]*)(?::|\\s++)(.*)");
    private static final Pattern VARIABLE = Pattern.compile("\\{\\{.*?\\}\\}");

    /** VS Code's syntax; a version 2 signature has a single word instead. */
    private static final Pattern AWS_KEYS = Pattern.compile("(?i)AWS\\s+\\S+\\s+\\S.*");

    /** A complete header has parameters such as username="ann" instead. */
    private static final Pattern DIGEST_PASSWORD = Pattern.compile("(?i)digest\\s+[^\\s=,]+(?:\\s+|:)[^\\s].*");

    /** Logins that other editors make before the request. */
    private static final Pattern LOGIN = Pattern.compile("(?i)(cognito|oauth2|openid)\\s+\\S.*");

    private Credentials() {}

    /** The value of an Authorization header (RFC 7617). */
    public static String basic(String user, String password) {
        String pair = user + ":" + password;
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Encodes {@code Basic user password} and {@code Basic user:password}, as editors do; anything else is unchanged,
     * including variables.
     *
     * @throws IllegalArgumentException if an editor would turn it into a signature or a response to a challenge: sent
     *     literally, it would reveal the secret
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
        Matcher login = LOGIN.matcher(value);
        if (login.matches()) {
            throw spot.refusal("'Authorization: " + login.group(1)
                    + " ...' is not supported (accepted: Basic USER PASSWORD, Bearer TOKEN)");
        }
        Matcher two = TWO.matcher(value);
        return two.matches() && !value.contains("{{") ? basic(two.group(1), two.group(2)) : value;
    }

    /**
     * Like {@link #ofEditor}, with variables filled in.
     *
     * @param raw the text in the file
     * @throws IllegalArgumentException if user and password differ between requests
     */
    public static Text filledIn(String raw, Text filled, SourcePosition spot) {
        if (filled.isFixed()) {
            return new Text.Builder().add(ofEditor(filled.beginning(), spot)).build();
        }
        if (TWO.matcher(VARIABLE.matcher(raw).replaceAll("x")).matches()) {
            throw spot.refusal("'Basic USER PASSWORD' with values that change is not encoded here: write 'Basic"
                    + " {{NAME}}' with a value that holds USER:PASSWORD in Base64");
        }
        return filled;
    }
}
