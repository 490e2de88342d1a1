package dev.downbeat.event;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.Counts;
import dev.downbeat.stats.PoissonTail;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Finds overloads, at most one per stage of the load. In an overload, unanswered requests accumulate faster than 5 % of
 * the offered load; the period with the largest excess counts. Either response times grow with the backlog, or requests
 * time out behind answers that are hardly faster, or the service answers attempts that were given up. Stalls do not
 * count, since answers before them were prompt.
 */
public final class Overloads {
    /** The service is overloaded if it answers a smaller share of the load. */
    static final double LEAST_SHARE = 0.95;

    /** A service that answers a smaller share is stalled, not overloaded. */
    private static final double STALLED_SHARE = 0.05;

    /** Growth below this share of the time that a backlog takes to drain does not show a backlog. */
    private static final double LEAST_GROWTH = 0.2;

    /** The shortest overload of a steady load, as a share of the stage; services fluctuate for less. */
    private static final double LEAST_OF_STEADY = 0.3;

    /** The shortest overload of a changing load, as a share of the stage. */
    private static final double LEAST_OF_CHANGING = 0.1;

    /** The share of a stage after a phase above which the service recovered; a shorter rest belongs to the phase. */
    private static final double END_SHARE = 0.15;

    /** A steady overload that starts within this share counts from the start, as the backlog must build up first. */
    private static final double BEGIN_SHARE = 0.1;

    /** The least excess over random arrivals, in standard deviations. */
    private static final double CHANCE_DEVIATIONS = 3;

    /** Behind a backlog, answers take at least this many times as long as before it. */
    private static final double TIMES_AS_PROMPT = 1.5;

    /** The accepted probability, per run, that answers seem prompter, or seem to cease, by chance. */
    private static final double CHANCE = 0.01;

    /** The least excess, in standard deviations, of an overload that ended: busy services' queues grow for a while. */
    private static final double OVERCOME_DEVIATIONS = 5;

    /** A backlog up to this share of the greatest one is small. */
    private static final double LITTLE = 0.2;

    private static final int ENOUGH_TO_COMPARE = 30;

    private static final int QUARTERS = 4;

    /** Behind a backlog, the last response times predict at most this share of the first answers. */
    private static final double MOST_OF_FIRST = 0.7;

    /** Connections are the limit if at least this share of the wait is for a connection. */
    private static final double MOST = 0.5;

    /** Connections that could have carried this many times as much were not always in use. */
    private static final double MOST_OF_CARRIED = 1.2;

    private final RunResult result;
    private final List<Interval> underLoad;
    private final List<Silence> stalls;
    private final Optional<Overload.RetriedLoad> retries;
    private final PlannedCounts plannedCounts;

    /** Whether response times are lower bounds, without any part that may be Downbeat's delay. */
    private final boolean isWithoutOwnDelay;

    /** The mean number of a session's requests that wait for an unfinished one, itself included. */
    private final double waitingWithEach;

    private Overloads(RunResult result, ExplainedGaps explained, boolean isWithoutOwnDelay) {
        this.result = result;
        this.isWithoutOwnDelay = isWithoutOwnDelay;
        this.underLoad = result.underLoad();
        this.plannedCounts = new PlannedCounts(result.intervals());
        this.waitingWithEach =
                result.plan().workload() instanceof Workload.PartlyOpen sessions ? (sessions.requests() + 1) / 2.0 : 1;
        SlowLookups slowLookups = new SlowLookups(result.kept());
        this.stalls = result.interruptions().silences().stream()
                .filter(silence -> withoutPausesNanos(silence) >= Interruptions.LEAST_NANOS)
                .filter(silence -> slowLookups.cover(silence.fromNanos(), silence.toNanos())
                        || (!explained.contains(silence.fromNanos(), silence.toNanos()) && !isBehindABacklog(silence)))
                .toList();
        this.retries = retries(result);
    }

    /** The retries, if the service answered a relevant share of the load too late. */
    private static Optional<Overload.RetriedLoad> retries(RunResult result) {
        long late = result.counts().count(TargetCounts.LATE_ANSWERS);
        double attempts = result.counts().amplification().orElse(1);
        Ledger ledger = result.ledger();
        return attempts > 1 && late > ledger.planned() * (1 - LEAST_SHARE)
                ? Optional.of(new Overload.RetriedLoad(attempts, late >= missing(ledger)))
                : Optional.empty();
    }

