package dev.downbeat.junit;

import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Host;
import dev.downbeat.load.Beat;
import dev.downbeat.load.Load;
import dev.downbeat.load.LoadException;
import dev.downbeat.load.Measured;
import dev.downbeat.load.Verdict;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.file.EntryPoint;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.caveat.RunDefect;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** One load test: measures until there is a decision, saves the results and prints them. Use once. */
final class LoadTestRun {
    private static final String AGAINST = "downbeat.against";
    private static final int MOST_TURNS = 100;

    private final LoadTestSettings settings;
    private final TestName name;
    private final RepeatedCall code;
    private final Optional<Against> against;
    private final WatchSettings watches;
    private final ExtensionContext context;
    private final Machine machine;
    private final RepeatedRuns runs;
    private long measurements;

    LoadTestRun(
            LoadTestSettings settings,
            TestName name,
            RepeatedCall code,
            Optional<Against> against,
            WatchSettings watches,
            ExtensionContext context,
            Machine machine) {
        this.settings = settings;
        this.name = name;
        this.code = code;
        this.against = against;
        this.watches = watches;
        this.context = context;
        this.machine = machine;
        runs = new RepeatedRuns(
                settings.duration(),
                settings.warmUp(),
                settings.budget(),
                time -> observe(watches.on(settings.load(time))));
    }

