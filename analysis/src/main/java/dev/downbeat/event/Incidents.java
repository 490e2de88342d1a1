package dev.downbeat.event;

import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Exemplar;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Part;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.PoissonTail;
import dev.downbeat.stats.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Finds incidents. Stalls and pauses are derived from gaps between responses ({@link Interruptions}). A stall lasts
 * from the last response before it to the first after it, regardless of its share of the tail and of timeouts.
 * Incidents without gaps are found from the intervals of the run.
 */
public final class Incidents {
    /** A gap is a stall if it is at least this many times the usual gap. */
    private static final int USUAL_GAPS = 20;

    /** The time after a pause of Downbeat in which the first responses may still be under way. */
    private static final long AFTER_PAUSE_NANOS = 100_000_000;

    private static final double MOST = 0.5;

    /** The accepted probability that an incident hits requests of one name only by chance. */
    private static final double MOST_CHANCE = 0.01;

    private final RunResult result;
    private final List<Overload> overloads;
    private final Interruptions interruptions;
    /** The slowest response of a usual interval, without timeouts, which a lost service makes frequent. */
    private final long usualNanos;

    private final ExplainedGaps explained;
    private final SlowLookups slowLookups;

    private Incidents(RunResult result, ExplainedGaps explained, List<Overload> overloads) {
        this.result = result;
        this.overloads = overloads;
        this.interruptions = result.interruptions();
        this.usualNanos = medianOfSlowest(result.intervals(), Recording::response);
        this.explained = explained;
        this.slowLookups = new SlowLookups(result.kept());
    }

    private static long medianOfSlowest(List<Interval> intervals, Function<Recording, Distribution> kind) {
        long[] slowest = intervals.stream()
                .map(interval -> kind.apply(interval.recording()))
                .filter(times -> !times.isEmpty())
                .mapToLong(Distribution::maxNanos)
                .sorted()
                .toArray();
        return slowest.length == 0 ? 0 : slowest[slowest.length / 2];
    }

    /**
     * The incidents of a run, or of its requests of one name, in order of time: delays, overloads and periods of
     * failures.
     *
     * @param explained the gaps of the whole run that are no stalls
     * @param possible overloads of the same requests, not joined: gaps in them are no stalls
     * @param certain the overloads that Downbeat's own delays do not explain, not joined
     */
    public static List<Incident> of(
            RunResult result, ExplainedGaps explained, List<Overload> possible, List<Overload> certain) {
        Incidents incidents = new Incidents(result, explained, possible);
        List<Incident> all = incidents.delays();
        List<Incident> errors = FailurePeriods.of(result).stream()
                .filter(period -> !incidents.isCoveredByStall(all, period))
                .toList();
        all.addAll(errors);
        all.addAll(incidents.overloaded(certain));
        all.sort(Comparator.comparingLong(Incident::startNanos));
        return incidents.withNames(all);
    }

    /** With several services, one of them may stall alone; the names of the requests show which. */
    private List<Incident> withNames(List<Incident> all) {
        Set<String> names = result.recording().requests().keySet();
        if (names.size() < 2) {
            return List.copyOf(all);
        }
        List<Interval> ofNames = result.intervalsOfNames();
        return all.stream()
                .map(incident -> incident.cause().isOfService() ? withName(incident, names, ofNames) : incident)
                .toList();
    }

    private Incident withName(Incident incident, Set<String> names, List<Interval> ofNames) {
        long againNanos = incident.startNanos() + incident.lengthNanos() + incident.catchUpNanos();
        long slowNanos = Math.min(slowNanos(usualNanos), incident.lengthNanos() / 4);
        List<Interval> during = ofNames.stream()
                .filter(interval -> interval.endNanos() > incident.startNanos()
                        && interval.startNanos() <= againNanos + incident.slowestNanos())
                .toList();
        List<String> hit = names.stream()
                .filter(name -> during.stream()
                        .anyMatch(interval -> interval.recording()
                                        .named(name)
                                        .responseAtLeast()
                                        .countAbove(Math.max(slowNanos, interval.startNanos() - againNanos))
                                > 0))
                .toList();
        return hit.size() == 1 && !isByChance(hit.get(0), incident.requestsHit()) ? incident.of(hit.get(0)) : incident;
    }

    /** Whether an incident of the whole service may have hit this name only, or requests without a name. */
    private boolean isByChance(String name, long requestsHit) {
        Recording all = result.recording();
        long planned = all.ledger().planned();
        long named = all.requests().values().stream()
                .mapToLong(each -> each.ledger().planned())
                .sum();
        double share = (double) all.named(name).ledger().planned() / Math.max(1, planned);
        return name.equals(Recording.OTHERS) || named < planned || Math.pow(share, requestsHit) > MOST_CHANCE;
    }

