package dev.downbeat.cli.meet;

import dev.downbeat.record.Ledger;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Shard;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Who looks at a meeting from outside, with the plan: sees the sum, and can stop all. Not thread-safe. */
public final class Onlooker implements AutoCloseable {
    /** How one shard is. */
    private enum Health {
        EXPECTED,
        RUNNING,
        SILENT,
        ENDED
    }

    /**
     * All of it at one moment.
     *
     * @param sum of all shards that have written, the dead ones included
     * @param rows a line for each shard
     * @param running how many go on
     * @param silent how many have died, or are cut off
     */
    public record Sight(LiveSum sum, List<String> rows, int running, int silent) {
        /** Whether something is counted and nobody goes on. */
        public boolean isOver() {
            return running == 0;
        }
    }

    private final PlanFile plan;
    private final Notes notes;
    private final Attendance attendance = new Attendance();

    private Onlooker(PlanFile plan, Notes notes) {
        this.plan = plan;
        this.notes = notes;
    }

    public static Onlooker at(MeetingPlace place, PlanFile plan) throws IOException {
        return new Onlooker(plan, new Notes(place.open(plan, false), Token.of(plan)));
    }

    static Onlooker at(Board board, PlanFile plan) {
        return new Onlooker(plan, new Notes(board, Token.of(plan)));
    }

    /**
     * Looks; empty if no run of this plan has begun there.
     *
     * @param nowNanos on any clock that only goes forward
     */
    public Optional<Sight> look(long nowNanos) throws IOException {
        Optional<Note.Agreed> agreed = notes.read(Note.AGREED, Note.Agreed.class)
                .filter(each -> each.why().isEmpty());
        if (agreed.isEmpty()) {
            return Optional.empty();
        }
        List<Note.State> states = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        int running = 0;
        int silent = 0;
        for (Note.Member member : agreed.get().members()) {
            Optional<Note.State> state = notes.read(Note.state(member.shard()), Note.State.class)
                    .filter(each -> each.id().equals(member.id()));
            state.ifPresent(states::add);
            attendance.saw(
                    member.shard(), member.id(), state.map(Note.State::beat).orElse(0L), nowNanos);
            Health health = health(member.shard(), state, nowNanos);
            running += health == Health.RUNNING || health == Health.EXPECTED ? 1 : 0;
            silent += health == Health.SILENT ? 1 : 0;
            rows.add(row(member.shard(), health, state));
        }
        return Optional.of(new Sight(LiveSum.of(states), rows, running, silent));
    }

    private Health health(int shard, Optional<Note.State> state, long nowNanos) {
        if (state.filter(each -> each.phase() == Note.Phase.ENDED).isPresent()) {
            return Health.ENDED;
        }
        if (attendance.silentNanos(shard, nowNanos) > Attendance.SILENCE_NANOS) {
            return Health.SILENT;
        }
        return state.isPresent() ? Health.RUNNING : Health.EXPECTED;
    }

    private String row(int shard, Health health, Optional<Note.State> state) {
        String name = String.format(
                Locale.ROOT,
                "  shard %-9s %-9s",
                new Shard(shard, plan.shards()),
                health.name().toLowerCase(Locale.ROOT));
        if (state.isEmpty()) {
            return name.stripTrailing();
        }
        Ledger ledger = state.get().seen().total().ledger();
        return name
                + String.format(
                        Locale.ROOT,
                        "%,8.1f s   done %,d   failed %,d   late by %s at worst",
                        Math.max(0, state.get().elapsedNanos()) / 1e9,
                        ledger.answered() + ledger.failed(),
                        ledger.failed() + ledger.timedOut(),
                        DurationText.rounded(state.get().seen().worstBehindNanos()));
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
