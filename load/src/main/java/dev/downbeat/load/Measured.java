package dev.downbeat.load;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.file.AtomicFile;
import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.report.file.RunPage;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunFacts;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The result of a load: times, the fate of each request, and the verdict.
 *
 * <p>{@link #p}, {@link #mean} and {@link #max} are response times: what callers waited, from the intended start of
 * each answered request. One that timed out or did not end counts with its duration so far, so a percentile that such
 * requests affect is a lower bound ({@link #isLowerBound(double)}). A failed request has no response time: it counts in
 * {@link #errorShare}, and its time in {@link #failedTimes}.
 *
 * <p>Every intended request has exactly one fate: {@link #planned} is the sum of {@link #answered}, {@link #failed},
 * {@link #timedOut}, {@link #inFlight} and {@link #neverSent}.
 *
 * <p>Immutable, thread-safe. A null argument throws a {@link NullPointerException}.
 */
public abstract sealed class Measured {
    private static final double NANOS_PER_SECOND = 1e9;

    final RunReport report;
    private final Optional<Throwable> firstFailure;

    /** Times so far of the requests that the next take returns. */
    final Distribution stillOpen;

    private Measured(RunReport report, Optional<Throwable> firstFailure, Distribution stillOpen) {
        this.report = Objects.requireNonNull(report, "report");
        this.firstFailure = Objects.requireNonNull(firstFailure, "firstFailure");
        this.stillOpen = stillOpen;
    }

    private RunResult result() {
        return report.result();
    }

    private Ledger ledger() {
        return result().ledger();
    }

    /** The name given by {@link Load#named} or {@link LiveRecorder}. */
    public String name() {
        return result().target();
    }

    /**
     * A percentile of the response time; failed requests have none.
     *
     * @param percentile from 0 to 100, such as 99 or 99.9, not 0.99
     * @return empty if there are too few requests for it: p99 needs 500
     * @throws IllegalArgumentException if {@code percentile} is out of range
     */
    public Optional<Duration> p(double percentile) {
        return response().p(percentile);
    }

    /**
     * The mean response time; failed requests have none.
     *
     * @throws LoadException if no request was measured
     */
    public Duration mean() {
        return response().mean();
    }

    /**
     * The longest response time; failed requests have none.
     *
     * @throws LoadException if no request was measured
     */
    public Duration max() {
        return response().max();
    }

    /**
     * Whether {@link #p} is only a lower bound at this percentile.
     *
     * @param percentile from 0 to 100
     * @throws IllegalArgumentException if {@code percentile} is out of range
     */
    public boolean isLowerBound(double percentile) {
        return !result().recording().isKnownAt(percentile);
    }

    /**
     * Whether {@link #p} of {@link #response(String)} is only a lower bound at this percentile.
     *
     * @param request one of {@link #names}, as in {@link #response(String)}
     * @param percentile from 0 to 100
     * @throws IllegalArgumentException if {@code percentile} is out of range, or a load has no such request
     */
    public boolean isLowerBound(String request, double percentile) {
        return !named(request).isKnownAt(percentile);
    }

    /**
     * Response times of answered requests, from the intended start, and of those that timed out or did not end, with their
     * time so far. Failed requests are not among them.
     */
    public Times response() {
        return new Times(result().recording().responseAtLeast());
    }

    /**
     * {@link #response()} without the open requests of a live recorder. The next {@link LiveRecorder#take} returns
     * those, so a sum over several takes counts each request once.
     */
    public Times ended() {
        return new Times(result().recording().responseAtLeast().since(stillOpen));
    }

    /**
     * {@link #response()} of the requests of one name.
     *
     * @param request one of {@link #names}; of a live service or generator, a name that did not occur has no times
     * @throws IllegalArgumentException if a load has no such request
     */
    public Times response(String request) {
        return new Times(named(request).responseAtLeast());
    }

    private Recording named(String request) {
        Objects.requireNonNull(request, "request");
        boolean isLive = result().plan().workload() instanceof Workload.External;
        if (!isLive && !names().contains(request)) {
            throw new IllegalArgumentException(ServiceLevelObjective.Named.unknown(request, names()));
        }
        return result().recording().named(request);
    }

    /**
     * The names of requests, each a row of the report: those of a file, or of {@link Request#named}. Whole sessions,
     * groups and further names have rows in parentheses.
     *
     * @return in the order of the report, unmodifiable; empty if requests have no names
     */
    public Set<String> names() {
        return Collections.unmodifiableSet(result().recording().byName().keySet());
    }

    /** Times of failed requests until their failure, from the intended start. */
    public Times failedTimes() {
        return new Times(result().recording().failed());
    }

    /** Service times of answered requests, from sending: what a closed-loop tool would report. */
    public Times service() {
        return new Times(result().recording().service());
    }

    /** When the run, or what a {@link LiveRecorder} returns, began: the earliest intended start. */
    public Instant startedAt() {
        return result().span().started();
    }

    /** The time from {@link #startedAt} until the last request ended or timed out. */
    public Duration length() {
        return Duration.ofNanos(result().durationNanos());
    }

    /** Whether the load ran to its end: it was not interrupted or decided early, and its target did not break. */
    public boolean isComplete() {
        return result().isComplete();
    }

    /** Answered requests per second, from the start of the run until the last request ended; 0 if there were none. */
    public double answeredPerSecond() {
        long nanos = result().durationNanos();
        return nanos == 0 ? 0 : answered() * NANOS_PER_SECOND / nanos;
    }

    /** The fraction of planned requests that failed or timed out, from 0 to 1; 0 if none was planned. */
    public double errorShare() {
        return planned() == 0 ? 0 : (double) (failed() + timedOut()) / planned();
    }

    /** The number of scheduled requests. */
    public long planned() {
        return ledger().planned();
    }

    /** The number of answered requests. */
    public long answered() {
        return ledger().answered();
    }

    /** The number of failed requests; see {@link #failures} for the reasons. */
    public long failed() {
        return ledger().failed();
    }

    /** The number of requests that timed out. */
    public long timedOut() {
        return ledger().timedOut();
    }

    /** The number of requests in flight when the run ended. */
    public long inFlight() {
        return ledger().inFlight();
    }

    /** The number of requests that were due but not sent before the run ended. */
    public long neverSent() {
        return ledger().neverSent();
    }

    /** Counts of failures by reason, such as the name of the exception; unmodifiable. */
    public Map<String, Long> failures() {
        return Map.copyOf(result().recording().failures());
    }

    /** The first exception among the failed requests, if any, for its stack trace. */
    public Optional<Throwable> firstFailure() {
        return firstFailure;
    }

    /**
     * Whether the times can be trusted: there are no {@link #doubts}. High percentiles may still include delays of this process;
     * {@link #text} shows how much.
     */
    public boolean isSound() {
        return report.verdict().hasSoundTimes();
    }

    /** The reasons not to trust the times, one line each, the most serious first; empty if {@link #isSound}. */
    public List<String> doubts() {
        return report.verdict().doubtsOfTimes().stream().map(Caveat::text).toList();
    }

    /** The verdict on the objectives. */
    public Verdict verdict() {
        return Verdict.of(report.analysis());
    }

    /**
     * The same measurement, judged by these objectives; {@code errors<1%} is added unless the errors or the rate have a
     * limit.
     *
     * @param objectives such as {@code p99<50ms}, as in {@link Load#objectives}
     * @throws IllegalArgumentException with one line that names the accepted forms
     */
    public Measured judgedBy(String... objectives) {
        return judgedBy(ServiceLevelObjective.withDefaults(Objective.slos(objectives)));
    }

    /**
     * The same measurement, judged by these objectives; {@code errors<1%} is added unless the errors or the rate have a
     * limit.
     */
    public Measured judgedBy(Objective first, Objective... more) {
        return judgedBy(ServiceLevelObjective.withDefaults(Objective.slos(first, more)));
    }

    private Measured judgedBy(List<ServiceLevelObjective> objectives) {
        return new Measured.OfRun(report.judgedBy(objectives), firstFailure, stillOpen);
    }

    /** The result in one sentence: whether it is partial, the objectives, the worst first, and whether it can be trusted. */
    public String sentence() {
        return new Sentence(report).text();
    }

    /**
     * Throws unless the times can be trusted.
     *
     * @return this
     * @throws AssertionError with {@link #sentence} unless {@link #isSound}
     */
    public Measured throwIfUnsound() {
        return isSound() ? this : fail();
    }

    /**
     * Throws unless every objective was met, even with all delays of this process included, by a load that was not cut off.
     *
     * @return this
     * @throws AssertionError with {@link #sentence} unless {@link #verdict} is {@link Verdict#MET}, or if the load was
     *     interrupted or its target broke
     */
    public Measured throwUnlessMet() {
        return verdict() == Verdict.MET && !result().isCutShort() ? this : fail();
    }

    private Measured fail() {
        throw new AssertionError(sentence(), firstFailure.orElse(null));
    }

    /** The report as the command line shows it with {@code -v}: several lines. */
    public String text() {
        return SavedText.of(out -> RunView.on(Renderer.TEXT).write(report, out));
    }

    /**
     * Saves the report in the format of the file extension. {@code .txt}, {@code .md} and {@code .html} are for
     * readers, {@code .json} and {@code .csv} for programs, and {@code .xml} (JUnit) for build servers. The command
     * line compares {@code .hlog} and {@code .downbeat}, and merges {@code .downbeat}.
     *
     * @param file created or replaced; a missing folder is created
     * @throws IllegalArgumentException if the extension is not one of these
     * @throws LoadException if the file cannot be written
     */
    public void save(Path file) {
        SavedText.save(file, content(file));
    }

    private AtomicFile.Content content(Path file) {
        return switch (SavedText.extension(file)) {
            case ".downbeat" -> out -> RunFile.write(report, out);
            case ".txt" -> in(RunView.on(Renderer.TEXT));
            case ".html" -> in(new RunPage());
            case ".json" -> in(RunView.on(Renderer.JSON));
            case ".md" -> in(RunView.on(Renderer.MARKDOWN));
            case ".csv" -> in(new CsvReport());
            case ".xml" -> in(RunView.on(Renderer.JUNIT));
            case ".hlog" -> in(new HistogramLogFile());
            default -> throw SavedText.refused(file, ".txt, .html, .json, .md, .csv, .xml, .hlog or .downbeat");
        };
    }

    private AtomicFile.Content in(ReportFormat format) {
        return SavedText.utf8(out -> format.write(report, out));
    }

    /** The only implementation, backed by a report, whose type is not part of the stable API. */
    static final class OfRun extends Measured implements ReportAccess {
        OfRun(RunReport report, Optional<Throwable> firstFailure) {
            this(report, firstFailure, Distribution.empty());
        }

        OfRun(RunReport report, Optional<Throwable> firstFailure, Distribution stillOpen) {
            super(report, firstFailure, stillOpen);
        }

        @Override
        public OfRun with(RunReport other) {
            return new OfRun(other, firstFailure(), stillOpen);
        }

        @Override
        public RunReport report() {
            return report;
        }
    }

    /** The {@link #sentence}. */
    @Override
    public String toString() {
        return sentence();
    }

    /** Formats a verdict as one sentence. */
    private static final class Sentence {
        private final RunReport report;

        Sentence(RunReport report) {
            this.report = report;
        }

        String text() {
            List<String> parts = new ArrayList<>();
            String partial = new RunFacts(report).partial();
            if (!partial.isEmpty()) {
                parts.add(partial);
            }
            report.verdict().objectives().stream()
                    .sorted(Comparator.comparingInt(objective -> rank(objective.status())))
                    .map(this::objective)
                    .forEach(parts::add);
            report.why().line().ifPresent(line -> parts.add("why: " + line));
            parts.add("over " + Numbers.count(report.result().ledger().planned(), "request"));
            parts.add(measurement());
            return report.result().target() + ": " + String.join("; ", parts);
        }

        private static int rank(JudgedObjective.Status status) {
            return switch (status) {
                case MISSED -> 0;
                case UNDECIDED -> 1;
                case MET -> 2;
            };
        }

        private String objective(JudgedObjective objective) {
            ServiceLevelObjective slo = objective.slo();
            boolean needsInterval = objective.isDecided()
                    && !objective.isUnsure()
                    && !report.verdict().rigour().isSure();
            String interval = needsInterval ? interval(slo) : ""; // else the reason says it
            boolean isMissed = objective.status() == JudgedObjective.Status.MISSED;
            String word = isMissed ? "MISSED" : objective.status().word();
            String mainError = isMissed ? mainError(slo) : "";
            return slo.subject() + " " + slo.limit() + " " + word + ": " + objective.reason() + mainError + interval;
        }

        /** A missed objective of errors has named the most frequent reason. */
        private String doubt(Caveat caveat) {
            Recording all = report.result().recording();
            boolean isReasonNamed = report.verdict().objectives().stream()
                    .anyMatch(objective -> objective.status() == JudgedObjective.Status.MISSED
                            && objective.slo() instanceof ServiceLevelObjective.Errors);
            boolean isOfFailures = !isMostlyTimeouts(all) && all.usualFailure().isPresent();
            return caveat instanceof RunDefect.NothingAnswered none && isReasonNamed && isOfFailures
                    ? none.withoutReason().text()
                    : caveat.text();
        }

        private static boolean isMostlyTimeouts(Recording of) {
            return of.ledger().timedOut() > of.ledger().failed();
        }

        /** What most errors are, for an objective of errors. */
        private String mainError(ServiceLevelObjective slo) {
            if (slo instanceof ServiceLevelObjective.Named named) {
                return mainError(named.slo(), report.result().recording().named(named.name()));
            }
            return mainError(slo, report.result().recording());
        }

        private static String mainError(ServiceLevelObjective slo, Recording of) {
            if (!(slo instanceof ServiceLevelObjective.Errors)) {
                return "";
            }
            return isMostlyTimeouts(of)
                    ? ", mostly timeouts"
                    : of.usualFailure().map(reason -> ", mostly " + reason).orElse("");
        }

        private String interval(ServiceLevelObjective slo) {
            if (!(slo instanceof ServiceLevelObjective.Percentile of) || of.percentile() >= 100) {
                return "";
            }
            Observations observations = report.analysis().observations();
            Optional<QuantileInterval> interval = observations
                    .interval(of.percentile())
                    .filter(known -> known.lowNanos().isPresent());
            return interval.map(Sentence::between)
                    .orElseGet(() -> " (no interval: " + observations.whyNoInterval(of.percentile()) + ")");
        }

        private static String between(QuantileInterval interval) {
            String low = DurationText.rounded(interval.lowNanos().getAsLong());
            return interval.isBounded()
                    ? " (95 % CI " + low + " to "
                            + DurationText.rounded(interval.highNanos().getAsLong()) + ")"
                    : " (95 % CI above " + low + ")";
        }

        private String measurement() {
            RunVerdict verdict = report.verdict();
            boolean isSoundElsewhere = verdict.measurement() != RunVerdict.Soundness.UNSOUND;
            String why = verdict.doubtsOfTimes().stream()
                    .findFirst()
                    .map(this::doubt)
                    .orElse("");
            return "the measurement is " + verdict.measurementInWords()
                    + (isSoundElsewhere && !verdict.hasSoundTimes() ? ", not for times" : "")
                    + (why.isEmpty() ? "" : ": " + why);
        }
    }
}