    /** Throws unless every objective was met and no comparison is confidently slower. */
    void decide() {
        Reports reports = new Reports(context, name);
        Optional<Baseline> baseline = baseline();
        against.ifPresent(other -> code.calls(OtherBuild.own(other)));
        Optional<OtherBuild> build = otherBuild();
        Machine.Observation observed;
        Measured measured;
        List<ComparisonResult> findings = new ArrayList<>();
        boolean interrupted;
        ConcurrentLoadTests others = ConcurrentLoadTests.begin();
        boolean ranAlone;
        try {
            code.measuredBy(Thread.currentThread());
            observed = runs.last();
            measured = observed.measured();
            endIfAborted();
            interrupted = Thread.interrupted()
                    || RepeatedRuns.isInterrupted(measured); // cleared, or what follows would be cut short
            if (build.isPresent() && !interrupted) {
                findings.add(compareWith(against.orElseThrow(), build.get()));
                interrupted = Thread.interrupted();
            }
        } finally {
            ranAlone = !others.end();
            code.measuredBy(null);
            build.ifPresent(OtherBuild::close);
        }
        endIfAborted(); // also by a call still running when the measurement ended
        String report = saved(reports, measured, findings);
        if (code.forgotAnswer()) {
            throw new ExtensionConfigurationException("@LoadTest " + name.shown() + ": the method " + Answer.FORGOTTEN);
        }
        if (baseline.isPresent()) {
            ComparisonResult found = finding(baseline.get(), observed, !interrupted);
            boolean isMissing = settings.isBaselineRequired() && !found.isCompared();
            findings.add(isMissing ? new ComparisonResult(true, false, found.sentence()) : found);
            boolean isRead = !settings.replacesBaseline()
                    && !settings.addsBaseline()
                    && baseline.get().missingReason().isEmpty();
            if (isRead
                    && observed.isCrowded()
                    && !isUndecided(observed, findings)) { // whose line begins with these words
                int last = findings.size() - 1;
                findings.set(last, findings.get(last).with(observed.words()));
            }
        }
        try {
            end(observed, findings, sentence(observed, findings, ranAlone, report), reports);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** As in any test, a failed assumption is neither a failure nor a failed request. */
    private void endIfAborted() {
        code.aborted().ifPresent(notHere -> {
            Thread.interrupted(); // interrupted by the aborted call
            print("ABORTED", name.shown() + ": " + notHere.getMessage());
            throw notHere;
        });
    }

    /** The location of the report; a test whose report cannot be saved fails, after its verdict was printed. */
    private static String saved(Reports reports, Measured measured, List<ComparisonResult> findings) {
        try {
            return "; report: " + reports.save(measured);
        } catch (IOException | LoadException failed) {
            findings.add(new ComparisonResult(true, false, "the report was not saved: " + failed.getMessage()));
            return "";
        }
    }

    /** Begins with what fails the test besides its objectives. */
    private String sentence(
            Machine.Observation observed, List<ComparisonResult> findings, boolean ranAlone, String report) {
        Measured measured = observed.measured();
        StringBuilder sentence = new StringBuilder();
        findings.stream()
                .filter(ComparisonResult::failsTest)
                .forEach(found -> sentence.append(found.sentence()).append("; "));
        sentence.append(measured.sentence());
        if (!ranAlone) {
            sentence.append(
                    "; another JVM ran a load test on this machine at the same time: each measured the other's load,"
                            + " too");
        }
        ReportAccess.of(measured).verdict().caveats().stream()
                .filter(found -> found instanceof RunDefect.WorkLeftBehind left && !left.isCertain())
                .forEach(found -> sentence.append("; ").append(found.text()));
        if (RepeatedRuns.isExcused(observed)) {
            sentence.append("; other processes may have caused the miss");
        }
        if (runs.repeats() > 0) {
            sentence.append("; measured ")
                    .append(runs.repeats() + 1)
                    .append(" times because other processes used the CPU");
        }
        runs.unaffordable()
                .ifPresent(next -> sentence.append("; not measured again: the budget of ")
                        .append(DurationText.format(settings.budget().toNanos()))
                        .append(" has no ")
                        .append(DurationText.format(next.toNanos()))
                        .append(" left"));
        if (ReportAccess.of(measured).verdict().isUnsoundInTimesAlone()) {
            sentence.append("; no @Slo limits times");
        }
        ReportAccess.of(measured).why().watched().stream()
                .filter(other -> other.toNanos() == other.fromNanos())
                .forEach(other -> sentence.append("; not watched: ").append(WatchSettings.words(other)));
        boolean isOtherNamed = System.getProperty(AGAINST) != null;
        if (against.isPresent() != isOtherNamed) {
            sentence.append(
                    isOtherNamed
                            ? "; not compared with another build: the test has no @Against"
                            : "; no other build given: add -D" + AGAINST + "=URL, a jar or git:BRANCH");
        }
        findings.stream()
                .filter(found -> !found.failsTest())
                .forEach(found -> sentence.append("; ").append(found.sentence()));
        return sentence.append(report).toString();
    }

    private Optional<OtherBuild> otherBuild() {
        if (against.isEmpty()) {
            return Optional.empty();
        }
        int turns = against.get().turns();
        if (turns < Comparison.LEAST_TURNS || turns > MOST_TURNS) {
            throw new ExtensionConfigurationException("@LoadTest " + name.shown() + ": @Against: turns must be from "
                    + Comparison.LEAST_TURNS + " to " + MOST_TURNS + ", but were " + turns);
        }
        // also without another build: its first user should not be the one who finds the mistake
        OtherBuild.startNanos(against.get());
        String named = System.getProperty(AGAINST);
        if (named == null) {
            return Optional.empty();
        }
        return Optional.of(OtherBuild.open(named, against.get()));
    }

    private ComparisonResult compareWith(Against other, OtherBuild build) {
        URI own = OtherBuild.own(other);
        int most = (int) Math.min(
                MOST_TURNS,
                settings.budget().toNanos() / settings.turnLength(other.turns()).toNanos());
        return AlternatingRuns.compare(
                own, build.service(), other.turns(), most, settings.slowerAtMost(), (service, turn) -> {
                    code.calls(service);
                    return observe(settings.slice(turn, other.turns()));
                });
    }

    /** Read before the measurement: a corrupt baseline, or a missing required one, ends the test at once. */
    private Optional<Baseline> baseline() {
        if (settings.isBaselineOff()) {
            return Optional.empty();
        }
        Path folder = Path.of(System.getProperty("downbeat.baselines", "src/test/downbeat"));
        Host host = Host.of(MachineProfile.measure());
        if (settings.replacesBaseline()) {
            return Optional.of(Baseline.toReplace(folder, name, host));
        }
        Baseline baseline = new Baseline(folder, name, host);
        if (settings.isBaselineRequired() && !baseline.missingReason().isEmpty()) {
            throw new ExtensionConfigurationException(
                    "@LoadTest " + name.shown() + ": a baseline is required: " + baseline.missingReason());
        }
        return Optional.of(baseline);
    }

    /** Only a good, complete run becomes a baseline: a partial run may be good but is not comparable to whole ones. */
    private ComparisonResult finding(Baseline baseline, Machine.Observation observed, boolean isComplete) {
        Measured measured = observed.measured();
        if (settings.replacesBaseline() || settings.addsBaseline()) {
            if (!isComplete || measured.verdict() != Verdict.MET || !measured.isSound()) {
                return ComparisonResult.notCompared(
                        "the baseline", "it was not written: a baseline must be complete, met and sound");
            }
            try {
                baseline.makeFolder();
                if (observed.isCrowded()) {
                    return ComparisonResult.notCompared("the baseline", "it was not written: " + observed.words());
                }
                return new ComparisonResult(
                        false, false, settings.addsBaseline() ? baseline.add(measured) : baseline.update(measured));
            } catch (IOException failed) {
                return new ComparisonResult(true, false, "the baseline was not written: " + failed);
            }
        }
        return baseline.against(observed, settings.slowerAtMost());
    }

    private void end(Machine.Observation observed, List<ComparisonResult> findings, String sentence, Reports reports) {
        Measured measured = observed.measured();
        if (RepeatedRuns.isInterrupted(measured)) {
            fail("INTERRUPTED", sentence, sentence, measured);
        }
        boolean isUndecided = isUndecided(observed, findings);
        int inARow = reports.undecidedInARow(isUndecided);
        if (isFailed(observed, findings)) {
            fail("FAILED", sentence, sentence, measured);
        }
        if (isUndecided) {
            undecided(observed, inARow, sentence);
            return;
        }
        print("PASSED", sentence);
        context.publishReportEntry("downbeat", sentence);
    }

    private static boolean isFailed(Machine.Observation observed, List<ComparisonResult> findings) {
        Measured measured = observed.measured();
        return (measured.verdict() == Verdict.MISSED && !RepeatedRuns.isExcused(observed))
                || findings.stream().anyMatch(ComparisonResult::failsTest)
                || RepeatedRuns.leavesWork(measured);
    }

    /** Whether the objectives decide nothing, and nothing else fails the test. */
    private static boolean isUndecided(Machine.Observation observed, List<ComparisonResult> findings) {
        Measured measured = observed.measured();
        return !RepeatedRuns.isInterrupted(measured)
                && (RepeatedRuns.isOpen(measured) || RepeatedRuns.isExcused(observed))
                && !isFailed(observed, findings);
    }

    /**
     * A busy machine is no failure by default: a gate that fails for that is soon disabled. On an idle machine it fails,
     * since an objective that cannot be shown must be corrected.
     */
    private void undecided(Machine.Observation observed, int inARow, String sentence) {
        String times = inARow > 1 ? ", " + UndecidedPolicy.inWords(inARow) : "";
        String others = observed.isCrowded() ? observed.words() + ": " : "";
        String why = times + (others.isEmpty() ? ": " : ", " + others);
        if (settings.isUndecidedAborted()) {
            print("UNDECIDED", others + sentence);
            throw new TestAbortedException("UNDECIDED" + why + sentence);
        }
        if (!settings.passesUndecided(observed.isCrowded(), inARow)) {
            fail("UNDECIDED", others + sentence, "UNDECIDED" + why + sentence, observed.measured());
        }
        print("UNDECIDED", "passes" + why + sentence);
        context.publishReportEntry("downbeat", "UNDECIDED" + why + sentence);
    }

    private void fail(String word, String line, String message, Measured measured) {
        print(word, line);
        throw new AssertionFailedError(message, measured.firstFailure().orElse(null));
    }

    /** Also prints for successful builds, so that the log shows what was measured. */
    @SuppressWarnings("SystemOut") // the console is the usual place for build output
    private void print(String word, String sentence) {
        System.out.println(
                "[downbeat] " + String.format(Locale.ROOT, "%s (%s) ", word, settings.words(runs.length())) + sentence);
    }

    private Machine.Observation observe(Load load) {
        return machine.observe(watches.processes(), () -> run(load));
    }

    /** The service may know the ids of an earlier measurement, so indexes go on. */
    private Measured run(Load load) {
        long firstIndex = measurements++ * LoadRun.INDEXES;
        Measured measured = code.isAsync()
                ? load.runAsync(beat -> code.begin(later(beat, firstIndex)))
                : load.run(beat -> code.call(later(beat, firstIndex)));
        return (Measured) ((ReportAccess) measured)
                .with(ReportAccess.of(measured)
                        .from(name.command(), EntryPoint.LOAD_TEST.measurement(name.measured())));
    }

    private static Beat later(Beat beat, long firstIndex) {
        return Beat.of(firstIndex + beat.index(), beat.client());
    }
}
