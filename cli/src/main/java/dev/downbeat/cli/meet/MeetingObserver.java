package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.LiveTotals;
import dev.downbeat.cli.job.RunCounts;
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
    public static final long LOOK_NANOS = Meeting.Attendance.SILENCE_NANOS;

    private final PlanFile plan;
    private final SignedNotes notes;
    private final boolean isSummed;
    private final Optional<SumIntervals> intervals;
    private final Meeting.Attendance attendance = new Meeting.Attendance();
    private final Meeting.Attendance arrivals = new Meeting.Attendance();
    private final Meeting.Attendance beats = new Meeting.Attendance();

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

    /**
     * The current sum; empty if no run of this plan has started.
     *
     * @param nowNanos a reading of any monotonic clock
     */
    public Optional<LiveTotals> look(long nowNanos) throws IOException {
        Optional<SignedNotes.Note.Agreed> agreed = notes.read(SignedNotes.Note.AGREED, SignedNotes.Note.Agreed.class)
                .filter(each -> each.why().isEmpty());
        if (agreed.isEmpty()) {
            return Optional.empty();
        }
        LiveTotals sum = LiveTotals.NOTHING;
        for (SignedNotes.Note.Member member : agreed.get().members()) {
            sum = sum.plus(look(member, nowNanos));
        }
        LiveTotals seen = sum;
        intervals.ifPresent(each -> each.close(seen.parts()));
        return Optional.of(sum);
    }

    private LiveTotals look(SignedNotes.Note.Member member, long nowNanos) throws IOException {
        Optional<byte[]> text = notes.text(SignedNotes.Note.state(member.shard()));
        attendance.saw(member.shard(), member.id(), text.map(Arrays::hashCode).orElse(0), nowNanos);
        boolean isSilent = attendance.silentNanos(member.shard(), nowNanos) > Meeting.Attendance.SILENCE_NANOS;
        boolean isRead = isSummed || isSilent; // a changed note means a live shard, which is cheap to check
        Optional<SignedNotes.Note.State> state = text.filter(each -> isRead)
                .flatMap(each -> SignedNotes.readable(each, SignedNotes.Note.State.class))
                .filter(each -> each.id().equals(member.id()));
        state.ifPresent(each -> intervals.ifPresent(line -> line.saw(member.shard(), each.seen())));
        LiveTotals.Health going = isRead && state.isEmpty() ? LiveTotals.Health.EXPECTED : LiveTotals.Health.RUNNING;
        LiveTotals.Health health = state.filter(each -> each.phase() == SignedNotes.Note.Phase.ENDED)
                .map(each -> LiveTotals.Health.ENDED)
                .orElse(isSilent ? LiveTotals.Health.SILENT : going);
        return LiveTotals.of(
                new Shard(member.shard(), plan.shards()),
                health,
                state.map(SignedNotes.Note.State::elapsedNanos).orElse(LiveTotals.NOT_FIXED),
                state.map(SignedNotes.Note.State::seen).orElse(RunCounts.Snapshot.NOTHING),
                state.filter(each -> health == LiveTotals.Health.RUNNING)
                        .map(SignedNotes.Note.State::live)
                        .orElse(RunSnapshot.NONE)); // requests outstanding in a dead shard will never end
    }

    /** Publishes the final sum. */
    void end(LiveTotals last) {
        intervals.ifPresent(each -> each.end(last.elapsedNanos()));
    }

    /**
     * Why the run does not start; empty unless the meeting was called off and no shard has waited for {@link #LOOK_NANOS}.
     * Call it repeatedly.
     */
    public Optional<String> calledOff(long nowNanos) throws IOException {
        Optional<String> why = notes.read(SignedNotes.Note.AGREED, SignedNotes.Note.Agreed.class)
                .map(SignedNotes.Note.Agreed::why)
                .filter(each -> !each.isEmpty());
        if (why.isEmpty() || isGathering(nowNanos) || calledOffSinceNanos.isEmpty()) {
            calledOffSinceNanos = why.isEmpty() ? OptionalLong.empty() : OptionalLong.of(nowNanos);
        }
        return why.filter(each -> nowNanos - calledOffSinceNanos.orElse(nowNanos) > LOOK_NANOS);
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
        Optional<SignedNotes.Note.Ready> ready =
                notes.read(SignedNotes.Note.ready(shard), SignedNotes.Note.Ready.class);
        ready.ifPresent(each -> arrivals.saw(shard, each.id(), each.beat(), nowNanos));
        return ready.filter(each -> arrivals.isLive(shard, nowNanos)).map(SignedNotes.Note.Ready::id);
    }

    private Optional<String> running(int shard, long nowNanos) throws IOException {
        Optional<SignedNotes.Note.State> state =
                notes.read(SignedNotes.Note.state(shard), SignedNotes.Note.State.class);
        state.ifPresent(each -> beats.saw(shard, each.id(), each.beat(), nowNanos));
        return state.filter(each -> beats.isLive(shard, nowNanos)).map(SignedNotes.Note.State::id);
    }

    /**
     * Asks all live shards to end and report what they have. Call it repeatedly for {@link #LOOK_NANOS}.
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
            notes.write(SignedNotes.Note.STOP, new SignedNotes.Note.Stop(List.copyOf(ids)));
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

        private final Progress hearer;
        private final Map<Integer, NavigableMap<Long, Recording>> totals = new HashMap<>();
        private Recording told = Recording.empty();
        private long toldNanos;

        SumIntervals(Progress hearer) {
            this.hearer = hearer;
        }

        /** Records a shard's total, and the previous one. */
        void saw(int shard, RunCounts.Snapshot seen) {
            NavigableMap<Long, Recording> mine = totals.computeIfAbsent(shard, none -> new TreeMap<>());
            mine.computeIfAbsent(
                    second(seen.lastEndNanos() - seen.lastNanos()),
                    none -> seen.total().since(seen.last()));
            mine.put(second(seen.lastEndNanos()), seen.total());
            while (mine.size() > MOST_SECONDS) {
                mine.pollFirstEntry();
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
                if (second * SECOND_NANOS > toldNanos && running.stream().allMatch(each -> each.containsKey(second))) {
                    tell(second * SECOND_NANOS, second);
                    return;
                }
            }
        }

        /** Closes the last interval with everything known. */
        void end(long endNanos) {
            tell(Math.max(endNanos, toldNanos), Long.MAX_VALUE);
        }

        private void tell(long endNanos, long second) {
            Recording sum = Recording.empty();
            for (NavigableMap<Long, Recording> each : totals.values()) {
                Map.Entry<Long, Recording> then = each.floorEntry(second);
                sum = then == null ? sum : sum.plus(then.getValue());
            }
            hearer.interval(new Interval(toldNanos, endNanos, sum.since(told)));
            told = sum;
            toldNanos = endNanos;
        }
    }
}
