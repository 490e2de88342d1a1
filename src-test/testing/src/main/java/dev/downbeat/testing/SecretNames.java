package dev.downbeat.testing;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of headers and parameters whose values nobody may see: those that were shown once, and others like them. */
public final class SecretNames {
    /** How many there are. */
    public static final int COUNT = 200;

    /** The value of each of them, which no output may hold. */
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
        List<String> before = List.of("", "X-", "my_", "client-", "X-Amz-", "o", "access_", "refresh.", "Set");
        return Stream.concat(
                        known.stream(),
                        before.stream().flatMap(start -> words.stream().map(word -> start + word)))
                .distinct()
                .limit(COUNT)
                .toList();
    }

    /** A query in which each of some has its value, after one that may be shown. */
    public static String query(List<String> names) {
        return names.stream().map(name -> name + "=" + VALUE).collect(Collectors.joining("&", "?page=2&", ""));
    }
}
