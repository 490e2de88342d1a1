package dev.downbeat.cli.meet;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Who is there: those whose beat goes on. A note alone proves nothing, since it may be from yesterday. Not thread-safe. */
final class Attendance {
    /** Of a shard that is silent for so long it is said that it is gone. */
    static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);

    private record Beat(String id, long number, boolean hasMoved, long atNanos) {}

    private final Map<Integer, Beat> beats = new HashMap<>();

    /** Notes what a shard wrote last. */
    void saw(int shard, String id, long number, long nowNanos) {
        Beat before = beats.get(shard);
        if (before == null) {
            beats.put(shard, new Beat(id, number, false, nowNanos));
        } else if (!before.id.equals(id) || before.number != number) {
            beats.put(shard, new Beat(id, number, true, nowNanos));
        }
    }

    /** Whether it is there now. */
    boolean isLive(int shard, long nowNanos) {
        Beat beat = beats.get(shard);
        return beat != null && beat.hasMoved && nowNanos - beat.atNanos < SILENCE_NANOS;
    }

    /** The time since its last sign of life, in nanoseconds; 0 if there was none yet. */
    long silentNanos(int shard, long nowNanos) {
        Beat beat = beats.get(shard);
        return beat == null ? 0 : nowNanos - beat.atNanos;
    }
}
