package dev.downbeat.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A location in an object store: {@code s3://BUCKET/KEY}.
 *
 * @param bucket not empty
 * @param key the key of an object, or a prefix of several keys
 */
public record S3Place(String bucket, String key) {
    private static final String SCHEME = "s3://";
    private static final Pattern PLACE = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?");

    /** Whether the text is intended as such a location. */
    public static boolean isMeant(String text) {
        return text.startsWith(SCHEME);
    }

    /**
     * Parses a location.
     *
     * @throws IllegalArgumentException if the text is not a valid location
     */
    public static S3Place parse(String text) {
        Matcher parts = PLACE.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "a place in an object store must be s3://BUCKET/KEY, the bucket's name in lower case, but was '"
                            + text + "'");
        }
        String key = parts.group(2);
        return new S3Place(parts.group(1), key == null ? "" : key);
    }

    /** The location in the user's syntax. */
    @Override
    public String toString() {
        return SCHEME + bucket + "/" + key;
    }
}
