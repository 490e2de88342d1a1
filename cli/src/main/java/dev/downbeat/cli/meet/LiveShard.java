package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.Counted;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Live;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
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

    /** The run. */
    record Doing(LoadRun run, Counted counted) {}

    /** Who stops the run, and who hears what went wrong. */
    record Hearers(Runnable stop, Consumer<String> error) {}

    private final Note.Member self;
    private final Notes notes;
    private final Doing doing;
    private final Hearers hearers;
    private final List<Note.Member> others;
    private final Attendance attendance = new Attendance();
    private final Set<Integer> gone = new HashSet<>();
    private final Thread thread;
    private volatile boolean isOver;
    private boolean isAway;
    private long beat;

    private LiveShard(Note.Member self, Notes notes, Doing doing, Hearers hearers, List<Note.Member> others) {
        this.self = self;
        this.notes = notes;
        this.doing = doing;
        this.hearers = hearers;
        this.others = others;
        this.thread = new Thread(this::run, "downbeat-meeting");
    }

    /**
     * Begins to write.
     *
     * @param others whose silence is to be noticed
     */
    static LiveShard begin(Note.Member self, Notes notes, Doing doing, Hearers hearers, List<Note.Member> others) {
        LiveShard live = new LiveShard(self, notes, doing, hearers, others);
        others.forEach(each -> live.attendance.saw(each.shard(), each.id(), 0, System.nanoTime()));
        live.thread.setDaemon(true);
        live.thread.start();
        return live;
    }

    private void run() {
        long dueAt = System.nanoTime();
        while (!isOver) {
            turn();
            dueAt += PERIOD_NANOS;
            while (!isOver && dueAt - System.nanoTime() > 0) {
                LockSupport.parkNanos(dueAt - System.nanoTime());
            }
        }
    }

    private void turn() {
        try {
            write(Note.Phase.RUNNING, doing.counted().snapshot(), doing.run().live());
            if (notes.read(Note.STOP, Note.Stop.class)
                    .filter(stop -> stop.ids().contains(self.id()))
                    .isPresent()) {
                hearers.stop().run();
            }
            listen();
            isAway = false;
        } catch (IOException away) {
            if (!isAway) {
                hearers.error()
                        .accept("the meeting place is gone: " + Messages.ofFile(away)
                                + "; the run goes on, and the live sum lacks this shard");
            }
            isAway = true;
        }
    }

    private void listen() throws IOException {
        for (Note.Member other : others) {
            Optional<Note.Pulse> pulse = notes.read(Note.state(other.shard()), Note.Pulse.class)
                    .filter(each -> each.id().equals(other.id()));
            long now = System.nanoTime();
            pulse.ifPresent(each -> attendance.saw(other.shard(), other.id(), each.beat(), now));
            boolean hasEnded =
                    pulse.filter(each -> each.phase() == Note.Phase.ENDED).isPresent();
            boolean isSilent = !hasEnded && attendance.silentNanos(other.shard(), now) > Attendance.SILENCE_NANOS;
            if (isSilent && gone.add(other.shard())) {
                hearers.error()
                        .accept("shard " + other.shard() + " is silent: it died, or cannot reach the meeting place."
                                + " The others go on");
            } else if (!isSilent && gone.remove(other.shard())) {
                hearers.error().accept("shard " + other.shard() + " is back");
            }
        }
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
                        seen.light(),
                        live));
    }

    /** Writes the last note. */
    void end(Recording total) {
        close();
        try {
            write(Note.Phase.ENDED, doing.counted().snapshot().with(total), Live.NONE);
        } catch (IOException away) {
            hearers.error().accept("the live sum lacks the end of this shard: " + Messages.ofFile(away));
        }
    }

    @Override
    public void close() {
        isOver = true;
        LockSupport.unpark(thread);
        try {
            thread.join(LAST_MILLIS);
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        }
    }
}