    /** Due requests that neither were answered nor failed. */
    private static long missing(Ledger ledger) {
        return ledger.planned() - ledger.answered() - ledger.failed();
    }

    /** The overloads of a run or one of its names, at most one per stage; none if the load follows responses. */
    public static List<Overload> of(RunResult result, ExplainedGaps explained) {
        return of(result, explained, false);
    }

    /** The overloads that remain if every part of a response time that may be Downbeat's delay is subtracted. */
    public static List<Overload> withoutOwnDelay(RunResult result, ExplainedGaps explained) {
        return of(result, explained, true);
    }

    private static List<Overload> of(RunResult result, ExplainedGaps explained, boolean isWithoutOwnDelay) {
        return result.plan().workload().waitingClients() > 0
                ? List.of()
                : new Overloads(result, explained, isWithoutOwnDelay).all();
    }

    private Distribution times(Recording recording) {
        return isWithoutOwnDelay && recording.times().isOwnDelayKnown()
                ? recording.times().withoutLateness()
                : recording.response();
    }

    private static long middle(Interval interval) {
        return interval.startNanos() + interval.lengthNanos() / 2;
    }

    private List<Overload> all() {
        List<Overload> found = new ArrayList<>();
        List<Interval> stage = new ArrayList<>();
        List<Long> ends = stageEnds();
        int at = 0;
        for (Interval interval : underLoad) {
            while (at < ends.size() && middle(interval) >= ends.get(at)) {
                inStage(stage, found).ifPresent(found::add);
                stage.clear();
                at++;
            }
            stage.add(interval);
        }
        inStage(stage, found).ifPresent(found::add);
        return List.copyOf(found);
    }

    private List<Long> stageEnds() {
        List<Long> ends = new ArrayList<>();
        if (result.plan().workload() instanceof Workload.Open open && open.arrivals() instanceof Steps steps) {
            long endNanos = 0;
            for (Step step : steps.steps().subList(0, steps.steps().size() - 1)) {
                endNanos += step.durationNanos();
                ends.add(endNanos);
            }
        }
        return ends;
    }

    private Optional<Overload> inStage(List<Interval> stage, List<Overload> before) {
        int from = 0;
        int to = -1;
        double most = 0;
        double sum = 0;
        int begin = 0;
        for (int i = 0; i < stage.size(); i++) {
            if (sum <= 0) {
                sum = 0;
                begin = i;
            }
            sum += excess(stage.get(i));
            if (sum > most) {
                most = sum;
                from = begin;
                to = i;
            }
        }
        if (to < from) {
            return Optional.empty();
        }
        long endNanos = stage.get(stage.size() - 1).endNanos();
        long stageNanos = endNanos - stage.get(0).startNanos();
        boolean isOvercome = endNanos - stage.get(to).endNanos() > END_SHARE * stageNanos;
        boolean isFromBegin = !isOvercome
                && !isChanging()
                && stage.get(from).startNanos() - stage.get(0).startNanos() < BEGIN_SHARE * stageNanos;
        List<Interval> phase = stage.subList(isFromBegin ? 0 : from, isOvercome ? to + 1 : stage.size());
        boolean isContinued = !before.isEmpty()
                && before.get(before.size() - 1).endNanos() == phase.get(0).startNanos();
        long sinceNanos =
                isContinued ? 0 : isOvercome ? growthStartNanos(phase, most) : clearBeginNanos(stage.get(from));
        return isOvercome && isByChance(phase)
                ? Optional.empty()
                : overload(phase, stageNanos, isContinued, sinceNanos);
    }

