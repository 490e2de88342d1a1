package dev.downbeat.cli.shard;

import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The identity of a plan, which results must share to be merged. It is derived from the measurement's arguments, the
 * files they name, and the number of shards.
 */
public final class PlanId {
    private static final List<String> FILES = List.of("--replay=", "--replay-log=", "--data=@");
    private static final int LENGTH = 12;

    private PlanId() {}

    /**
     * The id of a measurement.
     *
     * @throws IOException if a file that it names cannot be read
     */
    public static String of(Measurement value, int shards) throws IOException {
        return of(Values.words(value), shards);
    }

    /** The id of arguments, one per option, as plans of schema 1 keep them. */
    public static String of(List<String> words, int shards) throws IOException {
        MessageDigest digest = sha256();
        line(digest, "downbeat plan 1");
        line(digest, shards + " shards");
        for (String word : words) {
            line(digest, word);
            for (String option : FILES) {
                if (word.startsWith(option)) {
                    digest.update(Files.readAllBytes(Path.of(word.substring(option.length()))));
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
    }

    private static void line(MessageDigest digest, String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
