package dev.downbeat.cli.meet;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.job.Counted;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.StartSignal;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Shard;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code run --meet}: what one shard does in the meeting, from when it is ready until it has ended. */
public final class Gathering implements StartSignal, AutoCloseable {
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final MeetOptions options;
    private final PlanFile plan;
    private final Shard shard;
    private final Console console;
    private final Interruption interruption;
    private final Function<Shard, Job> splitAnew;
    private final String id = UUID.randomUUID().toString();
    private @Nullable Notes notes;
    private Meeting.@Nullable Beginning beginning;
    private @Nullable LiveShard live;

    /**
     * Nothing happens yet.
     *
     * @param splitAnew the job of another part, if not all shards come
     */
    public Gathering(
            MeetOptions options,
            PlanFile plan,
            Shard shard,
            Console console,
            Interruption interruption,
            Function<Shard, Job> splitAnew) {
        this.options = options;
        this.plan = plan;
        this.shard = shard;
        this.console = console;
        this.interruption = interruption;
        this.splitAnew = splitAnew;
    }

    static long wallNanos() {
        Instant now = Clock.systemUTC().instant();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private static Instant instant(long wallNanos) {
        return Instant.EPOCH.plusNanos(wallNanos);
    }

    @Override
    public Job await(Job job) throws IOException {
        MeetingPlace place = options.place().orElseThrow();
        notes = new Notes(place.open(plan, shard.index() == 0), Token.of(plan));
        Meeting meeting = new Meeting(shard, id, notes, options.patience(), Gathering::wallNanos, System::nanoTime);
        console.note("shard " + shard + " is ready, and meets the others at " + place);
        Meeting.Beginning agreed = agreed(meeting, place);
        beginning = agreed;
        if (notes.foreign() > 0) {
            console.error(place + " holds notes without this plan's token: they were ignored");
        }
        ClockOffset offset = agreed.offset();
        if (offset.correctionNanos() != 0) {
            console.error("this clock is " + DurationText.rounded(Math.abs(offset.nanos()))
                    + (offset.nanos() > 0 ? " behind" : " ahead of") + " the leading shard's: corrected to within "
                    + DurationText.rounded(offset.errorNanos()));
        }
        int count = agreed.members().size();
        console.note(count + (count == 1 ? " shard begins at " : " shards begin at ") + instant(agreed.startNanos()));
        if (count < shard.count()) {
            console.error((shard.count() - count) + " of " + shard.count()
                    + " shards did not come: the load is split anew, and this is shard " + agreed.share());
            return splitAnew.apply(agreed.share()).startingAt(instant(agreed.startNanos()));
        }
        return job.startingAt(instant(agreed.startNanos()));
    }

    private Meeting.Beginning agreed(Meeting meeting, MeetingPlace place) throws IOException {
        long giveUpAt = System.nanoTime() + options.patience().timeout().toNanos();
        while (!interruption.isReceived()) {
            try {
                Optional<Meeting.Beginning> agreed = meeting.look();
                if (agreed.isPresent()) {
                    return agreed.get();
                }
            } catch (Meeting.CalledOff off) {
                throw off;
            } catch (IOException away) {
                if (System.nanoTime() - giveUpAt > 0) {
                    throw new IOException(
                            "nobody could be met at " + place + " within --meet-timeout "
                                    + Meeting.seconds(options.patience().timeout()) + ": " + Messages.ofFile(away),
                            away);
                }
            }
            LockSupport.parkNanos(meeting.nap().toNanos());
        }
        throw new Meeting.CalledOff("interrupted before the start");
    }

    @Override
    public void begun(LoadRun run, Counted counted) {
        if (notes == null || beginning == null) {
            return;
        }
        List<Note.Member> others = beginning.leads()
                ? beginning.members().stream()
                        .filter(each -> !each.id().equals(id))
                        .toList()
                : List.of();
        live = LiveShard.begin(
                new Note.Member(shard.index(), id),
                notes,
                new LiveShard.Doing(run, counted),
                new LiveShard.Hearers(interruption::stop, console::error),
                others);
    }

    /** Its time becomes that of the leader's clock, as that of all other shards. */
    @Override
    public RunResult ended(RunResult result) {
        if (live != null) {
            live.end(result.recording());
        }
        long late = beginning == null ? 0 : beginning.offset().correctionNanos();
        return late == 0 ? result : result.later(Duration.ofNanos(late));
    }

    @Override
    public void close() throws IOException {
        if (live != null) {
            live.close();
        }
        if (notes != null) {
            notes.board().close(live == null ? FAREWELL.dividedBy(2) : FAREWELL);
        }
    }
}