    /** Whether a busy service's queue may grow this much by chance, as the scatter between intervals shows. */
    private boolean isByChance(List<Interval> phase) {
        double offered = 0;
        double missing = 0;
        double squares = 0;
        double before = 0;
        for (int i = 0; i < phase.size(); i++) {
            Ledger ledger = phase.get(i).recording().ledger();
            double own = offered(ledger) - ledger.answered() - ledger.failed();
            squares += i == 0 ? 0 : (own - before) * (own - before);
            before = own;
            missing += own;
            offered += offered(ledger);
        }
        double variance = phase.size() < 2 ? 0 : squares / 2 * phase.size() / (phase.size() - 1);
        return missing <= OVERCOME_DEVIATIONS * Math.sqrt(Math.max(waitingWithEach * offered, variance));
    }

    /** The end of the first interval, which may contain earlier requests; 0 if the run began with the overload. */
    private static long clearBeginNanos(Interval first) {
        return first.startNanos() == 0 ? 0 : first.endNanos();
    }

    /** The last time at which the backlog was small. */
    private long growthStartNanos(List<Interval> phase, double most) {
        long sinceNanos = clearBeginNanos(phase.get(0));
        double sum = 0;
        for (Interval interval : phase) {
            sum += excess(interval);
            if (sum <= LITTLE * most) {
                sinceNanos = interval.endNanos();
            }
        }
        return sinceNanos;
    }

    /** Planned requests, including those of sessions that still wait for a response. */
    private double offered(Ledger ledger) {
        return ledger.planned() + (waitingWithEach - 1) * (ledger.planned() - ledger.accounted());
    }

    /** Due requests that neither were answered nor failed, less 5 % of the load; zero while the service stalled. */
    private double excess(Interval interval) {
        boolean isStalled = stalls.stream()
                .anyMatch(stall -> stall.toNanos() > interval.startNanos() && stall.fromNanos() < interval.endNanos());
        Ledger ledger = interval.recording().ledger();
        double excess = offered(ledger) * LEAST_SHARE - ledger.answered() - ledger.failed();
        return isStalled ? Math.min(0, excess) : excess;
    }

    /** How long the silence would have been without Downbeat's own pauses in it. */
    private long withoutPausesNanos(Silence silence) {
        long pausedNanos = result.interruptions().pauses().stream()
                .mapToLong(pause ->
                        Math.min(pause.toNanos(), silence.toNanos()) - Math.max(pause.fromNanos(), silence.fromNanos()))
                .filter(nanos -> nanos > 0)
                .sum();
        return silence.waitedNanos() - pausedNanos;
    }

    /** Whether responses ceased because waits had reached the timeout: the previous ones were late already. */
    private boolean isBehindABacklog(Silence silence) {
        Interval before = null;
        for (Interval interval : result.intervals()) {
            boolean mayEndLater = interval.endNanos() > silence.toNanos();
            if (interval.startNanos() > silence.afterNanos() || mayEndLater) {
                break; // its responses may have come after the gap
            }
            before = times(interval.recording()).isEmpty() ? before : interval;
        }
        return before != null
                && times(before.recording()).valueAtPercentile(50)
                        >= LEAST_GROWTH * result.plan().timeoutNanos();
    }

    private Optional<Overload> overload(List<Interval> phase, long stageNanos, boolean isContinued, long sinceNanos) {
        Recording all = Interval.sum(phase);
        Ledger ledger = all.ledger();
        long startNanos = phase.get(0).startNanos();
        long endNanos = phase.get(phase.size() - 1).endNanos();
        long lengthNanos = endNanos - startNanos;
        double offered = offered(ledger);
        double missing = offered - ledger.answered() - ledger.failed();
        boolean isConsiderable = missing > offered * (1 - LEAST_SHARE)
                && missing > CHANCE_DEVIATIONS * Math.sqrt(waitingWithEach * offered);
        if (!isConsiderable || lengthNanos < (isChanging() ? LEAST_OF_CHANGING : LEAST_OF_STEADY) * stageNanos) {
            return Optional.empty();
        }
        List<Interval> answering = answering(phase);
        boolean isByTimes = answering.isEmpty()
                ? isContinued
                : timeoutsHideBacklog(answering, phase, sinceNanos)
                        || isSlowing(answering, lengthNanos, ledger, sinceNanos);
        if (!isByTimes && retries.isEmpty()) {
            return Optional.empty();
        }
        double seconds = lengthNanos / 1e9;
        boolean isOpen = endNanos == underLoad.get(underLoad.size() - 1).endNanos();
        long caughtUpNanos = caughtUpNanos(startNanos, endNanos);
        boolean isWhole = startNanos == 0 && isOpen;
        double answeredPerSecond = isWhole ? result.throughput().perSecond() : ledger.answered() / seconds;
        // while a backlog drains, requests of later stages time out, too
        long timedOut = Math.min(missing(ledger), timedOut(startNanos, caughtUpNanos));
        return Optional.of(new Overload(
                startNanos,
                endNanos,
                caughtUpNanos,
                isOpen,
                offered / seconds,
                answeredPerSecond,
                isWhole ? share(result.ledger().timedOut(), result.ledger()) : share(timedOut, ledger),
                limit(phase, all, answeredPerSecond),
                false,
                retries));
    }

