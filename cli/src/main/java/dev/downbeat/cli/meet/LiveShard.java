package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.Counted;
import dev.downbeat.cli.job.LiveSum;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Live;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Writes once a second how the run of a shard stands, and does what others ask. The shard that leads also says which of the others fell
 * silent. A meeting place that is gone disturbs no run.
 */
final class LiveShard implements AutoCloseable {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LAST_MILLIS = 3_000;

    /** Looks a second: whoever dies is to be named in time. */
    private static final int LOOKS = 2;

    /** To look at a thousand shards takes more than a second: looking takes a fifth of a core at most. */
    private static final int MOST_SHARE = 5;

    /** The run. */
    record Doing(LoadRun run, Counted counted) {}

    /** Who stops the run, and who hears what went wrong. */
    record Hearers(Runnable stop, Consumer<String> error) {}

    private final Note.Member self;
    private final Notes notes;
    private final Doing doing;
    private final Hearers hearers;
    private final Optional<Onlooker> onlooker;
    private final Set<Integer> gone = new HashSet<>();
    private final Thread thread;
    private volatile Optional<LiveSum> sum = Optional.empty();
    private volatile boolean isOver;
    private boolean isAway;
    private long beat;
    private long looksAt = System.nanoTime();

    /**
     * Nothing happens yet.
     *
     * @param onlooker sees the others, where this shard leads them
     */
    LiveShard(Note.Member self, Notes notes, Doing doing, Hearers hearers, Optional<Onlooker> onlooker) {
        this.self = self;
        this.notes = notes;
        this.doing = doing;
        this.hearers = hearers;
        this.onlooker = onlooker;
        this.thread = new Thread(this::run, "downbeat-meeting");
    }

    /** Begins to write. */
    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long dueAt = System.nanoTime();
        for (int turn = 0; !isOver; turn++) {
            turn(turn % LOOKS == 0);
            dueAt += PERIOD_NANOS / LOOKS;
            while (!isOver && dueAt - System.nanoTime() > 0) {
                LockSupport.parkNanos(dueAt - System.nanoTime());
            }
        }
    }

    private void turn(boolean isDue) {
        try {
            if (isDue) {
                write(
                        Note.Phase.RUNNING,
                        doing.counted().snapshotOfSeconds(),
                        doing.run().live());
                if (notes.read(Note.STOP, Note.Stop.class)
                        .filter(stop -> stop.ids().contains(self.id()))
                        .isPresent()) {
                    hearers.stop().run();
                }
            }
            look();
            isAway = false;
        } catch (IOException lost) {
            if (!isAway) {
                hearers.error()
                        .accept("the meeting place is gone: " + Messages.ofFile(lost)
                                + "; the run goes on, and the live sum lacks this shard");
            }
            isAway = true;
        }
    }

    private void look() throws IOException {
        long now = System.nanoTime();
        if (onlooker.isEmpty() || now - looksAt < 0) {
            return;
        }
        sum = onlooker.get().look(now);
        looksAt = now + MOST_SHARE * (System.nanoTime() - now);
        for (LiveSum.Part part : sum.map(LiveSum::parts).orElse(List.of())) {
            int shard = part.shard().index();
            boolean isSilent = part.health() == LiveSum.Health.SILENT && shard != self.shard();
            if (isSilent && gone.add(shard)) {
                hearers.error()
                        .accept("shard " + shard + " is silent: it died, or cannot reach the meeting place."
                                + " The others go on");
            } else if (!isSilent && gone.remove(shard)) {
                hearers.error().accept("shard " + shard + " is back");
            }
        }
    }

    /** All shards together; empty before they were seen, or if this one does not lead. */
    Optional<LiveSum> sum() {
        return sum;
    }

    private synchronized void write(Note.Phase phase, Counted.Snapshot seen, Live live) throws IOException {
        beat++;
        notes.write(
                Note.state(self.shard()),
                new Note.State(
                        self.shard(),
                        self.id(),
                        beat,
                        phase,
                        doing.run().elapsedNanos().orElse(0),
                        seen,
                        live));
    }

    /**
     * Writes the last note, and sees the others to their end.
     *
     * @param atMost for how long; zero if nobody wants to know
     */
    void end(Recording total, Duration atMost) {
        close();
        try {
            write(Note.Phase.ENDED, doing.counted().snapshotOfSeconds().with(total), Live.NONE);
            long giveUpAt = System.nanoTime() + atMost.toNanos();
            while (giveUpAt - System.nanoTime() > 0
                    && !sum.filter(LiveSum::isOver).isPresent()) {
                LockSupport.parkNanos(PERIOD_NANOS / LOOKS);
                look();
            }
            onlooker.ifPresent(each -> sum.ifPresent(each::end));
        } catch (IOException lost) {
            hearers.error().accept("the live sum lacks the end of this shard: " + Messages.ofFile(lost));
        }
    }

    @Override
    public void close() {
        isOver = true;
        LockSupport.unpark(thread);
        try {
            thread.join(LAST_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
