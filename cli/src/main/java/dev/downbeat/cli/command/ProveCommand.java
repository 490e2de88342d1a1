package dev.downbeat.cli.command;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Rate;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.job.SelfWarmUp;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Platform;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.record.Recording;
import dev.downbeat.report.view.ProofView;
import dev.downbeat.report.view.ProofView.ProofReport;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "prove",
        header = "Freezes its own server and checks that the report shows it.",
        customSynopsis = "downbeat prove [OPTION...]",
        exitCodeList = {
            "  0:all values within 3 %% and 5 ms of theory, and every request accounted for",
            "  1:the server could not be started or frozen, or a result could not be written",
            "  2:invalid command line",
            " 98:a check failed: do not trust numbers from this machine until all pass"
        })
public final class ProveCommand extends AnyCommand.ResultCommand {
    private static final int CONNECTIONS = 64;
    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            description = "Length of the run, 2s to 10m. Default 10s.")
    Duration duration = Duration.ofSeconds(10);

    @Option(
            names = {"-R", "--rate"},
            paramLabel = "RATE",
            description = "Evenly spaced requests, at most 50k/s. Default 1k/s.")
    Rate rate = Rate.perSecond(1_000);

    @Option(
            names = "--freeze",
            paramLabel = "TIME",
            description =
                    "Length of the freeze, at most half of the run; it begins after 30 %% of the run. Default 3s, or less.")
    @Nullable
    Duration freeze;

    @Override
    int call(Console console) throws IOException {
        Interruption interruption = new Interruption();
        return interruption.guard(console, () -> prove(console, interruption));
    }

    private int prove(Console console, Interruption interruption) throws IOException {
        Freezer.Plan plan = plan();
        Platform.here().requireFreezing();
        console.checkFormats("a proof");
        interruption.watch();
        console.printLine(PlanText.format(
                "downbeat prove: constant %s for %s, the server frozen for %s",
                rate, DurationText.format(duration.toNanos()), DurationText.format(plan.lengthNanos())));
        SelfWarmUp.run(interruption, List.of());
        MachineProfile machine = MachineProfile.measure();
        try (LoopbackProcess server = LoopbackProcess.start()) {
            Target target = new HttpTarget(
                    HttpRequest.get(server.uri()), HttpOptions.of(draft -> draft.connections = CONNECTIONS));
            warmUp(target);
            LoadRun run = new LoadRun(runPlan(), target);
            FutureTask<Freezer.Frozen> freezer = new FutureTask<>(new Freezer(server, run::startAt, plan));
            Daemon.start("downbeat-freezer", freezer);
            interruption.onFirst(run::stop);
            RunResult result = run.run(Progress.none());
            interruption.throwIfReceived();
            return judge(result, frozen(freezer), machine, console);
        }
    }

    private Freezer.Plan plan() {
        Refusal.when(
                duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0,
                "--duration must be from 2s to 10m, but was " + DurationText.format(duration.toNanos()));
        Refusal.when(
                rate.perSecond() < 10 || rate.perSecond() > 50_000,
                "--rate must be from 10/s to 50k/s, but was " + rate);
        Duration length = freeze == null ? Collections.min(List.of(Duration.ofSeconds(3), third(duration))) : freeze;
        Refusal.when(
                length.isZero() || length.compareTo(duration.dividedBy(2)) > 0,
                "--freeze must be above 0 and at most half of --duration, but was "
                        + DurationText.format(length.toNanos()));
        return new Freezer.Plan(rate, duration.toNanos() * 3 / 10, length.toNanos(), planned());
    }

    /** In steps of 100 ms, so that it prints exactly. */
    static Duration third(Duration whole) {
        return Duration.ofMillis(whole.toMillis() / 300 * 100);
    }

    /** With a timeout so long that it truncates no response time. */
    private RunPlan runPlan() {
        return RunPlan.builder(new Workload.Open(new Constant(rate)))
                .duration(duration)
                .timeout(duration.multipliedBy(2).plusSeconds(30))
                .build();
    }

    /** Loads the server's code as well. */
    private static void warmUp(Target target) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Closed(CONNECTIONS, ThinkTime.none()))
                .duration(Duration.ofMillis(500))
                .build();
        new LoadRun(plan, target).run(Progress.none());
    }

    private static Freezer.Frozen frozen(FutureTask<Freezer.Frozen> freezer) throws IOException {
        try {
            return freezer.get();
        } catch (ExecutionException broken) {
            Throwable cause = broken.getCause() == null ? broken : broken.getCause();
            throw new IOException("the server could not be frozen: " + Messages.of(cause), broken);
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", now);
        }
    }

    private int judge(RunResult result, Freezer.Frozen frozen, MachineProfile machine, Console console) {
        Recording recording = result.recording();
        long baseNanos = recording.service().valueAtPercentile(50);
        FreezeLaw law = new FreezeLaw(frozen.fromNanos(), frozen.untilNanos(), frozen.drainNanos(), baseNanos);
        long due = planned();
        FreezeLaw.Check check = new FreezeLaw.Check(recording.response(), law.open(rate, due), law.waiting(rate, due));
        List<ProofReport.Failure> failures = new ArrayList<>(check.failures());
        if (!result.ledger().addsUp()) {
            failures.add(new ProofReport.Failure("ledger", "the ledger does not add up: " + result.ledger()));
        }
        ProofReport report = new ProofReport(
                setup(frozen),
                check.rows(),
                failures,
                PlanText.format(
                        "within 3 %% and 5 ms; ledger: %,d planned, %,d answered, all accounted for",
                        result.ledger().planned(), result.ledger().answered()),
                facts(result, machine),
                Console.words(spec),
                Version.text());
        boolean written = console.write(new ProofView(report));
        return ExitCode.afterOutput(report.isProved() ? ExitCode.MET : ExitCode.UNSOUND, written);
    }

    private List<String> setup(Freezer.Frozen frozen) {
        return List.of(
                PlanText.format(
                        "constant %s for %s over %d connections",
                        rate, DurationText.format(duration.toNanos()), CONNECTIONS),
                PlanText.format(
                        "frozen (SIGSTOP) from %.3f s to %.3f s; draining the backlog then took %s",
                        frozen.fromNanos() / 1e9,
                        frozen.untilNanos() / 1e9,
                        DurationText.rounded(frozen.drainNanos())));
    }

    private static List<ProofReport.Fact> facts(RunResult result, MachineProfile machine) {
        List<ProofReport.Fact> facts = new ArrayList<>(List.of(
                new ProofReport.Fact(
                        "Downbeat",
                        PlanText.format(
                                "late by %s at worst, longest pause %s",
                                DurationText.rounded(
                                        result.recording().lateness().maxNanos()),
                                DurationText.rounded(Math.max(0, result.health().largestHiccupNanos())))),
                new ProofReport.Fact(
                        "clock",
                        machine.clockGranularityNanos() + " ns steps, " + machine.clockReadNanos() + " ns to read"),
                new ProofReport.Fact(
                        "timer",
                        "wakes " + DurationText.rounded(Math.max(0, machine.wakeUpDelayNanos())) + " late (median)")));
        Platform.here().lacks().ifPresent(lack -> facts.add(new ProofReport.Fact("system", lack)));
        return facts;
    }

    /** The number of slots before the end. At a constant rate the n-th is due at the integer part of n * gap. */
    private long planned() {
        IntendedTimes times = new Constant(rate).times();
        long count = 0;
        while (times.nextNanos() < duration.toNanos()) {
            count++;
        }
        return count;
    }
}