    private boolean isChanging() {
        return result.plan().workload() instanceof Workload.Open open && isChanging(open.arrivals());
    }

    private static boolean isChanging(ArrivalProcess arrivals) {
        return arrivals instanceof Ramp
                || (arrivals instanceof Steps steps
                        && steps.steps().stream().map(Step::process).anyMatch(Overloads::isChanging));
    }

    /** The phase from its first to its last interval with a relevant number of answers. */
    private static List<Interval> answering(List<Interval> phase) {
        int first = 0;
        int last = phase.size();
        while (first < last && phase.get(first).recording().ledger().answered() == 0) {
            first++;
        }
        while (last > first && phase.get(last - 1).recording().ledger().answered() == 0) {
            last--;
        }
        List<Interval> answering = phase.subList(first, last);
        Ledger ledger = Interval.sum(answering).ledger();
        return ledger.answered() > STALLED_SHARE * ledger.planned() ? answering : List.of();
    }

    /**
     * Whether timeouts hide the backlog. Requests that time out leave a backlog that no longer grows, so waits have
     * reached their maximum. A service that answers promptly what it answers has no backlog; it lost the other
     * requests. One that was never prompter is as slow without a backlog, unless its answers ceased, it was warmed up by
     * the same load, or requests waited for a connection.
     */
    private boolean timeoutsHideBacklog(List<Interval> answering, List<Interval> phase, long sinceNanos) {
        Recording all = Interval.sum(phase);
        Ledger ledger = all.ledger();
        Answers last = lastQuarter(answering);
        long lastNanos = last.times.valueAtPercentile(50);
        double longNanos = LEAST_GROWTH * result.plan().timeoutNanos();
        return ledger.timedOut() > ledger.planned() * (1 - LEAST_SHARE)
                && lastNanos >= longNanos
                && (wasPrompter(last, phase, sinceNanos)
                        || hasCeased(answering, phase)
                        || result.plan().warmUpNanos() != 0
                        || all.backlogWait().valueAtPercentile(50) >= longNanos);
    }

    /**
     * Whether a part of the run had much faster answers than the end of the phase, and than its response times predict
     * for that part: the first answers of a load are always fast ones. The number of prompt answers must be improbable
     * given the second half of the phase.
     */
    private boolean wasPrompter(Answers last, List<Interval> phase, long sinceNanos) {
        long endNanos = phase.get(phase.size() - 1).endNanos();
        Answers later = answers(phase, (phase.get(0).startNanos() + endNanos) / 2, endNanos);
        List<Answers> parts =
                parts().stream().filter(some -> some.fromNanos >= sinceNanos).toList();
        return parts.stream().anyMatch(some -> isPrompter(some, last, later, CHANCE / parts.size(), sinceNanos));
    }

    /**
     * Whether the answers ceased in the first half of the phase, or improbably early, and are too few to compare. A
     * service that is always this slow would answer throughout. More answers would have shown the slowdown, unless the
     * service hangs.
     */
    private boolean hasCeased(List<Interval> answering, List<Interval> phase) {
        long startNanos = phase.get(0).startNanos();
        long lengthNanos = phase.get(phase.size() - 1).endNanos() - startNanos;
        double part = (double) (answering.get(answering.size() - 1).endNanos() - startNanos) / lengthNanos;
        double chance = Math.pow(part, Interval.sum(answering).ledger().answered());
        return (part < 0.5 || chance < CHANCE)
                && result.intervals().stream()
                        .allMatch(interval -> interval.recording().response().count() < ENOUGH_TO_COMPARE);
    }

