package dev.downbeat.cli.meet;

import dev.downbeat.cli.console.StartCancelledException;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Shards that meet in virtual time, through a store that shows each note a little later. */
final class Room {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EPOCH = 1_800_000_000_000_000_000L;

    private record Written(long visibleAt, byte[] note) {}

    private final Map<String, List<Written>> notes = new HashMap<>();
    private final Random random;
    private final long mostDelayNanos;
    private final List<Peer> peers = new ArrayList<>();
    final Token token = Token.of(plan("the plan"));
    long now;

    Room(long seed, Duration mostDelay) {
        random = new Random(seed);
        mostDelayNanos = mostDelay.toNanos();
    }

    static PlanFile plan(String token) {
        return new PlanFile(
                "1", "id", 4, Optional.empty(), "GET http://h/", "load", Map.of("a", "b"), List.of(), token);
    }

    /** The store, as seen by all. */
    final SharedStore store = new SharedStore() {
        @Override
        public void put(String name, byte[] note) {
            long at = now + (mostDelayNanos == 0 ? 0 : random.nextLong(mostDelayNanos));
            notes.computeIfAbsent(name, none -> new ArrayList<>()).add(new Written(at, note));
        }

        @Override
        public Optional<byte[]> get(String name) {
            return notes.getOrDefault(name, List.of()).stream()
                    .filter(each -> each.visibleAt <= now)
                    .reduce((before, after) -> after.visibleAt >= before.visibleAt ? after : before)
                    .map(Written::note);
        }

        @Override
        public Duration pollInterval() {
            return Duration.ofMillis(100);
        }
    };

    /** One shard. */
    final class Peer {
        final Shard shard;
        final String id;
        final long skewNanos;
        private final long comesAt;
        private final long diesAt;
        private final Meeting.Patience patience;
        private Optional<Meeting> meeting = Optional.empty();
        private long looksAt;
        Optional<Meeting.AgreedStart> begins = Optional.empty();
        Optional<String> calledOff = Optional.empty();

        private Peer(Shard shard, long skewNanos, long comesAt, long diesAt, Meeting.Patience patience) {
            this.shard = shard;
            this.skewNanos = skewNanos;
            this.comesAt = comesAt;
            this.diesAt = diesAt;
            this.patience = patience;
            this.id = "process-" + shard.index() + "-" + comesAt;
        }

        private boolean isOver() {
            return begins.isPresent() || calledOff.isPresent() || now >= diesAt;
        }

        private void turn() throws IOException {
            if (isOver() || now < comesAt || now < looksAt) {
                return;
            }
            if (meeting.isEmpty()) {
                meeting = Optional.of(new Meeting(
                        shard, id, new SignedNotes(store, token), patience, () -> EPOCH + now + skewNanos, () -> now));
            }
            try {
                begins = meeting.get().poll();
            } catch (StartCancelledException off) {
                calledOff = Optional.of(String.valueOf(off.getMessage()));
            }
            looksAt = now + meeting.get().pollInterval().toNanos();
        }

        /** When it begins, in the room's time. */
        long beginsAt() {
            return begins.orElseThrow().startNanos() - EPOCH - skewNanos;
        }
    }

    Peer peer(int index, int count, long skewMillis, long comesAtMillis, Meeting.Patience patience) {
        return peer(index, count, skewMillis, comesAtMillis, Long.MAX_VALUE / MILLI, patience);
    }

    Peer peer(int index, int count, long skewMillis, long comesAtMillis, long diesAtMillis, Meeting.Patience patience) {
        Peer peer = new Peer(
                new Shard(index, count), skewMillis * MILLI, comesAtMillis * MILLI, diesAtMillis * MILLI, patience);
        peers.add(peer);
        return peer;
    }

    /** Goes on until nobody waits any more, or the time is over; what is done each second is said. */
    void until(long millis, Runnable eachSecond) throws IOException {
        for (; now < millis * MILLI && peers.stream().anyMatch(peer -> !peer.isOver()); now += MILLI) {
            if (now % TimeUnit.SECONDS.toNanos(1) == 0) {
                eachSecond.run();
            }
            for (Peer peer : peers) {
                peer.turn();
            }
        }
    }
}
