package dev.downbeat.analysis;

import dev.downbeat.event.Incident;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Evidence;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.Steadiness;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A run and everything concluded from it, computed once. Reports, files, gates and exit codes all read this object;
 * none judges the run again. Immutable and thread-safe.
 */
public final class Analysis {
    private final Observations seen;
    private final Wishes wishes;
    private final RunVerdict verdict;
    private final List<Finding> findings;
    private final RunOutcome outcome;

    private Analysis(Observations seen, Wishes wishes, RunVerdict verdict, List<Finding> findings, RunOutcome outcome) {
        this.seen = seen;
        this.wishes = wishes;
        this.verdict = verdict;
        this.findings = List.copyOf(findings);
        this.outcome = outcome;
    }

    /** Analyses a run that has no warm-up. */
    public static Analysis of(RunResult result, Wishes wishes) {
        Observations seen = Observations.of(result);
        return of(seen, wishes, RunVerdict.of(seen, wishes.objectives(), wishes.rigour()));
    }

    /**
     * Analyses a run that was examined while it was running.
     *
     * @param evidence of all interim looks together
     */
    public static Analysis of(RunResult result, Wishes wishes, Evidence evidence) {
        Observations seen = Observations.of(result);
        return of(seen, wishes, RunVerdict.of(seen, wishes.objectives(), wishes.rigour(), evidence));
    }

    private static Analysis of(Observations seen, Wishes wishes, RunVerdict verdict) {
        List<Finding> findings = Findings.of(seen, verdict);
        return new Analysis(seen, wishes, verdict, findings, RunOutcome.of(verdict, findings, wishes));
    }

    /** Restores the analysis of a saved run with the findings saved then. Nothing is judged again. */
    public static Analysis saved(
            RunResult result, Wishes wishes, RunVerdict verdict, List<Finding> findings, RunOutcome outcome) {
        return new Analysis(Observations.of(result), wishes, verdict, findings, outcome);
    }

    /** Restores a run saved by an older version, which kept verdicts but no findings. */
    public static Analysis judged(RunResult result, Wishes wishes, RunVerdict verdict) {
        return of(Observations.of(result), wishes, verdict);
    }

    /** The run itself. */
    public RunResult result() {
        return seen.result();
    }

    /** What the user wanted to know. */
    public Wishes wishes() {
        return wishes;
    }

    /** Everything derived from the run before judging, also for each request name. */
    public Observations seen() {
        return seen;
    }

    /** Bounds of the response times. */
    public ResponseBounds response() {
        return seen.response();
    }

    /** Bounds of the service times. */
    public ResponseBounds service() {
        return seen.service();
    }

    /** 95 % confidence intervals of the response times. */
    public ResponseIntervals intervals() {
        return seen.intervals();
    }

    /** Whether the service was steady throughout; empty if the load was not steady or the run was too short to tell. */
    public Optional<Steadiness> steadiness() {
        return seen.steadiness();
    }

    /** Stalls, slow spells, outages and pauses, in the order of time. */
    public List<Incident> events() {
        return seen.events();
    }

    /** The verdict on the measurement and the objectives. */
    public RunVerdict verdict() {
        return verdict;
    }

    /** What the run shows, most important first; at least one finding. */
    public List<Finding> findings() {
        return findings;
    }

    /** The most important finding. */
    public Finding first() {
        return findings.get(0);
    }

    /** The answer and tone, from which the exit code and the report's colour follow. */
    public RunOutcome outcome() {
        return outcome;
    }

    /** The percentile rows of a report. */
    public List<PercentileRow> rows() {
        return PercentileRow.of(seen, verdict.objectives());
    }

    /** The percentiles whose objectives are decided. They are shown even where requests are few. */
    public Set<Double> decided() {
        return PercentileRow.decided(verdict.objectives());
    }

    /** The same analysis, with undecided objectives treated as passed. */
    public Analysis accepting(boolean acceptUndecided) {
        Wishes accepted = new Wishes(wishes.objectives(), wishes.rigour(), acceptUndecided);
        return new Analysis(seen, accepted, verdict, findings, RunOutcome.of(verdict, findings, accepted));
    }

    /** The same analysis for a part of the recording, judged as the whole run was. */
    public Analysis of(RunResult part) {
        return new Analysis(Observations.of(part), wishes, verdict, findings, outcome);
    }
}