    private boolean isPrompter(Answers some, Answers last, Answers later, double chance, long sinceNanos) {
        Distribution times = withoutFastest(some.times, sinceNanos);
        long usualNanos = times.valueAtPercentile(50);
        double promptNanos = TIMES_AS_PROMPT * usualNanos;
        if (times.isEmpty()
                || last.times.valueAtPercentile(50) < promptNanos
                || ExpectedAnswers.medianNanos(expected(some, last, sinceNanos)) < promptNanos) {
            return false;
        }
        // allows for one more prompt answer
        double one = plannedFor(some, 0, sinceNanos) / Math.max(1, plannedFor(later, 0, sinceNanos));
        double prompt = one + ExpectedAnswers.expectedUpTo(usualNanos, expected(some, later, sinceNanos));
        return PoissonTail.atLeast(times.count() - times.countAbove(usualNanos), prompt) < chance;
    }

    /** The intervals, pairs of them, pairs of pairs and so on, so that some have enough answers at any rate. */
    private List<Answers> parts() {
        List<Answers> parts = new ArrayList<>();
        List<Answers> level = result.intervals().stream()
                .map(interval -> new Answers(interval.startNanos(), interval.endNanos(), times(interval.recording())))
                .toList();
        while (level.size() > 1) {
            parts.addAll(level);
            List<Answers> pairs = new ArrayList<>();
            for (int i = 0; i + 1 < level.size(); i += 2) {
                pairs.add(level.get(i).then(level.get(i + 1)));
            }
            level = pairs;
        }
        return parts;
    }

    /**
     * Whether the first answers were faster, or more numerous, than if the service had always had the response times of
     * the last quarter. Even then, the first answers would be the fast ones, and recent requests would be unanswered.
     * Requests outstanding at the start do not count, since they may have been faster than any later one.
     */
    private boolean isSlowing(List<Interval> answering, long lengthNanos, Ledger all, long sinceNanos) {
        long fromNanos = Math.max(sinceNanos, answering.get(0).startNanos());
        long toNanos = answering.get(answering.size() - 1).endNanos();
        if (fromNanos >= toNanos) {
            return false;
        }
        Answers first = answers(answering, fromNanos, fromNanos + (toNanos - fromNanos) / 2);
        Distribution times = withoutFastest(first.times, sinceNanos);
        if (times.isEmpty()) {
            return false;
        }
        List<ExpectedAnswers> expected = expected(first, lastQuarter(answering), sinceNanos);
        double growth = ExpectedAnswers.medianNanos(expected) - times.valueAtPercentile(50);
        double missing = (double) missing(all) / all.planned();
        return growth >= LEAST_GROWTH * missing * lengthNanos
                || (!isWithoutOwnDelay && ExpectedAnswers.areFewer(expected, times.count()));
    }

    /** Without as many of the fastest as were outstanding at an instant. */
    private Distribution withoutFastest(Distribution times, long atNanos) {
        long outstanding = result.intervals().stream()
                .filter(interval -> interval.endNanos() <= atNanos)
                .mapToLong(interval -> interval.recording().outstanding())
                .sum();
        return outstanding <= 0 ? times : Counts.ofRanks(times, outstanding, times.count());
    }

    /** Expected answers of a period to requests planned since an instant, with the last response times. */
    private List<ExpectedAnswers> expected(Answers period, Answers last, long sinceNanos) {
        List<ExpectedAnswers> expected = new ArrayList<>();
        last.times.forEach((nanos, count) -> expected.add(new ExpectedAnswers(
                nanos,
                count,
                plannedFor(period, nanos, sinceNanos) / Math.max(1, plannedFor(last, nanos, sinceNanos)))));
        return expected;
    }

