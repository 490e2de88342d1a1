package dev.downbeat.cli.meet;

import dev.downbeat.cli.console.StartCancelledException;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.meet.SignedNotes.Note;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One shard's side of the agreement on a start. Each shard announces that it is ready, compares its clock with the
 * leader's, and starts at the time that the leader sets. Shard 0 leads, or if it is missing, the lowest shard
 * present. Not thread-safe.
 */
final class Meeting {
    /** Clock exchanges per shard. Usually one of them is hardly delayed; otherwise more follow. */
    private static final int EXCHANGES = 6;

    private static final int MOST_EXCHANGES = 30;
    private static final long GOOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** At a slow place no exchange is good, and thirty take minutes: after this time, the best one is used. */
    private static final long COMPARED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int MOST_NAMED = 10;
    private static final int MOST_CHECKED = 3;
    private static final int BEATS_KEPT = 64;
    private static final int URGENT = 20;

    /** Varies the polling interval: two shards in step would always see each other's notes equally late. */
    private static final int UNEQUAL = 5;

    /** Connections are opened two seconds before the start, when every shard must know the decision. */
    private static final Duration LEAD = Duration.ofMillis(2_500);

    private static final int READS_UNTIL_SEEN = 4;

    /**
     * The agreement.
     *
     * @param startNanos start in nanoseconds since 1970, on this shard's clock
     * @param offset of the leader's clock from this one
     * @param share this shard's part of the load
     * @param members the shards that take part
     * @param leads whether this shard led
     */
    record AgreedStart(long startNanos, ClockOffset offset, Shard share, List<Note.Member> members, boolean leads) {}

    /**
     * How long to wait for missing shards, and what happens then.
     *
     * @param timeout from when this shard is ready
     * @param withoutMissing whether the shards present then start without the others
     */
    record Patience(Duration timeout, boolean withoutMissing) {}

    private final Shard shard;
    private final String id;
    private final SignedNotes notes;
    private final Patience patience;
    private final LongSupplier wallNanos;
    private final LongSupplier nanoTime;
    private final long sinceNanos;
    private final Liveness liveness = new Liveness();
    private final Liveness running = new Liveness();
    private final Map<Integer, Note.Ready> ready = new HashMap<>();
    private final Map<Integer, Note.Seen> seen = new HashMap<>();
    private final Map<Long, Long> sentAt = new HashMap<>();
    private ClockOffset offset = ClockOffset.UNKNOWN;
    private String leader = "";
    private long answeredBeat;
    private int exchanges;
    private long comparesSinceNanos;
    private boolean hasLed;
    private long leadsSinceNanos;
    private long beat;

    Meeting(
            Shard shard,
            String id,
            SignedNotes notes,
            Patience patience,
            LongSupplier wallNanos,
            LongSupplier nanoTime) {
        this.shard = shard;
        this.id = id;
        this.notes = notes;
        this.patience = patience;
        this.wallNanos = wallNanos;
        this.nanoTime = nanoTime;
        this.sinceNanos = nanoTime.getAsLong();
    }

    /**
     * Announces this shard and reads the other shards' notes.
     *
     * @return the start once agreed; until then, call again after {@link #pollInterval}
     * @throws StartCancelledException if the run will not start
     * @throws IOException if the meeting place cannot be reached now
     */
    Optional<AgreedStart> poll() throws IOException {
        long at = wallNanos.getAsLong();
        beat++;
        sentAt.put(beat, at);
        sentAt.remove(beat - BEATS_KEPT);
        notes.write(Note.ready(shard.index()), new Note.Ready(shard.index(), id, beat, at, hasClock() ? leader : ""));
        if (notes.isStopped(id)) {
            throw new StartCancelledException("stopped before the start by 'downbeat stop'");
        }
        long now = nanoTime.getAsLong();
        boolean leads = leads(now);
        if (leads) {
            leadsSinceNanos = hasLed ? leadsSinceNanos : now;
            hasLed = true;
            lead(now);
        } else {
            follow();
        }
        Optional<Note.Agreed> agreed = notes.read(Note.AGREED, Note.Agreed.class);
        if (agreed.isPresent() && agreed.get().members().contains(self())) {
            return Optional.of(agreedStart(agreed.get(), leads));
        }
        if (agreed.isPresent()) {
            refuseIfUnderWay(agreed.get(), now);
        }
        throwIfTimedOut(now);
        return Optional.empty();
    }

    private Note.Member self() {
        return new Note.Member(shard.index(), id);
    }

    /** A shard that arrives after the others have started must not start a second run. */
    private void refuseIfUnderWay(Note.Agreed others, long now) throws IOException {
        for (Note.Member member : others.members().stream().limit(MOST_CHECKED).toList()) {
            refuseIfRunning(member.shard(), state -> state.id().equals(member.id()), now);
        }
    }

