package dev.downbeat.analysis;

import dev.downbeat.event.Incident;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Evidence;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.Steadiness;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * A run and everything concluded from it, computed once. Reports, files, gates and exit codes all read this object;
 * none judges the run again. Immutable and thread-safe.
 */
public final class Analysis {
    private final Observations observations;
    private final Criteria criteria;
    private final RunVerdict verdict;
    private final List<Finding> findings;
    private final RunOutcome outcome;

    private Analysis(
            Observations observations,
            Criteria criteria,
            RunVerdict verdict,
            List<Finding> findings,
            RunOutcome outcome) {
        this.observations = observations;
        this.criteria = criteria;
        this.verdict = verdict;
        this.findings = List.copyOf(findings);
        this.outcome = outcome;
    }

    /** Analyses a run that has no warm-up. */
    public static Analysis of(RunResult result, Criteria criteria) {
        Observations observations = Observations.of(result);
        return of(observations, criteria, RunVerdict.of(observations, criteria.objectives(), criteria.rigour()));
    }

    /**
     * Analyses a run that was examined while it was running.
     *
     * @param evidence the evidence of all interim looks together
     */
    public static Analysis of(RunResult result, Criteria criteria, Evidence evidence) {
        Observations observations = Observations.of(result);
        return of(
                observations,
                criteria,
                RunVerdict.of(observations, criteria.objectives(), criteria.rigour(), evidence));
    }

    private static Analysis of(Observations observations, Criteria criteria, RunVerdict verdict) {
        List<Finding> findings = Findings.of(observations, verdict);
        return new Analysis(observations, criteria, verdict, findings, RunOutcome.of(verdict, findings, criteria));
    }

    /** Restores the analysis of a saved run with the findings saved then. Nothing is judged again. */
    public static Analysis saved(
            Observations observations,
            Criteria criteria,
            RunVerdict verdict,
            List<Finding> findings,
            RunOutcome outcome) {
        return new Analysis(observations, criteria, verdict, findings, outcome);
    }

    /** Restores a run saved by an older version, which kept verdicts but no findings. */
    public static Analysis judged(RunResult result, Criteria criteria, RunVerdict verdict) {
        return of(Observations.of(result), criteria, verdict);
    }

    public RunResult result() {
        return observations.result();
    }

    /** Everything derived from the run before judging, also for each request name. */
    public Observations observations() {
        return observations;
    }

    public ResponseBounds response() {
        return observations.response();
    }

    public ResponseBounds service() {
        return observations.service();
    }

    /** 95 % confidence intervals of the response times. */
    public ResponseIntervals intervals() {
        return observations.intervals();
    }

    /** Whether the service was steady throughout; empty if the load was not steady or the run was too short to tell. */
    public Optional<Steadiness> steadiness() {
        return observations.steadiness();
    }

    /** Stalls, slow spells, outages and pauses, in the order of time. */
    public List<Incident> events() {
        return observations.events();
    }

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

    /**
     * Whether a missed objective on times would clearly be missed without the requests that a finding affected, so that
     * the finding is not the cause. Pauses of Downbeat are never the cause where its delays are known, since these are
     * subtracted.
     *
     * @param finding one of this run
     * @param missed one of its missed objectives
     */
    public boolean isMissedWithout(Finding finding, JudgedObjective missed) {
        boolean isSubtracted = finding.kind() == Finding.Kind.OWN_PAUSE
                && missed.slo().isOfTimes()
                && result().recording().times().isOwnDelayKnown();
        return isSubtracted || new Unaffected(observations, finding).misses(missed.slo());
    }

    /** The answer and tone, from which the exit code and the report's colour follow. */
    public RunOutcome outcome() {
        return outcome;
    }

