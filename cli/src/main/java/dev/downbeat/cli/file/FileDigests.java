package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.Measurement;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Digests of the files that describe requests, which show whether a run is repeated with the same ones. */
public final class FileDigests {
    /** Hexadecimal digits of a digest. */
    private static final int LENGTH = 16;

    /** Larger files are not read before a run, since that would delay it. */
    private static final long LARGEST = 16L * 1024 * 1024;

    private FileDigests() {}

    /**
     * The digests by path. Pipes, which can be read only once, and larger files have none.
     *
     * @throws IOException if a file cannot be read
     */
    public static Map<String, String> of(Measurement value) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        for (Path file : value.requestFiles()) {
            if (Files.isRegularFile(file) && Files.size(file) <= LARGEST) {
                digests.put(file.toString(), of(file));
            }
        }
        return digests;
    }

    private static String of(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
    }

    /** A new digest for the contents of files. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /** The paths whose contents are no longer those saved, in order. */
    static List<String> changed(Map<String, String> saved, Map<String, String> now) {
        return saved.keySet().stream()
                .filter(path -> now.containsKey(path) && !Objects.equals(now.get(path), saved.get(path)))
                .sorted()
                .toList();
    }
}
