package dev.downbeat.cli.job;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.GitHubSteps;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.NoMeasurement;
import dev.downbeat.cli.console.StartCancelledException;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.terminal.Painter;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.record.Interval;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.PrometheusText;
import dev.downbeat.report.file.RunJournal;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.report.render.TerminalColours;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.stats.Numbers;
import dev.downbeat.verdict.Evidence;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.SequentialTest;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import dev.downbeat.why.WatcherGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** One run from the warm-up to the exit code, with its progress on stderr. Use once. */
public final class MeasurementRun {
    private final Console console;
    private final Interruption interruption;
    private Optional<MachineProfile> machine = Optional.empty();
    private Optional<Evidence> evidence = Optional.empty();
    private Optional<StartSignal> start = Optional.empty();
    private Optional<StartSignal.Together> together = Optional.empty();
    private Optional<PrometheusEndpoint> prometheus = Optional.empty();
    private Optional<LivePage> livePage = Optional.empty();
    private List<Watcher> watchers = List.of();
    private List<WatchResult> watched = List.of();
    private boolean isLast;
    private final Journals journals;

    public MeasurementRun(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
        this.journals = new Journals(console);
    }

    Console console() {
        return console;
    }

    /** Sets a signal that starts the run. */
    public void starting(StartSignal when) {
        start = Optional.of(when);
    }

    public int run(Job job) throws IOException {
        return report(job, measure(job), Optional.empty());
    }

    /** Measures; throws if nothing could be measured, or it was interrupted before it began. */
    RunResult measure(Job whole) throws IOException {
        long startedAt = System.nanoTime();
        if (SelfWarmUp.tls(whole.target()).filter(engine -> !engine.isNative()).isPresent()
                && SelfWarmUp.Compilers.isForOneCompiler()) {
            console.note("JDK TLS is slow with this JVM's compiler flags. Start with the launcher and --tls-engine jdk:"
                    + " it enables C2.");
        }
        SelfWarmUp.run(interruption, whole.target(), whole.plan());
        machine = Optional.of(MachineProfile.measure());
        console.detail(PlanText.format("warmed up in %.1f s", (System.nanoTime() - startedAt) / 1e9));
        interruption.throwIfReceived();
        try (WatcherGroup watching = WatcherGroup.begin(watchers)) { // prepared before the start signal is awaited
            LoadRun run = new LoadRun(whole.plan(), whole.target());
            if (start.isEmpty()) {
                return measure(whole, run, watching);
            }
            warmUp(whole, run);
            Job started = start.get().await(whole);
            return measure(started, run.afterWarmUp(started.plan(), started.target()), watching);
        }
    }

    /** Shards warm up before they agree on a start, which would otherwise lie within the warm-up. */
    private void warmUp(Job job, LoadRun run) throws IOException {
        interruption.onFirst(run::stop);
        if (job.plan().warmUpNanos() != 0) {
            console.note("warming up");
        }
        try {
            run.warmUp();
        } catch (IOException nothing) {
            throw noMeasurement(job, nothing);
        }
        interruption.throwIfReceived();
    }

