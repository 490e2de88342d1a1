package dev.downbeat.cli.shard;

import dev.downbeat.cli.file.FileDigests;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The part of a measurement that a process runs, and its start.
 *
 * @param isNamed whether the user named it, so that its result can be merged with others
 * @param start start time; empty for immediately
 * @param isStartedByParent whether a parent process starts it
 */
public record ShardPart(
        Shard shard, boolean isNamed, Optional<Instant> start, boolean isStartedByParent, Optional<String> planId) {
    /** The variable with the common id of one run's processes; other launchers may set it too. */
    public static final String RUN_VARIABLE = "DOWNBEAT_RUN";

    public static final String PLAN_ID = "plan_id";

    public static final String SHARD = "shard";

    /** The whole load, at once. */
    public static final ShardPart WHOLE = new ShardPart(Shard.WHOLE, false, Optional.empty(), false, Optional.empty());

    public static String newRun() {
        return UUID.randomUUID().toString();
    }

    /** A first shard of this many, to validate options. */
    public static ShardPart trial(int shards) {
        return new ShardPart(new Shard(0, shards), true, Optional.empty(), false, Optional.of(""));
    }

    /** The same part, whose start is agreed in a meeting. */
    public ShardPart withoutStart() {
        return new ShardPart(shard, isNamed, Optional.empty(), isStartedByParent, planId);
    }

    /** The same load with another share, among fewer processes. */
    public ShardPart withShare(Shard share) {
        return new ShardPart(share, isNamed, Optional.empty(), isStartedByParent, planId);
    }

    public Map<String, Object> details(Measurement value) throws IOException {
        Map<String, Object> details = new LinkedHashMap<>();
        if (isNamed) {
            details.put(PLAN_ID, planId.isPresent() ? planId.get() : PlanId.of(value, shard.count()));
            details.put(SHARD, shard.toString());
        }
        return details;
    }

    public String[] words() {
        return isNamed ? new String[] {"--shard=" + shard} : new String[0];
    }

    /**
     * The identity of a plan, which results must share to be merged. It is derived from the measurement's arguments, the
     * files they name, and the number of shards.
     */
    public static final class PlanId {
        private static final int LENGTH = 12;

        private PlanId() {}

        /** The id of a measurement and of the files that it names. */
        public static String of(Measurement value, int shards) throws IOException {
            return of(Values.words(value), value.contents(), shards);
        }

        /** The id of arguments, one per option, and of the files that they name. */
        static String of(List<String> words, List<Path> files, int shards) throws IOException {
            MessageDigest digest = FileDigests.sha256();
            line(digest, "downbeat plan 2");
            line(digest, shards + " shards");
            for (String word : words) {
                line(digest, word);
            }
            for (Path file : files) {
                line(digest, Files.size(file) + " bytes");
                try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                    in.transferTo(OutputStream.nullOutputStream());
                }
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
        }

        private static void line(MessageDigest digest, String text) {
            digest.update(text.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) '\n');
        }
    }
}
