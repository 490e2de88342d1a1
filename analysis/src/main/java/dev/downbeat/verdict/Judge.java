package dev.downbeat.verdict;

import dev.downbeat.run.RunResult;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Flaw;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.ShardCaveat;
import dev.downbeat.verdict.caveat.Unsteady;
import java.util.List;
import java.util.Optional;

/** Judges each objective, with everything that may change the answer. */
final class Judge {
    private final Observations seen;
    private final RunResult result;
    private final Rigour rigour;
    private final Evidence evidence;
    private final List<Caveat> caveats;
    private final Optional<Unsteady.NotSteady> change;
    private final ResponseBounds bounds;
    private final ResponseIntervals intervals;

    Judge(Observations seen, Rigour rigour, Evidence evidence, List<Caveat> caveats) {
        this.seen = seen;
        this.result = seen.result();
        this.rigour = rigour;
        this.evidence = evidence;
        this.caveats = caveats;
        this.change = seen.change();
        this.bounds = seen.response();
        this.intervals = seen.intervals();
    }

    JudgedObjective judge(AskedObjective slo) {
        if (slo instanceof AskedObjective.Named named) {
            if (!result.recording().byName().containsKey(named.name())) {
                // An objective of requests that never ran is not met. A stopped run may not have reached them.
                return result.isComplete() && result.ledger().planned() > 0
                        ? JudgedObjective.ofUnusedName(named, "no request has this name")
                        : JudgedObjective.unobserved(named, "no request has this name");
            }
            Judge ofName = new Judge(seen.named(named.name()), rigour, evidence.named(named.name()), caveats);
            return ofName.judge(named.slo()).of(named);
        }
        JudgedObjective judged = rigour.isSure() ? proven(slo) : estimated(slo);
        JudgedObjective possible =
                slo.isOfTimes() && judged.status() == JudgedObjective.Status.MET ? unlessOverloaded(judged) : judged;
        return possible.isDecided() ? unlessInvalid(possible) : possible;
    }

    private JudgedObjective proven(AskedObjective slo) {
        JudgedObjective proven = evidence.judge(slo);
        if (slo instanceof AskedObjective.Percentile of
                && proven.status() == JudgedObjective.Status.MISSED
                && !isMissedBy(of)) {
            return BoundedTime.ofPercentile(bounds, of.percentile()).undecidedByOwnDelay(of);
        }
        return proven.status() == JudgedObjective.Status.MET ? unlessUnsteady(proven) : proven;
    }

    /** Whether the lower end of the interval exceeds the limit even without Downbeat's own delays. */
    private boolean isMissedBy(AskedObjective.Percentile slo) {
        Optional<QuantileInterval> interval =
                slo.percentile() < 100 ? evidence.responseTime(slo.percentile()) : Optional.empty();
        double place = interval.filter(known -> known.lowNanos().isPresent())
                .map(known -> bounds.percentileOf(known.lowNanos().getAsLong()))
                .orElse(slo.percentile());
        return !slo.ceiling().keeps(bounds.withoutOursNanos(place), slo.limitNanos());
    }

    private JudgedObjective estimated(AskedObjective slo) {
        JudgedObjective judged = slo.judge(seen);
        if (!judged.isDecided() || !slo.isOfTimes()) {
            return judged;
        }
        if (change.isPresent()) {
            return judged.status() == JudgedObjective.Status.MET ? unlessUnsteady(judged) : judged;
        }
        return slo instanceof AskedObjective.Percentile of ? withInterval(of, judged) : withMeanInterval(slo, judged);
    }

    private JudgedObjective withInterval(AskedObjective.Percentile slo, JudgedObjective judged) {
        if (slo.percentile() >= 100 || seen.soleEvent(slo.percentile()).isPresent()) {
            return judged; // it happened, however often it does
        }
        Optional<QuantileInterval> interval = intervals.at(slo.percentile());
        if (interval.isEmpty()) {
            return judged;
        }
        QuantileInterval known = interval.get();
        boolean lowKeeps = known.lowNanos().isEmpty()
                || slo.ceiling().keeps(known.lowNanos().getAsLong(), slo.limitNanos());
        boolean highKeeps = known.highNanos().isPresent()
                && slo.ceiling().keeps(known.highNanos().getAsLong(), slo.limitNanos());
        return lowKeeps && !highKeeps ? judged.notSure(between(known)) : judged;
    }

    private static String between(QuantileInterval interval) {
        String low = interval.lowNanos().isEmpty()
                ? ""
                : DurationText.rounded(interval.lowNanos().getAsLong());
        if (interval.highNanos().isEmpty()) {
            return low.isEmpty() ? "nothing bounds it" : "above " + low;
        }
        String high = DurationText.rounded(interval.highNanos().getAsLong());
        return low.isEmpty() ? "below " + high : low + " to " + high;
    }

    private JudgedObjective withMeanInterval(AskedObjective slo, JudgedObjective judged) {
        boolean isOpen = !evidence.judge(slo).isDecided();
        return evidence.meanInterval()
                .filter(interval -> isOpen)
                .map(interval -> judged.notSure(between(interval)))
                .orElse(judged);
    }

    private static String between(Evidence.MeanEnds ends) {
        String low = DurationText.rounded(ends.lowNanos());
        return ends.highNanos().isEmpty()
                ? "above " + low
                : low + " to " + DurationText.rounded(ends.highNanos().getAsLong());
    }

    private JudgedObjective unlessUnsteady(JudgedObjective met) {
        if (!met.slo().isOfTimes() || change.isEmpty()) {
            return met;
        }
        String why = change.get().why();
        return rigour.isSure() || rigour.isStrict() ? met.undecided(", but " + why) : met.notSure(why);
    }

    /**
     * Under overload, response times grow with the duration of the load: a shorter run would have met more objectives.
     */
    private JudgedObjective unlessOverloaded(JudgedObjective met) {
        boolean overloaded = caveats.stream().anyMatch(LoadCaveat.Overloaded.class::isInstance);
        return overloaded ? met.undecided(", but the service is overloaded") : met;
    }

    /** Downbeat's own delays undo no decision, since the bounds include them. */
    private JudgedObjective unlessInvalid(JudgedObjective decided) {
        for (Caveat caveat : caveats) {
            if (invalidates(caveat, decided)) {
                return decided.undecided(", but " + why(caveat));
            }
        }
        return decided;
    }

    private boolean invalidates(Caveat caveat, JudgedObjective decided) {
        if (caveat instanceof Flaw flaw && flaw.invalidatesMisses()) {
            return true;
        }
        if (rigour.isStrict() && caveat.isDoubt()) {
            return true;
        }
        return decided.status() == JudgedObjective.Status.MET && caveat.bearing() == Caveat.Bearing.INVALIDATES;
    }

    private static String why(Caveat caveat) {
        if (caveat instanceof Flaw.LedgerMismatch) {
            return "the ledger does not add up";
        }
        if (caveat instanceof Flaw.Broken) {
            return "the run broke";
        }
        if (caveat instanceof Flaw.MessagesOfOthers) {
            return "the run ended itself";
        }
        if (caveat instanceof Flaw.CutOff) {
            return "the record is cut off";
        }
        if (caveat instanceof LoadCaveat) {
            return "the planned load was not offered";
        }
        return caveat instanceof ShardCaveat ? "not all shards can be trusted" : "the measurement is in doubt";
    }
}