    /** Answers with one response time; {@code weight} is the expected number in another period for each. */
    private record ExpectedAnswers(long nanos, long count, double weight) {
        /** The median of the expected answers; {@link Long#MAX_VALUE} if none are expected. */
        static long medianNanos(List<ExpectedAnswers> ascending) {
            double half =
                    ascending.stream().mapToDouble(ExpectedAnswers::expected).sum() / 2;
            double sum = 0;
            for (ExpectedAnswers some : ascending) {
                sum += some.expected();
                if (sum > half) {
                    return some.nanos;
                }
            }
            return Long.MAX_VALUE;
        }

        /** The expected answers up to this time. */
        static double expectedUpTo(long nanos, List<ExpectedAnswers> all) {
            return all.stream()
                    .filter(some -> some.nanos <= nanos)
                    .mapToDouble(ExpectedAnswers::expected)
                    .sum();
        }

        /** Whether there were many more answers than expected. */
        static boolean areFewer(List<ExpectedAnswers> all, long observed) {
            double expected =
                    all.stream().mapToDouble(ExpectedAnswers::expected).sum();
            double variance = all.stream()
                    .mapToDouble(some -> some.expected() * some.weight)
                    .sum();
            return expected < MOST_OF_FIRST * observed
                    && observed - expected > CHANCE_DEVIATIONS * Math.sqrt(observed + variance);
        }

        private double expected() {
            return count * weight;
        }
    }

    private double plannedFor(Answers answers, long nanos, long sinceNanos) {
        long fromNanos = Math.max(answers.fromNanos, sinceNanos + nanos);
        return fromNanos < answers.toNanos ? plannedCounts.ending(fromNanos, answers.toNanos, nanos) : 0;
    }

    private record Answers(long fromNanos, long toNanos, Distribution times) {
        Answers then(Answers next) {
            return new Answers(fromNanos, next.toNanos, times.plus(next.times));
        }
    }

    private Answers lastQuarter(List<Interval> answering) {
        long fromNanos = answering.get(0).startNanos();
        long toNanos = answering.get(answering.size() - 1).endNanos();
        return answers(answering, toNanos - (toNanos - fromNanos) / QUARTERS, toNanos);
    }

    /** The answers of the intervals that overlap a period. */
    private Answers answers(List<Interval> intervals, long fromNanos, long toNanos) {
        List<Interval> within = intervals.stream()
                .filter(interval -> interval.endNanos() > fromNanos && interval.startNanos() < toNanos)
                .toList();
        return new Answers(
                within.get(0).startNanos(),
                within.get(within.size() - 1).endNanos(),
                Distribution.sum(within.stream()
                        .map(interval -> times(interval.recording()))
                        .toList()));
    }

    private static double share(long count, Ledger ledger) {
        return (double) count / ledger.planned();
    }

    /** The last requests of a phase time out only after it. */
    private long timedOut(long fromNanos, long toNanos) {
        return result.intervals().stream()
                .filter(interval -> interval.startNanos() >= fromNanos && interval.startNanos() < toNanos)
                .mapToLong(interval -> interval.recording().ledger().timedOut())
                .sum();
    }

    /** When the backlog had shrunk to its level before the overload. */
    private long caughtUpNanos(long startNanos, long endNanos) {
        long waiting = 0;
        long before = 0;
        long mostInPhase = 0;
        for (Interval interval : result.intervals()) {
            if (interval.endNanos() <= startNanos) {
                before = waiting + interval.recording().outstanding();
            }
            waiting += interval.recording().outstanding();
            if (interval.endNanos() <= endNanos) {
                mostInPhase = Math.max(mostInPhase, waiting);
            } else if (waiting <= before + (mostInPhase - before) / 20) {
                return interval.endNanos();
            }
        }
        return Math.max(endNanos, result.durationNanos());
    }