    /** The outcome of several runs. One without an answer is missed, or undecided if nothing was planned. */
    public static RunOutcome outcomeOf(List<Analysis> runs) {
        List<RunOutcome.Conclusion> answers =
                runs.stream().map(run -> run.outcome.answer()).distinct().toList();
        if (answers.equals(List.of(RunOutcome.Conclusion.NOTHING))) {
            return new RunOutcome(RunOutcome.Conclusion.NOTHING, Finding.Tone.BAD);
        }
        boolean isMissed = runs.stream()
                .anyMatch(run -> run.outcome.answer() == RunOutcome.Conclusion.MISSED
                        || (run.outcome.answer() == RunOutcome.Conclusion.NOTHING
                                && !run.result().wasNothingDue()));
        if (isMissed) {
            return new RunOutcome(RunOutcome.Conclusion.MISSED, Finding.Tone.BAD);
        }
        return answers.equals(List.of(RunOutcome.Conclusion.MET))
                ? new RunOutcome(RunOutcome.Conclusion.MET, Finding.Tone.GOOD)
                : new RunOutcome(RunOutcome.Conclusion.UNDECIDED, Finding.Tone.OPEN);
    }

    /** The percentile rows of a report. */
    public List<PercentileRow> rows() {
        return PercentileRow.of(observations, verdict.objectives());
    }

    /** The percentiles whose objectives are decided. They are shown even where requests are few. */
    public Set<Double> decided() {
        return JudgedObjective.decided(verdict.objectives());
    }

    /** The same analysis, with undecided objectives treated as passed. */
    public Analysis accepting(boolean acceptUndecided) {
        Criteria accepted = new Criteria(criteria.objectives(), criteria.rigour(), acceptUndecided);
        return new Analysis(observations, accepted, verdict, findings, RunOutcome.of(verdict, findings, accepted));
    }

    /** The same analysis for a part of the recording, judged as the whole run was. */
    public Analysis of(RunResult part) {
        return new Analysis(Observations.of(part), criteria, verdict, findings, outcome);
    }

    /** Collects the findings of a run, one method per kind. {@link Finding.Kind} decides which of them leads. */
    private static final class Findings {
        /** The least share of the tail at which events of one kind become the headline. */
        private static final double MOST_OF_THE_TAIL = 0.5;

        /** Events with a smaller share of the tail are not counted among several. */
        private static final double LEAST_OF_THE_TAIL = 0.02;

        /** Events are alike if the ratio of their slowest requests is at least this. */
        private static final double ALIKE = 0.8;

        /** A smaller share of failures is reported in the details but not as the headline. */
        private static final double NOTABLE_FAILURES = 0.01;

        /** A request name fails if at least this share of its requests does. */
        private static final double MOST_OF_NAME = 0.5;

        /** Fewer failures of one name may coincide by chance. */
        private static final int LEAST_OF_NAME = 10;

        /** Failures belong to an event if at least this share of them occurred during it. */
        private static final double LEAST_SHARE_DURING_EVENT = 0.8;

        private final Observations observations;
        private final RunResult result;
        private final Ledger ledger;
        private final RunVerdict verdict;
        private final List<Finding> all = new ArrayList<>();

        private Findings(Observations observations, RunVerdict verdict) {
            this.observations = observations;
            this.result = observations.result();
            this.ledger = result.ledger();
            this.verdict = verdict;
        }

        static List<Finding> of(Observations observations, RunVerdict verdict) {
            return new Findings(observations, verdict).all();
        }

        private List<Finding> all() {
            if (result.isNothing()) {
                return List.of(new Finding.NothingMeasured(result.whyNothing()));
            }
            record();
            load();
            failures();
            if (verdict.measurement() == RunVerdict.Soundness.UNSOUND || !verdict.hasSoundTimes()) {
                verdict.caveats().stream()
                        .filter(caveat -> caveat.severity() == Caveat.Severity.OURS)
                        .findFirst()
                        .ifPresent(cause -> all.add(new Finding.OwnDelay(cause)));
            }
            events();
            verdict.caveats().stream()
                    .filter(Unsteady.SlowSpell.class::isInstance)
                    .forEach(spell -> all.add(new Finding.SlowForAWhile((Unsteady.SlowSpell) spell)));
            observations
                    .change()
                    .filter(change -> change.isHeadline() && !mayBeOwnDelay(change))
                    .ifPresent(change -> all.add(new Finding.Changed(change)));
            objectives();
            all.sort(Comparator.comparing(Finding::kind));
            return all;
        }