    /** The usual times are those of the rest of the run; there are none if all of it is overload. */
    private List<Incident> overloaded(List<Overload> certain) {
        List<AffectedRequests> hits = Overload.joined(certain).stream()
                .map(phase -> new AffectedRequests(phase.startNanos(), phase.endNanos(), phase.caughtUpNanos()))
                .toList();
        List<Interval> others = result.intervals().stream()
                .filter(interval -> hits.stream().noneMatch(hit -> hit.mayEndIn(interval)))
                .toList();
        long usual = medianOfSlowest(others, Recording::response);
        return hits.stream()
                .map(hit -> incident(hit, hit.usualAgain, Incident.Cause.OVERLOAD, usual))
                .toList();
    }

    private List<Incident> delays() {
        List<Incident> all = new ArrayList<>();
        starting().ifPresent(all::add);
        for (Pause pause : interruptions.pauses()) {
            if (pause.lengthNanos() >= Interruptions.LEAST_NANOS && pause.fromNanos() < result.durationNanos()) {
                all.add(paused(pause));
            }
        }
        List<Incident> periods = SlowPeriods.of(result).stream()
                .filter(period -> overloads.stream()
                        .noneMatch(overload -> period.startNanos() < overload.caughtUpNanos()
                                && overload.startNanos() < period.startNanos() + period.lengthNanos()))
                .toList();
        List<Incident> ends = new ArrayList<>();
        for (Silence silence : interruptions.silences()) {
            stall(silence).ifPresent(stall -> (isEndOfAny(periods, stall) ? ends : all).add(stall));
        }
        List<Incident> slow = periods.stream()
                .filter(period -> all.stream().noneMatch(known -> overlap(known, period)))
                .toList();
        all.addAll(slow);
        ends.stream()
                .filter(end -> !isEndOfAny(slow, end))
                .forEach(all::add); // otherwise no incident would include this wait
        return all;
    }

    private boolean isEndOfAny(List<Incident> periods, Incident stall) {
        return periods.stream().anyMatch(period -> isEndOf(period, stall));
    }

    /** Whether a silence after the load is the end of a slow period, since most of its requests began before it. */
    private boolean isEndOf(Incident period, Incident stall) {
        boolean isAfterLoad = result.windowNanos() - stall.startNanos() < leastGapNanos();
        if (!isAfterLoad || stall.cause() == Incident.Cause.UNREACHABLE || !overlap(stall, period)) {
            return false;
        }
        long endNanos = stall.startNanos() + stall.lengthNanos();
        long caughtUpNanos = endNanos + stall.catchUpNanos();
        long before = new AffectedRequests(stall.startNanos(), endNanos, caughtUpNanos)
                .above(caughtUpNanos - stall.startNanos() + slowNanos(usualNanos));
        return period.startNanos() < stall.startNanos() && before >= MOST * stall.requestsHit();
    }

    /** Requests due during the pause are sent and answered only afterwards. */
    private Incident paused(Pause pause) {
        AffectedRequests hit =
                new AffectedRequests(pause.fromNanos(), pause.toNanos(), pause.toNanos() + AFTER_PAUSE_NANOS);
        return incident(hit, pause.toNanos(), Incident.Cause.OUR_PAUSE);
    }

    /** Before the first response, a starting client looks like a stalled service. */
    private Optional<Incident> starting() {
        return interruptions.startingNanos() < Interruptions.LEAST_NANOS
                ? Optional.empty()
                : Optional.of(incident(
                        0, interruptions.startingNanos(), interruptions.startingNanos(), Incident.Cause.STARTING));
    }

    private boolean overlap(Incident known, Incident period) {
        long stepNanos = result.plan().intervalNanos();
        return period.startNanos() <= known.startNanos() + known.lengthNanos() + known.catchUpNanos() + stepNanos
                && known.startNanos() <= period.startNanos() + period.lengthNanos();
    }

    /** Whether a stall covers most of a period of failures, which are then its timeouts or refusals. */
    private boolean isCoveredByStall(List<Incident> delays, Incident period) {
        long stepNanos = result.plan().intervalNanos();
        long covered = delays.stream()
                .filter(delay -> delay.cause().isOfService())
                .mapToLong(delay -> Math.min(
                                delay.startNanos() + delay.lengthNanos() + delay.catchUpNanos() + stepNanos,
                                period.startNanos() + period.lengthNanos())
                        - Math.max(delay.startNanos(), period.startNanos()))
                .filter(nanos -> nanos > 0)
                .sum();
        return covered > 0 && covered >= MOST * period.lengthNanos();
    }