    /**
     * If requests waited for a connection or a stream and none was much quicker than usual, more connections may carry
     * more. The service may still be the limit, since it may process fewer requests at once. The capacity of the
     * connections follows from the mean time that a request occupies one. If it is much more than was answered, they
     * were not always in use.
     */
    private Optional<Overload.Limit> limit(List<Interval> phase, Recording all, double answeredPerSecond) {
        boolean areStreams = result.connections().streams().begun() > 0;
        ToLongFunction<ConnectionCounts> slotsOf =
                areStreams ? connections -> connections.streams().allowedAtEnd() : ConnectionCounts::openAtEnd;
        long inPhase = phase.stream()
                .mapToLong(interval -> slotsOf.applyAsLong(interval.connections()))
                .max()
                .orElse(0);
        long slots = Math.max(inPhase, slotsOf.applyAsLong(result.connections()));
        long usualNanos = all.service().valueAtPercentile(50);
        long leastNanos = result.recording().service().minNanos();
        boolean isFull =
                all.backlogWait().valueAtPercentile(50) > MOST * all.response().valueAtPercentile(50);
        Ledger ledger = all.ledger();
        long carried = ledger.answered() + ledger.failed() + ledger.timedOut() - ledger.timedOutUnsent();
        long lengthNanos = phase.get(phase.size() - 1).endNanos() - phase.get(0).startNanos();
        long meanNanos = all.service().plus(all.times().unseenService()).meanNanos();
        double perSecond = slots * 1e9 / Math.max(1, meanNanos);
        return slots > 0
                        && isFull
                        && leastNanos > MOST * usualNanos
                        && perSecond < MOST_OF_CARRIED * carried * 1e9 / lengthNanos
                ? Optional.of(new Overload.Limit(slots, areStreams, Math.max(perSecond, answeredPerSecond)))
                : Optional.empty();
    }

    /**
     * A period in which the service answered less than was offered, and the rest waited longer and longer or timed out.
     *
     * @param startNanos start, from the start of the run
     * @param endNanos end: when the load ended or fell, or the service answered as much again
     * @param caughtUpNanos when the backlog was drained; the end of the run if it never was
     * @param isOpen whether it lasted to the end of the load
     * @param offeredPerSecond planned requests per second, including those of sessions that wait for an unfinished one
     * @param answeredPerSecond answered requests per second
     * @param timedOutShare share of its requests, or of all if it is the whole run, that timed out, from 0 to 1
     * @param limit the capacity of the connections, if all were in use and fewer requests at once were not much faster
     * @param isOfSeveral whether the rates are those of the worst of several stages
     * @param retries the retries of the run, if the service spent much work on abandoned attempts
     */
    public record Overload(
            long startNanos,
            long endNanos,
            long caughtUpNanos,
            boolean isOpen,
            double offeredPerSecond,
            double answeredPerSecond,
            double timedOutShare,
            Optional<Limit> limit,
            boolean isOfSeveral,
            Optional<RetriedLoad> retries) {
        /**
         * Attempts that replaced others, which the service nevertheless answered.
         *
         * @param attempts attempts per request
         * @param isTheCause whether the service answered often enough for all requests, had each been sent once
         */
        public record RetriedLoad(double attempts, boolean isTheCause) {}

        /**
         * The throughput of connections that are always in use.
         *
         * @param connections number of connections, or of their streams
         * @param areStreams whether they are streams
         * @param perSecond requests per second that they can carry
         */
        public record Limit(long connections, boolean areStreams, double perSecond) {}

        /** Merges adjacent phases into one, with the rates of the worst. */
        public static List<Overload> joined(List<Overload> phases) {
            List<Overload> joined = new ArrayList<>();
            for (Overload phase : phases) {
                int last = joined.size() - 1;
                if (last >= 0 && joined.get(last).endNanos == phase.startNanos) {
                    joined.set(last, joined.get(last).then(phase));
                } else {
                    joined.add(phase);
                }
            }
            return List.copyOf(joined);
        }

        private Overload then(Overload next) {
            Overload worse = next.missingShare() > missingShare() ? next : this;
            return new Overload(
                    startNanos,
                    next.endNanos,
                    next.caughtUpNanos,
                    next.isOpen,
                    worse.offeredPerSecond,
                    worse.answeredPerSecond,
                    worse.timedOutShare,
                    worse.limit,
                    true,
                    retries);
        }

        /** The share of the offered requests without an answer, from 0 to 1. */
        public double missingShare() {
            return offeredPerSecond == 0 ? 0 : Math.max(0, 1 - answeredPerSecond / offeredPerSecond);
        }

        /** Whether an instant lies in the phase or while its backlog drained. */
        boolean affects(long nanos) {
            return nanos >= startNanos && nanos < caughtUpNanos;
        }
    }
}