        /** Whether Downbeat's own delays could have caused the change. */
        private boolean mayBeOwnDelay(Unsteady.NotSteady change) {
            double factor = Math.max(change.found().change(), 1 / change.found().change());
            double percentile = change.found().percentile();
            return observations.response().hasNotableOwnDelay(percentile)
                    && observations.response().withoutOwnDelayNanos(percentile) * factor
                            <= observations.response().atLeastNanos(percentile);
        }

        private void record() {
            for (Caveat caveat : verdict.caveats()) {
                if (caveat instanceof RunDefect flaw && flaw.breaksRecord()) {
                    all.add(new Finding.RecordBroken(flaw));
                } else if (caveat instanceof RunDefect.NothingAnswered none) {
                    boolean isUnreachable = ledger.failed() > 0
                            && result.recording().failedByService() == ledger.planned()
                            && result.recording().tallies().failedResponses() == 0;
                    all.add(new Finding.NothingAnswered(none.planned(), none.reached(), none.reason(), isUnreachable));
                }
            }
        }

        private void load() {
            for (Caveat caveat : verdict.caveats()) {
                if (caveat instanceof LoadCaveat.Overloaded overloaded) {
                    all.add(new Finding.Overloaded(overloaded));
                } else if (!(caveat instanceof RunDefect) && caveat.severity() == Caveat.Severity.INVALIDATES) {
                    all.add(new Finding.NotOffered(caveat));
                }
            }
        }

        private void failures() {
            boolean isTooMany = verdict.objectives().stream()
                    .anyMatch(objective ->
                            !objective.slo().isOfTimes() && objective.status() == JudgedObjective.Status.MISSED);
            long timedOut = isOfStalls() ? 0 : ledger.timedOut(); // stalls report their own timeouts
            long failed = result.recording().failedByService();
            if (isNotable(failed, Recording::failedByService)
                    || (isTooMany && failed > 0 && failed >= ledger.timedOut())) {
                String reason = result.recording().usualFailure().orElse("");
                all.add(new Finding.Failing(failed, ledger.planned(), reason, failurePeriods()));
                timedOut = ledger.timedOut(); // failures replace the findings about stalls
            }
            if (isNotable(timedOut, each -> each.ledger().timedOut()) || (isTooMany && timedOut > failed)) {
                all.add(new Finding.GaveUp(
                        timedOut, ledger.planned(), result.plan().timeoutNanos()));
            }
        }

        /** The periods in which requests failed, if they contain most failures. */
        private List<Incident> failurePeriods() {
            List<Incident> failurePeriods = observations.events().stream()
                    .filter(event ->
                            event.cause() == Incident.Cause.ERRORS || event.cause() == Incident.Cause.UNREACHABLE)
                    .toList();
            long during = during(failurePeriods, 0, Recording::failedByService);
            return during >= LEAST_SHARE_DURING_EVENT * result.recording().failedByService()
                    ? failurePeriods
                    : List.of();
        }

        /** Whether the count is a notable share of all requests, or most of the requests of one name. */
        private boolean isNotable(long count, ToLongFunction<Recording> kind) {
            return count > 0
                    && (count >= NOTABLE_FAILURES * ledger.planned()
                            || result.recording().byName().values().stream()
                                    .anyMatch(own -> kind.applyAsLong(own)
                                            >= Math.max(
                                                    LEAST_OF_NAME,
                                                    MOST_OF_NAME * own.ledger().planned())));
        }

        /** Whether most timeouts occurred during stalls or while their backlogs drained. */
        private boolean isOfStalls() {
            List<Incident> stalls = observations.events().stream()
                    .filter(event -> event.cause().isOfService())
                    .toList();
            return during(
                            stalls,
                            result.plan().timeoutNanos(),
                            each -> each.ledger().timedOut())
                    >= LEAST_SHARE_DURING_EVENT * ledger.timedOut();
        }