    private RunResult measure(Job job, LoadRun run, WatcherGroup watching) throws IOException {
        interruption.onFirst(run::stop);
        RunCounts counts = new RunCounts();
        SequentialTest sequentialTest =
                new SequentialTest(job.plan(), job.slos(), job.rigour().isStrict());
        journals.begin(job, machine.get(), start.map(StartSignal::correction).orElse(Duration.ZERO));
        together = start.flatMap(signal -> signal.begun(run, counts, liveDisplay()));
        Job shownJob = together.map(StartSignal.Together::job).orElse(job);
        Supplier<LiveTotals> now = () -> together.flatMap(all -> all.now().get())
                .map(sum -> sum.at(elapsedNanos(job, run)))
                .orElseGet(() -> new LiveTotals(counts.snapshot(), run.live(), elapsedNanos(job, run), List.of()));
        prometheus.ifPresent(endpoint -> endpoint.show(() -> standing(shownJob, now.get())));
        livePage.ifPresent(page -> page.begin(
                Journals.head(shownJob, machine.get(), Duration.ZERO),
                () -> new Screen(shownJob, console.terminal().withUnicode()).counts(now.get()),
                () -> now.get().rows()));
        Painter painter = painter(shownJob, now);
        try {
            boolean isShown =
                    !console.output().quiet || prometheus.isPresent() || livePage.isPresent() || start.isPresent();
            Progress shown = isShown ? counts : Progress.none();
            Progress progress = job.untilDecided() ? untilDecided(shown, sequentialTest, run) : shown;
            RunResult counted = run.run(journals.recording(withLivePage(progress)));
            RunResult result = start.isPresent() ? start.get().ended(counted) : counted;
            evidence = job.untilDecided() ? Optional.of(sequentialTest.evidence(result)) : Optional.empty();
            interruption.onFirst(watching::endSoon);
            watched = watching.end(result.span().startAt(), result.durationNanos());
            watched.forEach(each -> each.notes().forEach(note -> console.note(each.source() + ": " + note)));
            return result;
        } catch (IOException nothing) {
            throw noMeasurement(job, nothing);
        } finally {
            painter.close();
        }
    }

    private NoMeasurement noMeasurement(Job job, IOException why) throws IOException {
        journals.discardAll();
        interruption.throwIfReceived();
        if (job.plan().shard().count() == 1) { // merge reports which shards are missing
            saveNothing(job, Messages.of(why));
        }
        return new NoMeasurement(why);
    }

    /** Publishes the run to Prometheus from now on. */
    public void show(PrometheusEndpoint endpoint) {
        prometheus = Optional.of(endpoint);
    }

    /** Publishes the run to browsers from now on. */
    public void show(LivePage page) {
        livePage = Optional.of(page);
    }

    public void watch(List<Watcher> others) {
        watchers = List.copyOf(others);
    }

    /** Displays the sum of several processes, if this one leads them. */
    private Optional<Progress> liveDisplay() {
        return livePage.isEmpty() && prometheus.isEmpty() && console.output().quiet
                ? Optional.empty()
                : Optional.of(interval -> livePage.ifPresent(page -> page.interval(interval)));
    }

    private Progress withLivePage(Progress progress) {
        return livePage.isEmpty() || together.isPresent()
                ? progress
                : interval -> {
                    progress.interval(interval);
                    livePage.get().interval(interval);
                };
    }

    private static PrometheusText.Standing standing(Job job, LiveTotals now) {
        Map<String, String> shards = new LinkedHashMap<>();
        now.parts()
                .forEach(part ->
                        shards.put(part.shard().toString(), part.health().text()));
        return new PrometheusText.Standing(
                Version.text(),
                job.target().describe(),
                now.counts().total(),
                now.live().inFlight(),
                now.live().backlog(),
                shards);
    }

    private static Progress untilDecided(Progress shown, SequentialTest sequentialTest, LoadRun run) {
        return interval -> {
            shown.interval(interval);
            if (sequentialTest.add(interval)) {
                run.callOff();
            }
        };
    }

    private Painter painter(Job job, Supplier<LiveTotals> now) {
        if (console.output().quiet) {
            return Painter.none();
        }
        if (console.terminal().isStderr()) {
            Terminal.Width width = Terminal.Width.watching(console.terminal());
            return Painter.repainting(
                    console.err(),
                    () -> new Screen(
                                    job,
                                    width.terminal(),
                                    console.colour() ? TerminalColours.ANSI : TerminalColours.NONE)
                            .lines(now.get()));
        }
        Screen screen = new Screen(job, console.terminal());
        return Painter.appending(console.err(), () -> screen.line(now.get()));
    }

    private static long elapsedNanos(Job job, LoadRun run) {
        return run.elapsedNanos()
                .orElseGet(() -> job.plan()
                        .start()
                        .map(start -> Duration.between(start, Instant.now()).toNanos())
                        .filter(nanos -> nanos < 0)
                        .orElse(LiveTotals.NOT_FIXED));
    }

    /** Judges, shows and saves a run or a simulation; returns the exit code. */
    public int report(Job job, RunResult result, Optional<QueueLengths> queue) {
        return report(reported(job, result, queue));
    }

