package dev.downbeat.cli.command;

import dev.downbeat.cli.meet.MeetingObserver;
import dev.downbeat.cli.shard.PlannedRun;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.stats.Numbers;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;

@Command(
        name = "stop",
        header = "Stops the shards of a running plan; each saves a partial result.",
        customSynopsis = "downbeat stop WHERE [--plan FILE]",
        exitCodeList = {
            "  0:all shards are asked to stop",
            "  1:no shard has joined, or the meeting place is unreachable",
            "  2:invalid command line"
        })
public final class StopCommand extends AnyCommand.MeetingCommand {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    @Override
    public Integer call() throws IOException {
        PlanFile read = PlannedRun.plan(plan);
        try (MeetingObserver observer = MeetingObserver.at(where, read)) {
            long since = System.nanoTime();
            int shards = observer.stop(since);
            while (shards < read.shards() && System.nanoTime() - since < MeetingObserver.OBSERVE_NANOS) {
                LockSupport.parkNanos(PAUSE_NANOS);
                shards = Math.max(shards, observer.stop(System.nanoTime()));
            }
            if (shards == 0) {
                throw nobody();
            }
            spec.commandLine().getOut().println(Numbers.count(shards, "shard was", "shards were") + " asked to stop");
            spec.commandLine().getOut().flush();
            return ExitCode.MET;
        } catch (ConnectException refused) { // shard 0 does not listen
            throw nobody();
        }
    }

    private IOException nobody() {
        return new IOException("no shard of this plan is at " + where + ": they have not started, or have ended");
    }
}
