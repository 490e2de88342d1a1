package dev.downbeat.cli.meet;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.StartCancelledException;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.LiveTotals;
import dev.downbeat.cli.job.MeasurementRun;
import dev.downbeat.cli.job.RunCounts;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.meet.SignedNotes.Note;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.run.Shard;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code run --meet}: one shard's part in the meeting, from ready to ended. */
public final class ShardMeeting implements MeasurementRun.StartSignal, AutoCloseable {
    private static final Duration END_WAIT = Duration.ofSeconds(5);

    private final MeetOptions options;
    private final PlanFile plan;
    private final ShardPart part;
    private final Console console;
    private final Interruption interruption;
    private final Function<ShardPart, Job> jobOf;
    private final String id = UUID.randomUUID().toString();
    private @Nullable SignedNotes notes;
    private Meeting.@Nullable AgreedStart agreedStart;
    private @Nullable LiveShard live;
    private boolean isShown;

    /**
     * Prepares; does no I/O.
     *
     * @param jobOf creates the job of another part of the load, needed if shards are missing or the sum is displayed
     */
    public ShardMeeting(
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
        return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
    }

    private static Instant instant(long wallNanos) {
        return Instant.EPOCH.plusNanos(wallNanos);
    }

    @Override
    public Job await(Job job) throws IOException {
        Shard shard = part.shard();
        MeetingPlace place = options.place().orElseThrow();
        notes = new SignedNotes(place.open(plan, shard.index() == 0), Token.of(plan));
        Meeting meeting = new Meeting(shard, id, notes, options.patience(), ShardMeeting::wallNanos, System::nanoTime);
        console.note("shard " + shard + " is ready and waits for the others at " + place);
        Meeting.AgreedStart agreed = agreed(meeting, place);
        agreedStart = agreed;
        if (notes.foreign() > 0) {
            console.error(place + " holds notes without this plan's token: they were ignored");
        }
        Meeting.ClockOffset offset = agreed.offset();
        if (offset.correctionNanos() != 0) {
            console.error("this clock is " + DurationText.rounded(Math.abs(offset.nanos()))
                    + (offset.nanos() > 0 ? " behind" : " ahead of") + " the leading shard's: corrected to within "
                    + DurationText.rounded(offset.errorNanos()));
        }
        int count = agreed.members().size();
        console.note(count + (count == 1 ? " shard begins at " : " shards begin at ") + instant(agreed.startNanos()));
        if (count < shard.count()) {
            console.error("missing shards: " + (shard.count() - count) + " of " + shard.count()
                    + "; the load was redistributed, and this is shard " + agreed.share());
            return jobOf.apply(part.withShare(agreed.share())).startingAt(instant(agreed.startNanos()));
        }
        return job.startingAt(instant(agreed.startNanos()));
    }

    private Meeting.AgreedStart agreed(Meeting meeting, MeetingPlace place) throws IOException {
        long giveUpAt = System.nanoTime() + options.patience().timeout().toNanos();
        while (!interruption.isReceived()) {
            try {
                Optional<Meeting.AgreedStart> agreed = meeting.poll();
                if (agreed.isPresent()) {
                    return agreed.get();
                }
            } catch (StartCancelledException calledOff) {
                throw calledOff;
            } catch (IOException lost) {
                if (System.nanoTime() - giveUpAt > 0) {
                    throw new IOException(
                            "no other shard could be reached at " + place + " within --meet-timeout "
                                    + DurationParser.text(options.patience().timeout()) + ": " + Messages.of(lost),
                            lost);
                }
            }
            LockSupport.parkNanos(meeting.pollInterval().toNanos());
        }
        throw new StartCancelledException("interrupted before the start");
    }

    @Override
    public Optional<Together> begun(LoadRun run, RunCounts counted, Optional<Progress> shown) {
        if (notes == null || agreedStart == null) {
            return Optional.empty();
        }
        LiveShard begun = new LiveShard(
                notes,
                run,
                counted,
                agreedStart.leads() ? Optional.of(MeetingObserver.leading(plan, notes, shown)) : Optional.empty());
        live = begun;
        begun.start();
        if (!agreedStart.leads() || shown.isEmpty()) {
            return Optional.empty();
        }
        isShown = true;
        Job whole = jobOf.apply(ShardPart.WHOLE).startingAt(instant(agreedStart.startNanos()));
        return Optional.of(new Together(whole, begun::sum));
    }

    /** All shards' times are converted to the leader's clock. */
    @Override
    public Duration correction() {
        return Duration.ofNanos(agreedStart == null ? 0 : agreedStart.offset().correctionNanos());
    }

    @Override
    public RunResult ended(RunResult result) {
        if (live != null) {
            live.end(result.recording(), isShown && !interruption.isReceived() ? END_WAIT : Duration.ZERO);
        }
        return result.later(correction());
    }

    @Override
    public void close() throws IOException {
        if (live != null) {
            live.close();
        }
        if (notes != null) {
            notes.store().close(live == null ? END_WAIT.dividedBy(2) : END_WAIT);
        }
    }

    /**
     * Publishes the shard's state once a second and obeys requests to stop. The leading shard also reports shards
     * that have gone silent. Losing the meeting place does not affect the run.
     */
    private final class LiveShard implements AutoCloseable {
        private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
        private static final int JOIN_MILLIS = 3_000;

        /** Polls per second, so that a dead shard is reported in time. */
        private static final int POLLS = 2;

        /** Polling a thousand shards takes more than a second; limited to a fifth of a core. */
        private static final int MOST_SHARE = 5;