    private Optional<Incident> stall(Silence silence) {
        long from = Math.max(silence.fromNanos(), interruptions.startingNanos());
        long to = silence.toNanos();
        for (Pause pause : interruptions.pauses()) { // in order of time
            boolean coversBegin =
                    pause.fromNanos() <= from + AFTER_PAUSE_NANOS && pause.toNanos() > from && pause.fromNanos() < to;
            from = coversBegin ? pause.toNanos() : from;
        }
        for (int i = interruptions.pauses().size() - 1; i >= 0; i--) {
            Pause pause = interruptions.pauses().get(i);
            boolean coversEnd =
                    pause.toNanos() >= to - AFTER_PAUSE_NANOS && pause.fromNanos() < to && pause.toNanos() > from;
            to = coversEnd ? pause.fromNanos() : to;
        }
        if (isShortOrOfOverload(from, to)) {
            return Optional.empty();
        }
        Incident.Cause cause = couldNotConnect(from, to)
                ? Incident.Cause.UNREACHABLE
                : slowLookups.cover(from, to) ? Incident.Cause.SLOW_LOOKUP : Incident.Cause.SERVICE_STALL;
        if (cause == Incident.Cause.SERVICE_STALL && explained.contains(from, to)) {
            return Optional.empty();
        }
        Incident stall = incident(from, to, Math.max(to, caughtUpNanos(silence)), cause);
        return Optional.of(isLast(silence) ? stall.open() : stall);
    }

    /** From the start of an overload on, requests wait because of it, not because of an earlier stall. */
    private long caughtUpNanos(Silence silence) {
        return overloads.stream()
                .mapToLong(Overload::startNanos)
                .filter(nanos -> nanos > silence.fromNanos())
                .reduce(silence.caughtUpNanos(), Math::min);
    }

    private boolean isShortOrOfOverload(long from, long to) {
        return to - from < leastGapNanos() || overloads.stream().anyMatch(overload -> overload.affects(from));
    }

    private long leastGapNanos() {
        return Math.max(Interruptions.LEAST_NANOS, USUAL_GAPS * interruptions.medianGapNanos());
    }

    /** Whether no response followed the gap. */
    private boolean isLast(Silence silence) {
        return interruptions.gaps().stream()
                .anyMatch(gap -> gap.toNanos() == Long.MAX_VALUE && gap.afterNanos() <= silence.afterNanos());
    }

    /**
     * Whether most requests planned in the gap got no connection, and opening one failed: with a stalled service, the
     * pool may be exhausted as well. If connections are not counted, failed requests show it. The gap may be a small
     * part of the intervals.
     */
    private boolean couldNotConnect(long from, long to) {
        boolean hasFailed =
                during(from, to).anyMatch(interval -> interval.connections().failed() > 0);
        boolean areCounted = !result.connections().isNone();
        if (!hasFailed && areCounted) {
            return false;
        }
        Recording meanwhile = Interval.sum(during(from, to).toList());
        Ledger ledger = meanwhile.ledger();
        long unconnected = areCounted ? ledger.unconnected() : Math.min(ledger.unconnected(), ledger.failed());
        double plannedMeanwhile = result.ledger().planned() * (double) (to - from) / Math.max(1, result.windowNanos());
        return 2 * (unconnected - meanwhile.unbuilt()) > Math.min(ledger.accounted(), plannedMeanwhile);
    }

    private Stream<Interval> during(long from, long to) {
        return result.intervals().stream()
                .filter(interval -> interval.endNanos() > from && interval.startNanos() <= to);
    }

    private Incident incident(long from, long to, long caughtUp, Incident.Cause cause) {
        return incident(new AffectedRequests(from, to, caughtUp), caughtUp, cause);
    }

    private Incident incident(AffectedRequests hit, long caughtUp, Incident.Cause cause) {
        return incident(hit, caughtUp, cause, usualNanos);
    }

    private Incident incident(AffectedRequests hit, long caughtUp, Incident.Cause cause, long usual) {
        long lengthNanos = hit.to - hit.from;
        long requests = hit.above(Math.min(slowNanos(usual), lengthNanos / 4));
        return new Incident(
                hit.from,
                lengthNanos,
                requests,
                requests == 0 ? 0 : tailShare(result, hit::above), // failed requests are not part of the tail
                hit.slowestNanos(),
                cause,
                caughtUp - hit.to,
                false,
                hit.hasUnseen(),
                "");
    }

