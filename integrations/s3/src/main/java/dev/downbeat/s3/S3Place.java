package dev.downbeat.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in an object store: {@code s3://BUCKET/KEY}.
 *
 * @param bucket not empty
 * @param key of the object, or what several keys begin with
 */
public record S3Place(String bucket, String key) {
    private static final String SCHEME = "s3://";
    private static final Pattern PLACE = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?");

    /** Whether this is meant to be such a place. */
    public static boolean isMeant(String text) {
        return text.startsWith(SCHEME);
    }

    /**
     * Reads a place.
     *
     * @throws IllegalArgumentException if it is none
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

    /** As a user writes it. */
    @Override
    public String toString() {
        return SCHEME + bucket + "/" + key;
    }
}
