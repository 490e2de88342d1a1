package dev.downbeat.analysis;

import dev.downbeat.event.Incident;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Flaw;
import dev.downbeat.verdict.LoadCaveat;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Collects what a run shows. One method for each kind of finding; {@link Finding.Kind} says which of them leads. */
final class Findings {
    /** Events of one kind with so much of the tail are what a run is about. */
    private static final double MOST_OF_THE_TAIL = 0.5;

    /** An event with less is not counted among several. */
    private static final double LEAST_OF_THE_TAIL = 0.02;

    /** Fewer failures are worth a line below, and no headline. */
    private static final double NOTABLE_FAILURES = 0.01;

    /** Timeouts of which so many came with a stall are the stall's. */
    private static final double MOST_TIMEOUTS = 0.8;

    private final Observations seen;
    private final RunResult result;
    private final Ledger ledger;
    private final Verdict verdict;
    private final Wishes wishes;
    private final List<Finding> all = new ArrayList<>();

    private Findings(Observations seen, Verdict verdict, Wishes wishes) {
        this.seen = seen;
        this.result = seen.result();
        this.ledger = result.ledger();
        this.verdict = verdict;
        this.wishes = wishes;
    }

    static List<Finding> of(Observations seen, Verdict verdict, Wishes wishes) {
        return new Findings(seen, verdict, wishes).all();
    }

    private List<Finding> all() {
        if (result.isNothing()) {
            return List.of(new Finding.NothingMeasured(result.failure().orElse("it broke off")));
        }
        record();
        load();
        failures();
        if (verdict.measurement() == Verdict.Measurement.UNSOUND || !verdict.hasSoundTimes()) {
            verdict.caveats().stream()
                    .filter(caveat -> caveat.bearing() == Caveat.Bearing.OURS)
                    .findFirst()
                    .ifPresent(cause -> all.add(new Finding.OwnDelay(cause)));
        }
        events();
        seen.change().ifPresent(change -> all.add(new Finding.Changed(change)));
        objectives();
        all.sort(Comparator.comparing(Finding::kind));
        return all;
    }

    private void record() {
        for (Caveat caveat : verdict.caveats()) {
            if (caveat instanceof Flaw flaw && flaw.breaksRecord()) {
                all.add(new Finding.RecordBroken(flaw));
            } else if (caveat instanceof Flaw.NothingAnswered none) {
                boolean isUnreachable = ledger.failed() > 0
                        && ledger.failed() == ledger.planned()
                        && result.recording().tallies().failedResponses() == 0;
                all.add(new Finding.NothingAnswered(none.planned(), none.reached(), none.reason(), isUnreachable));
            }
        }
    }

    private void load() {
        for (Caveat caveat : verdict.caveats()) {
            if (caveat instanceof LoadCaveat.Overloaded overloaded) {
                all.add(new Finding.Overloaded(overloaded));
            } else if (!(caveat instanceof Flaw) && caveat.bearing() == Caveat.Bearing.INVALIDATES) {
                all.add(new Finding.NotOffered(caveat));
            }
        }
    }

    private void failures() {
        boolean isTooMany = verdict.objectives().stream()
                .anyMatch(objective -> objective.slo().isOfErrors() && objective.status() == Objective.Status.MISSED);
        long timedOut = isOfStalls() ? 0 : ledger.timedOut();
        if (isNotable(ledger.failed()) || (isTooMany && ledger.failed() > 0 && ledger.failed() >= timedOut)) {
            String reason = result.recording().failures().entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse("");
            all.add(new Finding.Failing(ledger.failed(), ledger.planned(), reason));
        }
        if (isNotable(timedOut) || (isTooMany && timedOut > ledger.failed())) {
            all.add(new Finding.GaveUp(timedOut, ledger.planned(), result.plan().timeoutNanos()));
        }
    }

    private boolean isNotable(long count) {
        return count > 0 && count >= NOTABLE_FAILURES * ledger.planned();
    }

    /** Whether most timeouts came while the service stalled, or while what had piled up was worked off. */
    private boolean isOfStalls() {
        long during = 0;
        for (Interval interval : result.intervals()) {
            boolean isHit = seen.events().stream()
                    .filter(event -> event.cause().isOfService())
                    .anyMatch(event -> interval.endNanos() > event.startNanos()
                            && interval.startNanos()
                                    <= event.startNanos()
                                            + event.lengthNanos()
                                            + event.catchUpNanos()
                                            + result.plan().timeoutNanos());
            during += isHit ? interval.recording().ledger().timedOut() : 0;
        }
        return during >= MOST_TIMEOUTS * ledger.timedOut();
    }

    /** The events of one cause that have most of the tail. */
    private void events() {
        Map<Incident.Cause, List<Incident>> byCause = seen.events().stream()
                .filter(event -> event.tailShare() >= LEAST_OF_THE_TAIL)
                .collect(Collectors.groupingBy(
                        Incident::cause, () -> new EnumMap<>(Incident.Cause.class), Collectors.toList()));
        Optional<Map.Entry<Incident.Cause, List<Incident>>> most = byCause.entrySet().stream()
                .filter(alike -> tailShare(alike.getValue()) >= MOST_OF_THE_TAIL)
                .max(Comparator.comparingDouble(alike -> tailShare(alike.getValue())));
        most.ifPresent(alike ->
                all.add(new Finding.Happened(kind(alike.getKey()), alike.getValue(), tailShare(alike.getValue()))));
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
        judged(Finding.Kind.MISSED, Objective.Status.MISSED);
        judged(Finding.Kind.UNDECIDED, Objective.Status.UNDECIDED);
        if (verdict.service() == Verdict.Service.MET) {
            judged(Finding.Kind.MET, Objective.Status.MET);
        }
        all.add(new Finding.Measured());
    }

    private void judged(Finding.Kind kind, Objective.Status status) {
        List<Objective> alike = verdict.objectives().stream()
                .filter(objective -> objective.status() == status)
                .filter(objective -> status != Objective.Status.UNDECIDED || wishes.isOwn(objective))
                .toList();
        if (!alike.isEmpty()) {
            all.add(new Finding.Judged(kind, alike));
        }
    }
}