    private void refuseIfRunning(int other, Predicate<Note.State> isSameRun, long now) throws IOException {
        notes.read(Note.state(other), Note.State.class)
                .filter(isSameRun)
                .ifPresent(state -> running.heartbeat(other, state.id(), state.beat(), now));
        if (running.isLive(other, now)) {
            throw new StartCancelledException("shard " + shard + " is too late: the others have started without it");
        }
    }

    private AgreedStart agreedStart(Note.Agreed agreed, boolean leads) throws StartCancelledException {
        if (!agreed.why().isEmpty()) {
            throw new StartCancelledException(agreed.why());
        }
        ClockOffset toLeader = leads ? new ClockOffset(0, 0, 0) : offset;
        int place = agreed.members().indexOf(self());
        return new AgreedStart(
                agreed.startNanos() - toLeader.correctionNanos(),
                toLeader,
                new Shard(place, agreed.members().size()),
                agreed.members(),
                leads);
    }

    /** The time until the next poll: short while clocks are being compared. */
    Duration pollInterval() {
        boolean isComparing = leader.isEmpty() ? hasMoreToCompare() : !hasClock();
        Duration interval = notes.store().pollInterval();
        return isComparing ? interval.dividedBy(URGENT + beat % UNEQUAL * URGENT) : interval;
    }

    private boolean hasMoreToCompare() {
        return ready.values().stream()
                .anyMatch(each -> liveness.isLive(each.shard(), nanoTime.getAsLong())
                        && each.shard() != shard.index()
                        && !each.clockOf().equals(id));
    }

    private boolean hasClock() {
        boolean isSlow = exchanges > 0 && nanoTime.getAsLong() - comparesSinceNanos >= COMPARED_NANOS;
        return isSlow || exchanges >= (offset.errorNanos() <= GOOD_NANOS ? EXCHANGES : MOST_EXCHANGES);
    }

    /** A shard that has waited long enough for shard 0 leads if no lower shard is present. */
    private boolean leads(long now) throws IOException {
        if (shard.index() == 0) {
            return true;
        }
        long overdue = now - sinceNanos - patience.timeout().toNanos();
        if (overdue < 0) {
            return false;
        }
        for (int before = 0; before < shard.index(); before++) {
            readReady(before, now);
        }
        return overdue > Liveness.SILENCE_NANOS
                && IntStream.range(0, shard.index()).noneMatch(before -> liveness.isLive(before, now));
    }

    private void readReady(int other, long now) throws IOException {
        Optional<Note.Ready> note = notes.read(Note.ready(other), Note.Ready.class);
        if (note.isPresent() && note.get().shard() == other) {
            Note.Ready before = ready.put(other, note.get());
            liveness.heartbeat(other, note.get().id(), note.get().beat(), now);
            if (before == null || !before.equals(note.get())) {
                seen.put(other, new Note.Seen(note.get().id(), note.get().beat(), wallNanos.getAsLong()));
            }
        }
    }

    private void lead(long now) throws IOException {
        for (int other = 0; other < shard.count(); other++) {
            if (other != shard.index()) {
                readReady(other, now);
            }
        }
        notes.write(Note.CLOCKS, new Note.Clocks(id, wallNanos.getAsLong(), List.copyOf(seen.values())));
        List<Note.Member> members = new ArrayList<>();
        List<Integer> missing = new ArrayList<>();
        for (int each = 0; each < shard.count(); each++) {
            Note.Ready note = ready.get(each);
            if (each == shard.index()) {
                members.add(self());
            } else if (note != null
                    && liveness.isLive(each, now)
                    && note.clockOf().equals(id)) {
                members.add(new Note.Member(each, note.id()));
            } else {
                missing.add(each);
            }
        }
        long leftNanos = patience.timeout().toNanos() - (now - sinceNanos);
        int checked = leftNanos < Liveness.SILENCE_NANOS ? missing.size() : Math.min(MOST_CHECKED, missing.size());
        for (int each : missing.subList(0, checked)) { // an earlier decision may be lost with the place that held it
            refuseIfRunning(each, state -> true, now);
        }
        boolean isOverdue = leftNanos <= 0
                && now - leadsSinceNanos > Liveness.SILENCE_NANOS; // time to see each other, and who is running
        if (missing.isEmpty() || (isOverdue && patience.withoutMissing())) {
            long lead = LEAD.plus(notes.store().pollInterval().multipliedBy(READS_UNTIL_SEEN))
                    .toNanos();
            notes.write(Note.AGREED, new Note.Agreed("", wallNanos.getAsLong() + lead, members));
        } else if (isOverdue) {
            notes.write(Note.AGREED, new Note.Agreed(timeoutMessage(missing), 0, members));
        }
    }

