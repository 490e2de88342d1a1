package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.LiveTotals;
import dev.downbeat.cli.job.RunCounts;
import dev.downbeat.cli.meet.SignedNotes.Note;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Observes a meeting with the plan's token: computes the sum over all shards, and can stop them. Not thread-safe. */
public final class MeetingObserver implements AutoCloseable {
    /** How long it takes to see every live shard's heartbeat advance. */
    public static final long OBSERVE_NANOS = Meeting.Liveness.SILENCE_NANOS;

    private final PlanFile plan;
    private final SignedNotes notes;
    private final boolean isSummed;
    private final Optional<SumIntervals> intervals;
    private final Meeting.Liveness liveness = new Meeting.Liveness();
    private final Meeting.Liveness arrivals = new Meeting.Liveness();
    private final Meeting.Liveness beats = new Meeting.Liveness();

    /** When it was first seen that the meeting was called off and no shard waits. */
    private OptionalLong calledOffSinceNanos = OptionalLong.empty();

    private MeetingObserver(PlanFile plan, SignedNotes notes, boolean isSummed, Optional<SumIntervals> intervals) {
        this.plan = plan;
        this.notes = notes;
        this.isSummed = isSummed;
        this.intervals = intervals;
    }

    public static MeetingObserver at(MeetingPlace place, PlanFile plan) throws IOException {
        return at(place.open(plan, false), plan);
    }

    static MeetingObserver at(SharedStore store, PlanFile plan) {
        return new MeetingObserver(plan, new SignedNotes(store, Token.of(plan)), true, Optional.empty());
    }

    /**
     * The leading shard's observer.
     *
     * @param shown receives the intervals of the sum; empty if only silent shards are of interest
     */
    static MeetingObserver leading(PlanFile plan, SignedNotes notes, Optional<Progress> shown) {
        return new MeetingObserver(plan, notes, shown.isPresent(), shown.map(SumIntervals::new));
    }

    /** The current sum, at a reading of any monotonic clock; empty if no run of this plan has started. */
    public Optional<LiveTotals> poll(long nowNanos) throws IOException {
        Optional<Note.Agreed> agreed = notes.read(Note.AGREED, Note.Agreed.class)
                .filter(each -> each.why().isEmpty());
        if (agreed.isEmpty()) {
            return Optional.empty();
        }
        LiveTotals sum = LiveTotals.NOTHING;
        for (Note.Member member : agreed.get().members()) {
            sum = sum.plus(poll(member, nowNanos));
        }
        LiveTotals total = sum;
        intervals.ifPresent(each -> each.close(total.parts()));
        return Optional.of(total);
    }

    private LiveTotals poll(Note.Member member, long nowNanos) throws IOException {
        Optional<byte[]> text = notes.text(Note.state(member.shard()));
        liveness.heartbeat(
                member.shard(), member.id(), text.map(Arrays::hashCode).orElse(0), nowNanos);
        boolean isSilent = liveness.silentNanos(member.shard(), nowNanos) > Meeting.Liveness.SILENCE_NANOS;
        boolean isRead = isSummed || isSilent; // a changed note means a live shard, which is cheap to check
        Optional<Note.State> state = text.filter(each -> isRead)
                .flatMap(each -> SignedNotes.readable(each, Note.State.class))
                .filter(each -> each.id().equals(member.id()));
        state.ifPresent(each -> intervals.ifPresent(sum -> sum.add(member.shard(), each.seen())));
        LiveTotals.Health presumed = isRead && state.isEmpty() ? LiveTotals.Health.EXPECTED : LiveTotals.Health.RUNNING;
        LiveTotals.Health health = state.filter(each -> each.phase() == Note.Phase.ENDED)
                .map(each -> LiveTotals.Health.ENDED)
                .orElse(isSilent ? LiveTotals.Health.SILENT : presumed);
        return LiveTotals.of(
                new Shard(member.shard(), plan.shards()),
                health,
                state.map(Note.State::elapsedNanos).orElse(LiveTotals.NOT_FIXED),
                state.map(Note.State::seen).orElse(RunCounts.Snapshot.NOTHING),
                state.filter(each -> health == LiveTotals.Health.RUNNING)
                        .map(Note.State::live)
                        .orElse(RunSnapshot.NONE)); // requests outstanding in a dead shard will never end
    }

    void end(LiveTotals last) {
        intervals.ifPresent(each -> each.end(last.elapsedNanos()));
    }

    /**
     * Why the run does not start; empty unless the meeting was called off and no shard has waited for
     * {@link #OBSERVE_NANOS}. Call it repeatedly.
     */
    public Optional<String> calledOff(long nowNanos) throws IOException {
        Optional<String> why =
                notes.read(Note.AGREED, Note.Agreed.class).map(Note.Agreed::why).filter(each -> !each.isEmpty());
        if (why.isEmpty() || isGathering(nowNanos) || calledOffSinceNanos.isEmpty()) {
            calledOffSinceNanos = why.isEmpty() ? OptionalLong.empty() : OptionalLong.of(nowNanos);
        }
        return why.filter(each -> nowNanos - calledOffSinceNanos.orElse(nowNanos) > OBSERVE_NANOS);
    }

