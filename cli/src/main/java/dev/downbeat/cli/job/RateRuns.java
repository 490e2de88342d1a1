package dev.downbeat.cli.job;

import dev.downbeat.capacity.RateSearch.RateMeasurement;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.http.BoringSslJar;
import dev.downbeat.cli.http.WorkloadSource;
import dev.downbeat.cli.measurement.Asking;
import dev.downbeat.cli.measurement.Sweep;
import dev.downbeat.cli.queue.QueueDemo;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.tls.TlsProvider;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs at successive rates against one target, each with its own connections and times. */
public final class RateRuns implements RateMeasurement {
    private static final long REPAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(2);

    private final Sweep sweep;
    private final Asking asking;
    private final SearchPlan plan;
    /** The seed of randomly drawn requests: the same in each step, so that only the rate differs. */
    private static final long SEED = 1;

    private int runs;
    private volatile @Nullable LoadRun running;
    private volatile boolean stopped;
    private boolean answers;
    private @Nullable QueueDemo demo;
    private volatile @Nullable PrintWriter progress;

    /**
     * Sends nothing yet. Requests unanswered some time after a run are a sign of overload anyway, so the drain is
     * limited to that time.
     */
    public RateRuns(Sweep sweep) {
        this.sweep = sweep;
        this.asking = sweep.asking().with(sweep.asking().waiting().drainingAtMost(LONGEST_DRAIN));
        this.plan = sweep.plan();
    }

    /** The TLS implementation; empty without TLS. */
    public Optional<TlsProvider> tls() {
        if (!sweep.target().toLowerCase(Locale.ROOT).startsWith("https:")) {
            return Optional.empty();
        }
        return BoringSslJar.of(asking.encryption().engine())
                .or(() -> Optional.of(HttpOptions.defaults().tls().provider()));
    }

    /** Uses the embedded queue, which has been started. */
    public void use(QueueDemo started) {
        demo = started;
    }

    /** Warms up the embedded queue, if it is the target. */
    public void rehearse(Interruption interruption) throws IOException {
        if (demo != null) {
            QueueDemo.rehearse(target(runPlan(plan.fromPerSecond(), plan.stepNanos())), interruption);
        }
    }

    /** Paints progress on a terminal. */
    public RateRuns painting(PrintWriter err, boolean quiet) {
        progress = quiet || !Terminal.detect().isStderr() ? null : err;
        return this;
    }

    /** The target in one line; refuses invalid options before anything is sent. */
    public String describe() {
        asking.check(sweep.target());
        return target(runPlan(plan.fromPerSecond(), plan.stepNanos())).describe();
    }

    /** Ends the current run and all later ones. Thread-safe. */
    public void stop() {
        stopped = true;
        LoadRun run = running;
        if (run != null) {
            run.stop();
        }
    }

    @Override
    public RunResult measure(double perSecond, long nanos) throws IOException {
        RunPlan runPlan = runPlan(perSecond, nanos);
        LoadRun run = new LoadRun(runPlan, target(runPlan));
        running = run;
        if (stopped) {
            run.stop();
        }
        Painter painter = painter(runPlan);
        try {
            RunResult result = run.run(Progress.none());
            refuseIfNothing(result);
            return result;
        } finally {
            painter.close();
            running = null;
        }
    }

    /** Refuses a first rate with no response at all; at later rates this is a result. */
    private void refuseIfNothing(RunResult result) throws IOException {
        answers |= result.ledger().answered() > 0;
        if (!answers && result.ledger().failed() > 0) {
            throw new IOException("no request was answered: "
                    + String.join(", ", result.recording().failures().keySet()));
        }
    }

    private RunPlan runPlan(double perSecond, long nanos) {
        RunPlan.Builder builder = RunPlan.builder(
                        new Workload.Open(sweep.search().arrivals(perSecond, runs++)))
                .duration(Duration.ofNanos(nanos))
                .interval(Duration.ofNanos(plan.stretchNanos()));
        asking.waiting().applyTo(builder);
        return builder.build();
    }

    private Target target(RunPlan runPlan) {
        return Job.target(
                asking,
                sweep.target(),
                WorkloadSource.open(SEED),
                runPlan,
                ShardPart.WHOLE,
                demo,
                new LinkedHashMap<>());
    }

    private Painter painter(RunPlan runPlan) {
        PrintWriter err = progress;
        if (err == null) {
            return Painter.none();
        }
        long startedAt = System.nanoTime();
        return Painter.repainting(
                err,
                () -> List.of("  " + PlanText.load(runPlan) + "   "
                        + PlanText.progress(runPlan, System.nanoTime() - startedAt, 0)),
                REPAINT_NANOS);
    }
}