        private final SignedNotes notes;
        private final LoadRun run;
        private final RunCounts counted;
        private final Optional<MeetingObserver> observer;
        private final Set<Integer> silentShards = new HashSet<>();
        private final Thread thread;
        private volatile Optional<LiveTotals> sum = Optional.empty();
        private volatile boolean isOver;
        private boolean isDisconnected;
        private long beat;
        private long observesAt = System.nanoTime();

        /** Prepares; does no I/O. The leading shard observes the others. */
        LiveShard(SignedNotes notes, LoadRun run, RunCounts counted, Optional<MeetingObserver> observer) {
            this.notes = notes;
            this.run = run;
            this.counted = counted;
            this.observer = observer;
            this.thread = Daemon.of("downbeat-meeting", this::run);
        }

        void start() {
            thread.start();
        }

        private void run() {
            long dueAt = System.nanoTime();
            for (int turn = 0; !isOver; turn++) {
                turn(turn % POLLS == 0);
                dueAt += PERIOD_NANOS / POLLS;
                while (!isOver && dueAt - System.nanoTime() > 0) {
                    LockSupport.parkNanos(dueAt - System.nanoTime());
                }
            }
        }

        private void turn(boolean isDue) {
            try {
                if (isDue) {
                    write(Note.Phase.RUNNING, counted.snapshotOfSeconds(), run.live());
                    if (notes.isStopped(id)) {
                        interruption.stop();
                    }
                }
                observe();
                isDisconnected = false;
            } catch (IOException lost) {
                if (!isDisconnected) {
                    console.error("the meeting place is unreachable: " + Messages.of(lost)
                            + "; the run continues, but live totals exclude this shard");
                }
                isDisconnected = true;
            }
        }

        private void observe() throws IOException {
            long now = System.nanoTime();
            if (observer.isEmpty() || now - observesAt < 0) {
                return;
            }
            sum = observer.get().poll(now);
            observesAt = now + MOST_SHARE * (System.nanoTime() - now);
            for (LiveTotals.ShardState each : sum.map(LiveTotals::parts).orElse(List.of())) {
                int shard = each.shard().index();
                boolean isSilent = each.health() == LiveTotals.Health.SILENT
                        && shard != part.shard().index();
                if (isSilent && silentShards.add(shard)) {
                    console.error(
                            "shard " + shard + " sends no heartbeat: it crashed or lost contact. The others continue");
                } else if (!isSilent && silentShards.remove(shard)) {
                    console.error("shard " + shard + " is back");
                }
            }
        }

        /** The sum over all shards; empty until they have been seen, and in shards that do not lead. */
        Optional<LiveTotals> sum() {
            return sum;
        }

        private synchronized void write(Note.Phase phase, RunCounts.Snapshot seen, RunSnapshot live)
                throws IOException {
            beat++;
            int shard = part.shard().index();
            notes.write(
                    Note.state(shard),
                    new Note.State(shard, id, beat, phase, run.elapsedNanos().orElse(0), seen, live));
        }

        /**
         * Publishes the final state and waits for the other shards to end.
         *
         * @param atMost time limit; zero if nobody needs the sum
         */
        void end(Recording total, Duration atMost) {
            close();
            try {
                write(Note.Phase.ENDED, counted.snapshotOfSeconds().with(total), RunSnapshot.NONE);
                long giveUpAt = System.nanoTime() + atMost.toNanos();
                while (giveUpAt - System.nanoTime() > 0
                        && !sum.filter(LiveTotals::isOver).isPresent()) {
                    LockSupport.parkNanos(PERIOD_NANOS / POLLS);
                    observe();
                }
                observer.ifPresent(each -> sum.ifPresent(each::end));
            } catch (IOException lost) {
                console.error("live totals exclude the end of this shard: " + Messages.of(lost));
            }
        }

        @Override
        public void close() {
            isOver = true;
            LockSupport.unpark(thread);
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static final class MeetOptions {
        private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);
        private static final Duration LEAST = Duration.ofSeconds(1);
        private static final Duration MOST = Duration.ofDays(7);

        @Option(
                names = "--meet",
                paramLabel = "WHERE",
                description =
                        "With --plan, begins when all shards are ready: file:DIR (shared folder), tcp:HOST:PORT (shard 0"
                                + " listens), s3://BUCKET/FOLDER or kubernetes (pods of an Indexed Job).")
        @Nullable
        MeetingPlace place;

        @Option(
                names = "--meet-timeout",
                paramLabel = "TIME",
                description = "How long to wait for missing shards. Default 5m.")
        @Nullable
        Duration timeout;

        @Option(
                names = "--without-missing",
                description =
                        "After --meet-timeout, splits the load among the shards present instead of exiting with 1.")
        boolean withoutMissing;

        public void check(boolean hasPlan, boolean hasStart) {
            Refusal.when(place == null && timeout != null, "--meet-timeout requires --meet");
            Refusal.when(place == null && withoutMissing, "--without-missing requires --meet");
            Refusal.when(place != null && !hasPlan, "--meet requires --plan: its token admits shards to the meeting");
            Refusal.when(
                    place != null && hasStart,
                    "--meet and --start-at are mutually exclusive: shards that meet agree on a start");
            Refusal.when(
                    timeout != null && (timeout.compareTo(LEAST) < 0 || timeout.compareTo(MOST) > 0),
                    "--meet-timeout must be from 1s to 7d, but was "
                            + DurationText.format(timeout == null ? 0 : timeout.toNanos()));
        }

        /** The meeting place; empty if the shards do not meet. */
        public Optional<MeetingPlace> place() {
            return Optional.ofNullable(place);
        }

        Meeting.Patience patience() {
            return new Meeting.Patience(timeout == null ? DEFAULT_TIMEOUT : timeout, withoutMissing);
        }
    }
}