    private long slowNanos(long usual) {
        return Math.min(2 * usual, result.plan().timeoutNanos() / 2);
    }

    /** The share of the requests beyond p99 that an incident hit, from its count of requests above a time. */
    private static double tailShare(RunResult result, LongUnaryOperator above) {
        Distribution whole = result.recording().responseAtLeast();
        long p99 = whole.valueAtPercentile(99);
        // if more than 1 % timed out, the timeouts are the tail
        long tail = whole.countAbove(p99) > 0 ? p99 : p99 - p99 / 100;
        return Math.min(1, (double) above.applyAsLong(tail) / Math.max(1, whole.countAbove(tail)));
    }

    /**
     * The requests due before service was back to normal that had not ended when the incident began. Only the interval
     * in which a request ended is known. Its intended time follows from its response time, to within one interval.
     */
    private final class AffectedRequests {
        private final long from;
        private final long to;
        private final long usualAgain;
        /** The latest end of any of them: none took longer than the slowest request of the run. */
        private final long lastNanos;

        AffectedRequests(long from, long to, long usualAgain) {
            this.from = from;
            this.to = to;
            this.usualAgain = usualAgain;
            lastNanos = usualAgain + result.recording().responseAtLeast().maxNanos();
        }

        /** Number of requests that took longer. */
        long above(long nanos) {
            return ended().mapToLong(interval -> times(interval).countAbove(Math.max(nanos, leastNanos(interval))))
                    .sum();
        }

        long slowestNanos() {
            return ended().mapToLong(this::slowestNanos).max().orElse(0);
        }

        /** Whether some of them were not seen to end. */
        boolean hasUnseen() {
            return ended().anyMatch(interval -> interval.recording().censored().maxNanos() > leastNanos(interval));
        }

        private long slowestNanos(Interval interval) {
            long nanos = times(interval).maxNanos();
            return nanos > leastNanos(interval) ? nanos : 0;
        }

        private Stream<Interval> ended() {
            return result.intervals().stream().filter(this::mayEndIn);
        }

        boolean mayEndIn(Interval interval) {
            return interval.endNanos() > from && interval.startNanos() <= lastNanos;
        }

        /** Of requests answered before the incident, at most timeouts can have ended in it. */
        private Distribution times(Interval interval) {
            boolean isBefore = interval.startNanos() < from && interval.endNanos() <= to;
            return isBefore
                    ? interval.recording().censored()
                    : interval.recording().responseAtLeast();
        }

        private long leastNanos(Interval interval) {
            return Math.max(0, interval.startNanos() - usualAgain);
        }
    }

    /**
     * Finds slow requests that occurred together without a gap in responses. The slowest request of each second is compared
     * with those of all seconds. It must be far beyond their scatter: the median and median absolute deviation of the
     * logarithms, which an incident hardly affects. More than a few requests must be affected, so that a single slow
     * request or ordinary queueing does not count.
     */
    private record SlowPeriods(RunResult result, long usualNanos, long limitNanos) {
        /** With fewer seconds, the usual level is unknown. */
        private static final int LEAST_INTERVALS = 8;

        private static final double DEVIATIONS = 8;

        /** A second is not notable below this multiple of the usual level, however even the run is. */
        private static final double LEAST_FACTOR = 5;

        /** A second above this multiple is always notable, however uneven the run is. */
        private static final double CERTAIN_FACTOR = 15;

        /** A request is affected if it exceeds the slow requests of a usual second by this factor. */
        private static final double HIT_FACTOR = 2;

        private static final int LEAST_HIT = 5;

        /** The accepted probability of a period in a run whose slow requests are independent of each other. */
        private static final double CHANCE = 0.01;

        /** The least share of the tail that an incident must explain. */
        private static final double LEAST_SHARE = 0.01;

        private static final double MOST = 0.5;

        /** The slow periods of a run in order of time. */
        static List<Incident> of(RunResult result) {
            double[] logs = result.intervals().stream()
                    .map(SlowPeriods::times)
                    .filter(times -> !times.isEmpty())
                    .mapToDouble(times -> Math.log((double) times.maxNanos()))
                    .toArray();
            if (logs.length < LEAST_INTERVALS) {
                return List.of();
            }
            double usual = Series.median(logs);
            double spread = Series.sigma(logs);
            double limit =
                    usual + Math.max(Math.log(LEAST_FACTOR), Math.min(Math.log(CERTAIN_FACTOR), DEVIATIONS * spread));
            return new SlowPeriods(result, (long) Math.exp(usual), (long) Math.exp(limit)).found();
        }

