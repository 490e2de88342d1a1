package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Root;
import dev.downbeat.cli.file.Permission;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.job.LiveTotals;
import dev.downbeat.cli.job.Screen;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.meet.MeetingObserver;
import dev.downbeat.cli.meet.Outage;
import dev.downbeat.cli.shard.PlannedRun;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "watch",
        header = "Shows the shards of a running plan as one run.",
        customSynopsis = "downbeat watch WHERE [--plan FILE]",
        footer = {
            "",
            "Counts are added, so percentiles are those of all requests. A shard that is",
            "silent for 4 s is named; its counts stay in the sum."
        },
        exitCodeList = {
            "  0:all shards ended",
            "  1:the meeting place cannot be reached, or shards did not start or end",
            "  2:invalid command line"
        })
public final class WatchCommand extends AnyCommand.MeetingCommand {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LINE_EVERY = 5;
    private static final int WAITING_EVERY = 60;
    private static final String NONE = "no run of this plan has begun yet";

    @Option(names = Permission.ALLOW_EXEC, description = Permission.ALLOW_EXEC_HELP)
    private boolean allowExec;

    @Override
    public Integer call() throws IOException {
        PlannedRun planned = PlannedRun.read(
                plan,
                Permission.of(allowExec, true), // it sends nothing
                Root.of(spec).orElseThrow());
        Job job = Job.of(planned.value(), planned.value().aim().orElseThrow(), ShardPart.WHOLE, null);
        try (MeetingObserver observer = MeetingObserver.at(where, planned.plan())) {
            return watch(observer, job);
        }
    }

    private int watch(MeetingObserver observer, Job job) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        Terminal terminal = Terminal.detect();
        Terminal.Width width = Terminal.Width.watching(terminal);
        Painter.Canvas canvas = new Painter.Canvas();
        int silent = 0;
        boolean hasRun = false;
        long beganAt = System.nanoTime();
        long since = beganAt;
        Outage outage = new Outage();
        for (long turn = 0; ; turn++) {
            long now = System.nanoTime();
            Optional<LiveTotals> sum;
            boolean isOver;
            Optional<String> calledOff;
            try {
                sum = observer.poll(now);
                isOver = sum.isPresent() && sum.get().isOver();
                hasRun |= sum.isPresent() && !isOver && now - beganAt > MeetingObserver.OBSERVE_NANOS;
                if (isOver && !hasRun) { // an earlier run of this plan, if shards gather for the next one
                    since = observer.isGathering(now) ? now : since;
                    isOver = now - since > MeetingObserver.OBSERVE_NANOS;
                    sum = isOver ? sum : Optional.empty();
                }
                calledOff = sum.isEmpty() ? observer.calledOff(now) : Optional.empty();
                outage.answered(now);
            } catch (IOException lost) {
                if (outage.failed(lost, now)) {
                    erase(err, terminal, canvas);
                    err.println("downbeat watch: the meeting place is unreachable: " + Messages.of(lost)
                            + "; retrying for one minute");
                    err.flush();
                }
                LockSupport.parkNanos(PERIOD_NANOS);
                continue;
            }
            if (isOver) {
                erase(err, terminal, canvas);
                return end(sum.orElseThrow(), job);
            }
            if (calledOff.isPresent()) {
                erase(err, terminal, canvas);
                err.println("downbeat watch: " + Messages.line(calledOff.get()));
                err.flush();
                return ExitCode.NOTHING;
            }
            if (terminal.isStderr()) {
                err.print(canvas.repaint(sum.map(live -> new Screen(job, width.terminal()).lines(live))
                        .orElse(List.of(NONE))));
            } else if (sum.isEmpty() && turn % WAITING_EVERY == 0) {
                err.println(NONE);
            } else if (sum.isPresent()
                    && (turn % LINE_EVERY == 0 || sum.get().count(LiveTotals.Health.SILENT) != silent)) {
                silent = sum.get().count(LiveTotals.Health.SILENT);
                err.println(new Screen(job, terminal).line(sum.get()));
            }
            err.flush();
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    private static void erase(PrintWriter err, Terminal terminal, Painter.Canvas canvas) {
        err.print(terminal.isStderr() ? canvas.erase() : "");
        err.flush();
    }

    private int end(LiveTotals sum, Job job) {
        PrintWriter out = spec.commandLine().getOut();
        new Screen(job, Terminal.detect()).lines(sum).forEach(out::println);
        out.flush();
        return sum.count(LiveTotals.Health.SILENT) == 0 && !out.checkError() ? ExitCode.MET : ExitCode.NOTHING;
    }
}