    /** Whether shards wait for a start. Looks at heartbeats, since notes of an earlier run of the plan may be there. */
    public boolean isGathering(long nowNanos) throws IOException {
        boolean isGathering = false;
        for (int shard = 0; shard < plan.shards(); shard++) {
            isGathering |= waiting(shard, nowNanos).isPresent();
        }
        return isGathering;
    }

    /** The id of a shard that waits for a start; empty until its heartbeat has advanced. */
    private Optional<String> waiting(int shard, long nowNanos) throws IOException {
        Optional<Note.Ready> ready = notes.read(Note.ready(shard), Note.Ready.class);
        ready.ifPresent(each -> arrivals.heartbeat(shard, each.id(), each.beat(), nowNanos));
        return ready.filter(each -> arrivals.isLive(shard, nowNanos)).map(Note.Ready::id);
    }

    private Optional<String> running(int shard, long nowNanos) throws IOException {
        Optional<Note.State> state = notes.read(Note.state(shard), Note.State.class);
        state.ifPresent(each -> beats.heartbeat(shard, each.id(), each.beat(), nowNanos));
        return state.filter(each -> beats.isLive(shard, nowNanos)).map(Note.State::id);
    }

    /**
     * Asks all live shards to end and report what they have. Call it repeatedly for {@link #OBSERVE_NANOS}.
     *
     * @return their number so far, since a shard is live once its heartbeat advances
     */
    public int stop(long nowNanos) throws IOException {
        Set<String> ids = new TreeSet<>();
        for (int shard = 0; shard < plan.shards(); shard++) {
            waiting(shard, nowNanos).ifPresent(ids::add);
            running(shard, nowNanos).ifPresent(ids::add);
        }
        if (!ids.isEmpty()) {
            notes.write(Note.STOP, new Note.Stop(List.copyOf(ids)));
        }
        return ids.size();
    }

    @Override
    public void close() throws IOException {
        notes.store().close();
    }

    /**
     * The intervals of the sum. An interval closes when all live shards have passed its end; dead shards count with
     * what they had. Counts missing because of a lost note appear in the next interval. Not thread-safe.
     */
    private static final class SumIntervals {
        private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

        /** Notes, and therefore shards, are at most a second apart. */
        private static final int MOST_SECONDS = 3;

        private final Progress receiver;
        private final Map<Integer, NavigableMap<Long, Recording>> totals = new HashMap<>();
        private Recording published = Recording.empty();
        private long publishedNanos;

        SumIntervals(Progress receiver) {
            this.receiver = receiver;
        }

        /** Records a shard's total, and the previous one. */
        void add(int shard, RunCounts.Snapshot seen) {
            NavigableMap<Long, Recording> ofShard = totals.computeIfAbsent(shard, none -> new TreeMap<>());
            ofShard.computeIfAbsent(
                    second(seen.lastEndNanos() - seen.lastNanos()),
                    none -> seen.total().since(seen.last()));
            ofShard.put(second(seen.lastEndNanos()), seen.total());
            while (ofShard.size() > MOST_SECONDS) {
                ofShard.pollFirstEntry();
            }
        }

        private static long second(long nanos) {
            return (nanos + SECOND_NANOS / 2) / SECOND_NANOS;
        }

        /** Closes an interval that all shards have passed. */
        void close(List<LiveTotals.ShardState> parts) {
            List<NavigableMap<Long, Recording>> running = parts.stream()
                    .filter(part -> part.health() == LiveTotals.Health.RUNNING)
                    .map(part -> totals.getOrDefault(part.shard().index(), Collections.emptyNavigableMap()))
                    .toList();
            if (running.isEmpty() || parts.stream().anyMatch(part -> part.health() == LiveTotals.Health.EXPECTED)) {
                return;
            }
            for (long second : running.get(0).descendingKeySet()) {
                if (second * SECOND_NANOS > publishedNanos
                        && running.stream().allMatch(each -> each.containsKey(second))) {
                    publish(second * SECOND_NANOS, second);
                    return;
                }
            }
        }

        /** Closes the last interval with everything known. */
        void end(long endNanos) {
            publish(Math.max(endNanos, publishedNanos), Long.MAX_VALUE);
        }

        private void publish(long endNanos, long second) {
            Recording sum = Recording.empty();
            for (NavigableMap<Long, Recording> each : totals.values()) {
                Map.Entry<Long, Recording> then = each.floorEntry(second);
                sum = then == null ? sum : sum.plus(then.getValue());
            }
            receiver.interval(new Interval(publishedNanos, endNanos, sum.since(published)));
            published = sum;
            publishedNanos = endNanos;
        }
    }
}