        private static Distribution times(Interval interval) {
            return interval.recording().responseAtLeast();
        }

        private List<Incident> found() {
            List<Incident> found = new ArrayList<>();
            List<Interval> open = new ArrayList<>();
            boolean isSlow = false;
            for (Interval interval : result.intervals()) {
                long hit = times(interval).countAbove(hitNanos());
                if (hit == 0 || (!isSlow && hit < LEAST_HIT && times(interval).maxNanos() <= limitNanos)) {
                    if (isSlow) {
                        incident(open).ifPresent(found::add);
                    }
                    open.clear();
                    isSlow = false;
                } else {
                    open.add(interval);
                    isSlow |= times(interval).maxNanos() > limitNanos;
                }
            }
            if (isSlow) {
                incident(open).ifPresent(found::add);
            }
            return found;
        }

        private long hitNanos() {
            return (long) (HIT_FACTOR * usualNanos);
        }

        private Optional<Incident> incident(List<Interval> seconds) {
            long hit = seconds.stream()
                    .mapToLong(second -> times(second).countAbove(hitNanos()))
                    .sum();
            Recording all = Interval.sum(seconds);
            if (hit < LEAST_HIT || isByChance(seconds, all)) {
                return Optional.empty();
            }
            double share = tailShare(result, all.responseAtLeast()::countAbove);
            if (share < LEAST_SHARE) {
                return Optional.empty();
            }
            long slowestNanos = all.responseAtLeast().maxNanos();
            long endNanos = seconds.get(seconds.size() - 1).endNanos();
            Optional<Exemplar> example = example(seconds.get(0).startNanos(), endNanos, slowestNanos);
            long startNanos = Math.max(
                    0,
                    example.map(Exemplar::intendedNanos).orElse(seconds.get(0).endNanos() - slowestNanos));
            long lastNanos = seconds.size() == 1
                    ? example.map(slow -> slow.intendedNanos() + slow.responseNanos())
                            .orElse(endNanos)
                    : endNanos;
            Incident.Cause cause = cause(all, hit, seconds, example, startNanos, lastNanos);
            Pause span = cause == Incident.Cause.OUR_PAUSE
                    ? ownPause(all, startNanos, lastNanos)
                    : span(seconds.get(0).startNanos(), endNanos)
                            .orElseGet(() -> new Pause(startNanos, Math.max(startNanos + slowestNanos, lastNanos)));
            return Optional.of(new Incident(
                    span.fromNanos(),
                    span.lengthNanos(),
                    hit,
                    share,
                    slowestNanos,
                    cause,
                    0,
                    false,
                    all.censored().maxNanos() > hitNanos(),
                    ""));
        }

        /** Whether independent slow requests would be as numerous in these seconds, and in each single one. */
        private boolean isByChance(List<Interval> seconds, Recording all) {
            PlannedCounts plannedCounts = new PlannedCounts(result.intervals());
            long fromNanos = seconds.get(0).startNanos();
            long toNanos = seconds.get(seconds.size() - 1).endNanos();
            return isByChance(all, fromNanos, toNanos, plannedCounts)
                    && seconds.stream()
                            .allMatch(second -> isByChance(
                                    second.recording(), second.startNanos(), second.endNanos(), plannedCounts));
        }

        private boolean isByChance(Recording seconds, long fromNanos, long toNanos, PlannedCounts plannedCounts) {
            return LongStream.of(hitNanos(), limitNanos).allMatch(slowNanos -> {
                double expected = isLive()
                        ? expectedOfEnded(seconds, slowNanos)
                        : expected(fromNanos, toNanos, slowNanos, plannedCounts);
                double chance = PoissonTail.atLeast(seconds.responseAtLeast().countAbove(slowNanos), expected);
                return chance * result.intervals().size() > CHANCE;
            });
        }

        private boolean isLive() {
            return result.plan().workload() instanceof Workload.External external && external.isLive();
        }

        /** For a live recorder: slow requests that end in its first seconds were planned before it started. */
        private double expectedOfEnded(Recording seconds, long slowNanos) {
            Distribution whole = result.recording().responseAtLeast();
            return (double) whole.countAbove(slowNanos)
                    * seconds.responseAtLeast().count()
                    / whole.count();
        }

