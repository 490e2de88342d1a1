package dev.downbeat.testing;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of headers and parameters with secret values, including all that have ever leaked. */
public final class SecretNames {
    /** The number of names. */
    public static final int COUNT = 200;

    /** The value of each, which must not appear in any output. */
    public static final String VALUE = "HUSH";

    private SecretNames() {}

    /** All of them. */
    public static List<String> all() {
        List<String> known =
                List.of("X-Session X-Jwt X-Pwd Credential X-Amz-Credential pwd jwt session sid code bearer".split(" "));
        List<String> words =
                List.of(("token key secret password auth cookie sig ticket nonce csrf saml login user email phone iban "
                                + "pin otp pass id q assertion grant device")
                        .split(" "));
        List<String> prefixes = List.of("", "X-", "my_", "client-", "X-Amz-", "o", "access_", "refresh.", "Set");
        return Stream.concat(
                        known.stream(),
                        prefixes.stream().flatMap(prefix -> words.stream().map(word -> prefix + word)))
                .distinct()
                .limit(COUNT)
                .toList();
    }

    /** A query with these secret parameters after a harmless one. */
    public static String query(List<String> names) {
        return names.stream().map(name -> name + "=" + VALUE).collect(Collectors.joining("&", "?page=2&", ""));
    }
}
