package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.Counted;
import dev.downbeat.cli.job.LiveSum;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Live;
import dev.downbeat.run.Progress;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Who looks at a meeting from outside, with the plan: sees the sum, and can stop all. Not thread-safe. */
public final class Onlooker implements AutoCloseable {
    private final PlanFile plan;
    private final Notes notes;
    private final boolean isSummed;
    private final Optional<SumIntervals> intervals;
    private final Attendance attendance = new Attendance();

    private Onlooker(PlanFile plan, Notes notes, boolean isSummed, Optional<SumIntervals> intervals) {
        this.plan = plan;
        this.notes = notes;
        this.isSummed = isSummed;
        this.intervals = intervals;
    }

    public static Onlooker at(MeetingPlace place, PlanFile plan) throws IOException {
        return at(place.open(plan, false), plan);
    }

    static Onlooker at(Board board, PlanFile plan) {
        return new Onlooker(plan, new Notes(board, Token.of(plan)), true, Optional.empty());
    }

    /**
     * The shard that leads.
     *
     * @param shown who gets the intervals of the sum; empty if nobody wants to know more than who is silent
     */
    static Onlooker leading(PlanFile plan, Notes notes, Optional<Progress> shown) {
        return new Onlooker(plan, notes, shown.isPresent(), shown.map(SumIntervals::new));
    }

    /**
     * Looks; empty if no run of this plan has begun there.
     *
     * @param nowNanos on any clock that only goes forward
     */
    public Optional<LiveSum> look(long nowNanos) throws IOException {
        Optional<Note.Agreed> agreed = notes.read(Note.AGREED, Note.Agreed.class)
                .filter(each -> each.why().isEmpty());
        if (agreed.isEmpty()) {
            return Optional.empty();
        }
        LiveSum sum = LiveSum.NOTHING;
        for (Note.Member member : agreed.get().members()) {
            sum = sum.plus(look(member, nowNanos));
        }
        LiveSum seen = sum;
        intervals.ifPresent(each -> each.close(seen.parts()));
        return Optional.of(sum);
    }

    private LiveSum look(Note.Member member, long nowNanos) throws IOException {
        Optional<byte[]> text = notes.text(Note.state(member.shard()));
        attendance.saw(member.shard(), member.id(), text.map(Arrays::hashCode).orElse(0), nowNanos);
        boolean isSilent = attendance.silentNanos(member.shard(), nowNanos) > Attendance.SILENCE_NANOS;
        boolean isRead = isSummed || isSilent; // whoever still writes goes on: it is cheap to see that
        Optional<Note.State> state = text.filter(each -> isRead)
                .flatMap(each -> Notes.readable(each, Note.State.class))
                .filter(each -> each.id().equals(member.id()));
        state.ifPresent(each -> intervals.ifPresent(line -> line.saw(member.shard(), each.seen())));
        LiveSum.Health going = isRead && state.isEmpty() ? LiveSum.Health.EXPECTED : LiveSum.Health.RUNNING;
        LiveSum.Health health = state.filter(each -> each.phase() == Note.Phase.ENDED)
                .map(each -> LiveSum.Health.ENDED)
                .orElse(isSilent ? LiveSum.Health.SILENT : going);
        return LiveSum.of(
                new Shard(member.shard(), plan.shards()),
                health,
                state.map(Note.State::elapsedNanos).orElse(Long.MIN_VALUE),
                state.map(Note.State::seen).orElse(Counted.Snapshot.NOTHING),
                state.filter(each -> health == LiveSum.Health.RUNNING)
                        .map(Note.State::live)
                        .orElse(Live.NONE)); // what a dead shard waited for will not come
    }

    /** Nobody looks again. */
    void end(LiveSum last) {
        intervals.ifPresent(each -> each.end(last.elapsedNanos()));
    }

    /** Asks all who are there to end with what they have; how many there are, or were. */
    public int stop() throws IOException {
        List<String> ids = new ArrayList<>();
        for (int shard = 0; shard < plan.shards(); shard++) {
            notes.read(Note.ready(shard), Note.Ready.class).ifPresent(ready -> ids.add(ready.id()));
        }
        if (!ids.isEmpty()) {
            notes.write(Note.STOP, new Note.Stop(ids));
        }
        return ids.size();
    }

    @Override
    public void close() throws IOException {
        notes.board().close();
    }
}