    private String timeoutMessage(List<Integer> missing) {
        String named = missing.stream()
                .limit(MOST_NAMED)
                .map(each -> each + "/" + shard.count())
                .collect(Collectors.joining(", "));
        return (missing.size() == 1 ? "shard " : "shards ") + named
                + (missing.size() > MOST_NAMED ? " and " + (missing.size() - MOST_NAMED) + " more" : "")
                + " did not arrive within --meet-timeout " + DurationParser.text(patience.timeout())
                + " (--without-missing starts with those present)";
    }

    private void follow() throws IOException {
        Optional<Note.Clocks> clocks = notes.read(Note.CLOCKS, Note.Clocks.class);
        long readAt = wallNanos.getAsLong();
        if (clocks.isEmpty()) {
            return;
        }
        Note.Clocks leaderClocks = clocks.get();
        for (Note.Seen each : leaderClocks.seen()) {
            Long sentNanos = each.id().equals(id) ? sentAt.get(each.beat()) : null;
            if (sentNanos == null) {
                continue; // written by this shard, or outdated
            }
            if (!leaderClocks.leader().equals(leader)) {
                leader = leaderClocks.leader();
                offset = ClockOffset.UNKNOWN;
                exchanges = 0;
                comparesSinceNanos = nanoTime.getAsLong();
                answeredBeat = 0;
            }
            if (each.beat() > answeredBeat) {
                answeredBeat = each.beat();
                exchanges++;
            }
            offset = offset.and(ClockOffset.of(sentNanos, each.seenAtNanos(), leaderClocks.writtenAtNanos(), readAt));
        }
    }

    /** The leader decides at its own time limit, which may be later, so this limit is longer. */
    private void throwIfTimedOut(long now) throws StartCancelledException {
        long limit = 2 * patience.timeout().toNanos() + TimeUnit.SECONDS.toNanos(30);
        if (now - sinceNanos >= limit) {
            throw new StartCancelledException(
                    "the shards did not agree on a start within " + DurationParser.text(Duration.ofNanos(limit)));
        }
    }

    /**
     * Tracks which shards are alive by whether their heartbeat advances. A note alone proves nothing: it may be old.
     * Not thread-safe.
     */
    static final class Liveness {
        /** A shard that is silent for this long is reported as gone. */
        static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);

        private record Beat(String id, long number, boolean hasMoved, long atNanos) {}

        private final Map<Integer, Beat> beats = new HashMap<>();

        void heartbeat(int shard, String id, long number, long nowNanos) {
            Beat before = beats.get(shard);
            if (before == null) {
                beats.put(shard, new Beat(id, number, false, nowNanos));
            } else if (!before.id.equals(id) || before.number != number) {
                beats.put(shard, new Beat(id, number, true, nowNanos));
            }
        }

        boolean isLive(int shard, long nowNanos) {
            Beat beat = beats.get(shard);
            return beat != null && beat.hasMoved && nowNanos - beat.atNanos < SILENCE_NANOS;
        }

        /** Nanoseconds since its last heartbeat; 0 if there was none. */
        long silentNanos(int shard, long nowNanos) {
            Beat beat = beats.get(shard);
            return beat == null ? 0 : nowNanos - beat.atNanos;
        }
    }

    /**
     * The offset of another clock, between two bounds that each exchange can only narrow. Immutable.
     *
     * @param leastNanos lower bound; negative if the other clock may be behind
     * @param mostNanos upper bound
     * @param atNanos when this was measured, on this clock
     */
    record ClockOffset(long leastNanos, long mostNanos, long atNanos) {
        static final ClockOffset UNKNOWN = new ClockOffset(Long.MIN_VALUE / 4, Long.MAX_VALUE / 4, 0);

        /** Clocks drift by at most 50 ppm, so bounds widen with age. */
        private static final long DRIFT = 20_000;

        /**
         * From one exchange of notes, with each instant on the clock of the shard that acted. It only assumes that a
         * note is read after it was written; the two directions may take different times.
         */
        static ClockOffset of(long sentAt, long receivedAt, long repliedAt, long readAt) {
            return new ClockOffset(repliedAt - readAt, receivedAt - sentAt, readAt);
        }

        /** The intersection of both; only the later one if a clock was adjusted in between. */
        ClockOffset and(ClockOffset later) {
            long drift = (later.atNanos - atNanos) / DRIFT;
            long least = Math.max(leastNanos - drift, later.leastNanos);
            long most = Math.min(mostNanos + drift, later.mostNanos);
            return least <= most ? new ClockOffset(least, most, later.atNanos) : later;
        }

        long nanos() {
            return (leastNanos + mostNanos) / 2;
        }

        /** The estimate's maximum error. */
        long errorNanos() {
            return (mostNanos - leastNanos) / 2 + 1;
        }

        /**
         * The correction to apply: none if the clocks may be equal, since NTP synchronises them better than an
         * exchange can measure.
         */
        long correctionNanos() {
            return Math.abs(nanos()) > errorNanos() ? nanos() : 0;
        }
    }
}