        /** By the requests planned their response time earlier: after the load, only slow ones still end. */
        private double expected(long fromNanos, long toNanos, long slowNanos, PlannedCounts plannedCounts) {
            long planned = Math.max(1, result.ledger().planned());
            double[] expected = new double[1];
            result.recording().responseAtLeast().forEach((nanos, count) -> {
                if (nanos > slowNanos) {
                    expected[0] += plannedCounts.ending(fromNanos, toNanos, nanos) * count / planned;
                }
            });
            return expected[0];
        }

        /** The span of the slow requests that ended in these seconds, without the earliest 1 %; empty if not kept. */
        private Optional<Pause> span(long fromNanos, long toNanos) {
            List<KeptRequest> kept = result.kept().slowest();
            if (kept.isEmpty() || kept.get(kept.size() - 1).responseNanos() > hitNanos()) {
                return Optional.empty();
            }
            List<KeptRequest> slow = kept.stream()
                    .takeWhile(one -> one.responseNanos() > hitNanos())
                    .filter(one -> one.completedNanos() >= fromNanos && one.completedNanos() <= toNanos)
                    .sorted(Comparator.comparingLong(KeptRequest::intendedNanos))
                    .toList();
            return slow.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Pause(
                            Math.max(0, slow.get(slow.size() / 100).intendedNanos()),
                            slow.stream()
                                    .mapToLong(KeptRequest::completedNanos)
                                    .max()
                                    .getAsLong()));
        }

        /** A pause is no longer than Downbeat's greatest lateness, however far apart its affected requests are. */
        private Pause ownPause(Recording all, long startNanos, long lastNanos) {
            return isOwnPause(all.responseAtLeast().maxNanos(), startNanos, lastNanos)
                    ? result.longestPause()
                    : new Pause(startNanos, startNanos + all.lateness().maxNanos());
        }

        /** The slowest request that ended in the period, if it was kept. */
        private Optional<Exemplar> example(long fromNanos, long toNanos, long slowestNanos) {
            return result.recording().anatomy().exemplars().stream()
                    .filter(exemplar -> exemplar.responseNanos() >= slowestNanos * 0.9)
                    .filter(exemplar -> {
                        long endedNanos = exemplar.intendedNanos() + exemplar.responseNanos();
                        return endedNanos >= fromNanos && endedNanos <= toNanos;
                    })
                    .findFirst();
        }

        private Incident.Cause cause(
                Recording all,
                long hit,
                List<Interval> seconds,
                Optional<Exemplar> example,
                long startNanos,
                long lastNanos) {
            double slowest = all.responseAtLeast().maxNanos();
            if (all.lateness().maxNanos() >= MOST * slowest || isOwnPause(slowest, startNanos, lastNanos)) {
                return Incident.Cause.OUR_PAUSE;
            }
            ConnectionCounts connections =
                    seconds.stream().map(Interval::connections).reduce(ConnectionCounts.NONE, ConnectionCounts::plus);
            double connecting = Stream.of(Part.LOOKUP, Part.CONNECT, Part.HANDSHAKE)
                    .mapToLong(part -> example.map(slow -> slow.partsNanos().getOrDefault(part, 0L))
                            .orElse(0L))
                    .sum();
            if (connections.opened() + connections.failed() > 0 && connecting >= MOST * slowest) {
                return Incident.Cause.CONNECTION_CHURN;
            }
            boolean isServices = all.service().maxNanos() >= MOST * slowest
                    || !all.censored().isEmpty();
            if (isServices && !isCertainlyTheServices(all, hit)) {
                return Incident.Cause.UNKNOWN;
            }
            if (isServices) {
                return result.interruptions().isWatched() ? Incident.Cause.SERVICE_SLOW : Incident.Cause.SERVICE_STALL;
            }
            return all.backlogWait().maxNanos() >= MOST * slowest ? Incident.Cause.BACKLOG : Incident.Cause.UNKNOWN;
        }

        private boolean isOwnPause(double slowest, long startNanos, long lastNanos) {
            Pause longest = result.longestPause();
            return longest.lengthNanos() >= MOST * slowest
                    && longest.toNanos() >= startNanos
                    && longest.fromNanos() <= lastNanos;
        }

        /** Whether most affected requests would have been slow even without any delay of Downbeat. */
        private boolean isCertainlyTheServices(Recording all, long hit) {
            return !all.times().isOwnDelayKnown()
                    || all.responseWithoutOwnDelay().countAbove(hitNanos()) >= MOST * hit;
        }
    }
}
