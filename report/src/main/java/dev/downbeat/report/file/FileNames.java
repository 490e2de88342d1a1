package dev.downbeat.report.file;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of files that belong to one thing out of many. Stateless. */
public final class FileNames {
    private static final int LONGEST = 120;
    private static final int HASH_BYTES = 4;

    private FileNames() {}

    /**
     * A name short enough for any file system, which ends in a hash.
     *
     * @param legible in characters that are safe in file names; only its end is kept if it is long
     * @param whole differs for different things
     */
    public static String of(String legible, String whole) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(whole.getBytes(StandardCharsets.UTF_8));
            return legible.substring(Math.max(0, legible.length() - LONGEST)) + "-"
                    + HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