    int report(RunReport report) {
        boolean written = console.show(report);
        for (Written one : console.output().files.parallelStream()
                .map(file -> Written.of(file, report))
                .toList()) {
            written &= finish(one);
        }
        RunResult result = report.analysis().result();
        if (report.queue().isEmpty() && result.plan().shard().count() == 1) {
            isLast = console.keep(report);
        }
        livePage.ifPresent(page -> page.finish(together.isPresent() ? Optional.empty() : Optional.of(report)));
        new GitHubSteps(System.getenv(), console).report(report);
        int code = report.analysis().outcome().exitCode();
        if (code == ExitCode.NOTHING) {
            console.error("nothing could be measured: "
                    + (result.isNothing()
                            ? result.whyNothing()
                            : (result.ledger().planned() == 1
                                            ? "the request failed: "
                                            : "all " + result.ledger().planned() + " requests failed: ")
                                    + String.join(
                                            ", ", result.recording().failures().keySet())));
        }
        return interruption.exitCode(ExitCode.afterOutput(code, written));
    }

    /** Whether {@code downbeat last} shows this run. */
    boolean isLast() {
        return isLast;
    }

    /**
     * Replaces older results by an empty one, so that a build does not read yesterday's; reports to the build server.
     * Readers of stdout get the reason on stderr, programs the same JSON as in a file.
     */
    public void saveNothing(Job job, String why) {
        RunReport report = reported(
                job, RunResult.nothing(job.plan(), job.target().describe(), Instant.now(), why), Optional.empty());
        if (console.output().json) {
            console.show(report);
        }
        console.output().files.forEach(file -> finish(Written.of(file, report)));
        new GitHubSteps(System.getenv(), console).report(report);
    }

    RunReport reported(Job job, RunResult result, Optional<QueueLengths> queue) {
        RequiredCertainty rigour =
                evidence.isPresent() ? new RequiredCertainty(true, job.rigour().isStrict()) : job.rigour();
        Criteria criteria = new Criteria(job.slos(), rigour, job.acceptUnsound());
        RunReport report = new RunReport(
                evidence.map(proof -> Analysis.of(result, criteria, proof))
                        .orElseGet(() -> Analysis.of(result, criteria)),
                job.origin().command(),
                job.seed(),
                Version.text(),
                machine.orElseGet(MachineProfile::measure),
                job.details(),
                queue,
                job.origin().measurement(),
                Diagnosis.NONE);
        return watched.isEmpty() ? report : report.with(watched);
    }

    /** An output file, and the error if it could not be written. */
    private record Written(OutputFile file, Optional<IOException> broken) {
        static Written of(OutputFile file, RunReport report) {
            try {
                file.write(report);
                return new Written(file, Optional.empty());
            } catch (IOException broken) {
                return new Written(file, Optional.of(broken));
            }
        }

        /** Whether the result is in a local file, if only because it could not be uploaded. */
        boolean isWhole() {
            return broken.isEmpty() || broken.get() instanceof OutputFile.NotUploaded;
        }
    }

    /** Discards the journal of a written file; otherwise reports the error and returns false. */
    private boolean finish(Written one) {
        OutputFile file = one.file();
        try {
            if (one.isWhole()) {
                console.output().saved(file);
                journals.discard(file);
            }
            if (one.broken().isPresent()) {
                throw one.broken().get();
            }
            return true;
        } catch (IOException broken) {
            console.error("-o " + file.name() + " was not written: " + Messages.of(broken) + journals.hint(file));
            return false;
        }
    }

    /**
     * Keeps a journal of a running measurement next to each {@code .downbeat} file that it will be saved to. A full disk
     * ends the journal, not the run. Not thread-safe.
     */
    private static final class Journals {
        private final Console console;
        private final Map<Path, RunJournal> open = new HashMap<>();
        private final Set<RunJournal> full = new HashSet<>();

        Journals(Console console) {
            this.console = console;
        }

