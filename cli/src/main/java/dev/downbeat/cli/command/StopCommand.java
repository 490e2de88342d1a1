package dev.downbeat.cli.command;

import dev.downbeat.cli.meet.MeetingObserver;
import dev.downbeat.cli.shard.PlannedRun;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code stop}: ends all shards of a run. */
@Command(
        name = "stop",
        header = "Stops shards that meet; each reports what it has.",
        customSynopsis = "downbeat stop WHERE [--plan FILE]",
        exitCodeList = {
            "  0:all shards are asked to stop",
            "  1:no shard has come, or the meeting place cannot be reached",
            "  2:the command line is wrong"
        })
public final class StopCommand extends AnyCommand.MeetingCommand {
    @Override
    public Integer call() throws IOException {
        PlannedRun planned = planned();
        try (MeetingObserver onlooker = MeetingObserver.at(where, planned.plan())) {
            int shards = onlooker.stop();
            if (shards == 0) {
                throw new IOException("no shard of this plan has come to " + where);
            }
            spec.commandLine()
                    .getOut()
                    .println(shards + (shards == 1 ? " shard was" : " shards were") + " asked to stop");
            spec.commandLine().getOut().flush();
            return ExitCode.MET;
        }
    }
}
