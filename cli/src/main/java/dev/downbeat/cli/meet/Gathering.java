package dev.downbeat.cli.meet;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.job.Counted;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.StartSignal;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Shard;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
    private final ShardPart part;
    private final Console console;
    private final Interruption interruption;
    private final Function<ShardPart, Job> jobOf;
    private final String id = UUID.randomUUID().toString();
    private @Nullable Notes notes;
    private Meeting.@Nullable Beginning beginning;
    private @Nullable LiveShard live;
    private boolean isShown;

    /**
     * Nothing happens yet.
     *
     * @param jobOf the job of another part: if not all shards come, or all are shown
     */
    public Gathering(
            MeetOptions options,
            PlanFile plan,
            ShardPart part,
            Console console,
            Interruption interruption,
            Function<ShardPart, Job> jobOf) {
        this.options = options;
        this.plan = plan;
        this.part = part;
        this.console = console;
        this.interruption = interruption;
        this.jobOf = jobOf;
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
        Shard shard = part.shard();
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
            return jobOf.apply(part.withShare(agreed.share())).startingAt(instant(agreed.startNanos()));
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
            } catch (Meeting.CalledOff calledOff) {
                throw calledOff;
            } catch (IOException lost) {
                if (System.nanoTime() - giveUpAt > 0) {
                    throw new IOException(
                            "nobody could be met at " + place + " within --meet-timeout "
                                    + Meeting.seconds(options.patience().timeout()) + ": " + Messages.ofFile(lost),
                            lost);
                }
            }
            LockSupport.parkNanos(meeting.nap().toNanos());
        }
        throw new Meeting.CalledOff("interrupted before the start");
    }

    @Override
    public Optional<Together> begun(LoadRun run, Counted counted, Optional<Progress> shown) {
        if (notes == null || beginning == null) {
            return Optional.empty();
        }
        LiveShard begun = new LiveShard(
                new Note.Member(part.shard().index(), id),
                notes,
                new LiveShard.Doing(run, counted),
                new LiveShard.Hearers(interruption::stop, console::error),
                beginning.leads() ? Optional.of(Onlooker.leading(plan, notes, shown)) : Optional.empty());
        live = begun;
        begun.start();
        if (!beginning.leads() || shown.isEmpty()) {
            return Optional.empty();
        }
        isShown = true;
        Job whole = jobOf.apply(ShardPart.WHOLE).startingAt(instant(beginning.startNanos()));
        return Optional.of(new Together(whole, begun::sum));
    }

    /** Its time becomes that of the leader's clock, as that of all other shards. */
    @Override
    public RunResult ended(RunResult result) {
        if (live != null) {
            live.end(result.recording(), isShown && !interruption.isReceived() ? FAREWELL : Duration.ZERO);
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