        /**
         * Starts the journals.
         *
         * @param correction {@link StartSignal#correction}
         * @throws IOException if that fails, so that the run does not start
         */
        void begin(Job job, MachineProfile machine, Duration correction) throws IOException {
            for (OutputFile file : console.output().files) {
                if (file.kind() == OutputFile.Kind.DOWNBEAT) {
                    begin(file, head(job, machine, correction));
                }
            }
        }

        static RunHead head(Job job, MachineProfile machine, Duration correction) {
            Instant now = Instant.now();
            RunPlan plan = job.plan();
            return new RunHead(
                    plan.start().map(at -> plan.startingAt(at.plus(correction))).orElse(plan),
                    job.target().describe(),
                    plan.start().filter(now::isBefore).orElse(now).plus(correction),
                    job.origin().command(),
                    job.seed(),
                    Version.text(),
                    machine,
                    job.details(),
                    job.slos(),
                    job.rigour(),
                    job.origin().measurement());
        }

        private void begin(OutputFile file, RunHead head) throws IOException {
            try {
                open.put(file.journal(), RunJournal.begin(file.journal(), head));
            } catch (IOException closed) {
                discardAll();
                String why = "-o " + file.name() + " cannot be written: " + Messages.of(closed);
                throw closed instanceof RunJournal.Busy
                        ? new StartCancelledException(why)
                        : new IOException(why, closed);
            }
        }

        /** Records each interval and passes it on. */
        Progress recording(Progress other) {
            return interval -> {
                other.interval(interval);
                keep(interval);
            };
        }

        private void keep(Interval interval) {
            for (RunJournal journal : open.values()) {
                if (full.contains(journal)) {
                    continue;
                }
                try {
                    journal.add(interval);
                } catch (IOException noSpace) {
                    full.add(journal); // and stays open, since no other run may write there
                    console.error("the run continues, but is no longer saved: " + Messages.of(noSpace)
                            + (journal.isEmpty()
                                    ? "; no part was saved"
                                    : "; the part saved up to " + Numbers.seconds(interval.startNanos())
                                            + " can be read with: downbeat report "
                                            + ShellWords.quoted(journal.path().toString())));
                }
            }
        }

        /** Deletes the journal of a file that has been written. */
        void discard(OutputFile file) throws IOException {
            if (file.kind() != OutputFile.Kind.DOWNBEAT) {
                return;
            }
            RunJournal journal = open.remove(file.journal());
            if (journal != null) {
                journal.discard();
            }
        }

        /** Deletes all journals, if there will be no result. */
        void discardAll() {
            for (RunJournal journal : open.values()) {
                try {
                    journal.discard();
                } catch (IOException broken) {
                    console.error(journal.path() + " is left: " + Messages.of(broken));
                }
            }
            open.clear();
        }

        /** How to read the journal, if the result could not be written. */
        String hint(OutputFile file) {
            RunJournal journal = file.kind() == OutputFile.Kind.DOWNBEAT ? open.get(file.journal()) : null;
            return journal != null && !journal.isEmpty()
                    ? "; the data saved during the run can be read with: downbeat report "
                            + ShellWords.quoted(file.journal().toString())
                    : "";
        }
    }

    /** Starts a run from outside. Used by the run's thread. */
    public interface StartSignal {
        /**
         * All processes that start together, displayed as one run.
         *
         * @param job their common load
         * @param now their sum; empty before the first has been seen. Thread-safe
         */
        record Together(Job job, Supplier<Optional<LiveTotals>> now) {}

        /**
         * Announces that this process is ready and warm, and waits for the start.
         *
         * @return the job to run
         * @throws IOException if the run will not start; the message is one clear line
         */
        Job await(Job job) throws IOException;

        /** How far the common clock is ahead of this process's, as known from {@link #await} on. */
        default Duration correction() {
            return Duration.ZERO;
        }

        /**
         * Called just before the run starts. Its counts can be read from any thread.
         *
         * @param shown the live display, if any
         * @return the sum to display if this process leads others, in which case {@code shown} receives the sum's
         *     intervals
         */
        default Optional<Together> begun(LoadRun run, RunCounts counted, Optional<Progress> shown) {
            return Optional.empty();
        }

        /** Called when the run has ended; returns the result to report. */
        default RunResult ended(RunResult result) {
            return result;
        }
    }
}