        /** Requests that ended in an interval affected by one of the events, or at most {@code laterNanos} after one. */
        private long during(List<Incident> events, long laterNanos, ToLongFunction<Recording> kind) {
            return result.intervals().stream()
                    .filter(interval -> events.stream()
                            .anyMatch(event -> interval.endNanos() > event.startNanos()
                                    && interval.startNanos()
                                            <= event.startNanos()
                                                    + event.lengthNanos()
                                                    + event.catchUpNanos()
                                                    + laterNanos))
                    .mapToLong(interval -> kind.applyAsLong(interval.recording()))
                    .sum();
        }

        /** Reports the events of the cause that accounts for most of the tail. */
        private void events() {
            Map<Incident.Cause, List<Incident>> byCause = observations.events().stream()
                    .filter(event -> event.cause() != Incident.Cause.OVERLOAD)
                    .collect(Collectors.groupingBy(
                            Incident::cause,
                            () -> new EnumMap<>(Incident.Cause.class),
                            Collectors.collectingAndThen(Collectors.toList(), Findings::notable)));
            Optional<Map.Entry<Incident.Cause, List<Incident>>> most = byCause.entrySet().stream()
                    .filter(alike -> tailShare(alike.getValue()) >= MOST_OF_THE_TAIL)
                    .max(Comparator.comparingDouble(alike -> tailShare(alike.getValue())));
            Optional<List<Incident>> events =
                    most.map(Map.Entry::getValue).or(() -> soleEventOfMiss().map(List::of));
            events.ifPresent(
                    alike -> all.add(new Finding.Happened(kind(alike.get(0).cause()), alike, tailShare(alike))));
        }

        /** The events with a relevant share of the tail; others may have a few requests there by chance. */
        private static List<Incident> notable(List<Incident> alike) {
            long slowestNanos = alike.stream()
                    .filter(event -> event.tailShare() >= LEAST_OF_THE_TAIL)
                    .mapToLong(Incident::slowestNanos)
                    .min()
                    .orElse(Long.MAX_VALUE);
            return alike.stream()
                    .filter(event -> event.tailShare() >= LEAST_OF_THE_TAIL
                            || (event.tailShare() > 0 && event.slowestNanos() >= ALIKE * slowestNanos))
                    .toList();
        }

        /** The event that alone determined a missed percentile, even if it is a small part of the tail beyond p99. */
        private Optional<Incident> soleEventOfMiss() {
            return ServiceLevelObjective.Percentile.among(verdict.objectives().stream()
                            .filter(objective -> objective.status() == JudgedObjective.Status.MISSED)
                            .map(JudgedObjective::slo))
                    .stream()
                    .flatMap(slo -> observations.soleEvent(slo.percentile()).stream())
                    .filter(event -> event.cause() != Incident.Cause.OVERLOAD)
                    .findFirst();
        }

        private static Finding.Kind kind(Incident.Cause cause) {
            return switch (cause) {
                case SERVICE_STALL, UNREACHABLE -> Finding.Kind.STALLED;
                case OUR_PAUSE -> Finding.Kind.OWN_PAUSE;
                default -> Finding.Kind.SLOW;
            };
        }

        private static double tailShare(List<Incident> alike) {
            return Math.min(1, alike.stream().mapToDouble(Incident::tailShare).sum());
        }

        private void objectives() {
            judged(Finding.Kind.MISSED, JudgedObjective.Status.MISSED);
            judged(Finding.Kind.UNDECIDED, JudgedObjective.Status.UNDECIDED);
            if (verdict.service() == RunVerdict.Service.MET) {
                judged(Finding.Kind.MET, JudgedObjective.Status.MET);
            }
            all.add(new Finding.Measured());
        }

        private void judged(Finding.Kind kind, JudgedObjective.Status status) {
            List<JudgedObjective> alike = verdict.objectives().stream()
                    .filter(objective -> objective.status() == status)
                    .filter(objective -> objective.isDecided() || objective.isOpen())
                    .toList();
            if (!alike.isEmpty()) {
                all.add(new Finding.Judged(kind, alike));
            }
        }
    }
}
