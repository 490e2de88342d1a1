package dev.downbeat.record;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything counted in a period. Immutable. Recordings of one run, or of the shards of a plan, are added with {@link
 * #plus}.
 *
 * @param ledger the fates of the requests
 * @param times durations by fate
 * @param tallies counts per outcome
 * @param waits waits before requests were sent
 * @param anatomy the composition of answered requests
 * @param byName the requests of each name, in order, without data kept only for whole runs; empty if requests have no
 *     names. For scripted sessions it includes {@link #SESSION}, whose requests are whole sessions
 */
public record Recording(
        Ledger ledger,
        ResponseTimes times,
        OutcomeCounts tallies,
        WaitTimes waits,
        Anatomy anatomy,
        Map<String, Recording> byName) {
    /** The name of whole sessions among the request names. */
    public static final String SESSION = "(session)";

    /** The prefix of a group's name. */
    public static final String GROUP = "(group) ";

    /** The row of requests with further names, once the limit of names is reached. */
    public static final String OTHERS = "(other names)";

    private static final Recording EMPTY = of(Ledger.EMPTY, ResponseTimes.NONE, OutcomeCounts.NONE);

    public Recording {
        byName = NamedValues.of(byName);
    }

    /** The counts for one name, without waits or composition. */
    public static Recording of(Ledger ledger, ResponseTimes times, OutcomeCounts tallies) {
        return new Recording(ledger, times, tallies, WaitTimes.NONE, Anatomy.NONE, Map.of());
    }

    /** Whether a name stands for several requests together: a group, or whole sessions. */
    public static boolean isOfSeveral(String name) {
        return name.equals(SESSION) || name.startsWith(GROUP);
    }

    public static Recording empty() {
        return EMPTY;
    }

    public Recording withWaits(WaitTimes seen) {
        return new Recording(ledger, times, tallies, seen, anatomy, byName);
    }

    public Recording with(ResponseTimes durations) {
        return new Recording(ledger, durations, tallies, waits, anatomy, byName);
    }

    public Recording withNames(Map<String, Recording> names) {
        return new Recording(ledger, times, tallies, waits, anatomy, names);
    }

    /** {@link #byName} without groups and sessions, so that names count a request once. */
    public Map<String, Recording> requests() {
        Map<String, Recording> requests = new LinkedHashMap<>(byName);
        requests.keySet().removeIf(Recording::isOfSeveral);
        return requests;
    }

    /** The requests of one name; empty if there are none. */
    public Recording named(String name) {
        return byName.getOrDefault(name, EMPTY);
    }

    public Recording plus(Recording other) {
        if (other == EMPTY || this == EMPTY) {
            return other == EMPTY ? this : other;
        }
        return new Recording(
                ledger.plus(other.ledger),
                times.plus(other.times),
                tallies.plus(other.tallies),
                waits.plus(other.waits),
                anatomy.plus(other.anatomy),
                sumOfNames(byName, other.byName));
    }

    /** The sum of several, in order of time: each distribution in one pass. */
    public static Recording sum(List<Recording> parts) {
        List<Recording> counted = parts.stream().filter(part -> part != EMPTY).toList();
        if (counted.size() < 2) {
            return counted.isEmpty() ? EMPTY : counted.get(0);
        }
        Map<String, List<Recording>> names = new LinkedHashMap<>();
        counted.forEach(part -> part.byName.forEach((name, own) ->
                names.computeIfAbsent(name, first -> new ArrayList<>()).add(own)));
        Map<String, Recording> byName = new LinkedHashMap<>();
        names.forEach((name, own) -> byName.put(name, sum(own)));
        return new Recording(
                counted.stream().map(Recording::ledger).reduce(Ledger.EMPTY, Ledger::plus),
                ResponseTimes.sum(counted.stream().map(Recording::times).toList()),
                counted.stream().map(Recording::tallies).reduce(OutcomeCounts.NONE, OutcomeCounts::plus),
                WaitTimes.sum(counted.stream().map(Recording::waits).toList()),
                Anatomy.sum(counted.stream().map(Recording::anatomy).toList()),
                NamedValues.taking(byName));
    }

    /**
     * What was counted since an earlier state of the same sum, without data kept only for whole runs.
     *
     * @param earlier counts nothing that this does not
     */
    public Recording since(Recording earlier) {
        Map<String, Recording> names = new LinkedHashMap<>();
        byName.forEach((name, recording) -> names.put(name, recording.since(earlier.named(name))));
        names.values().removeIf(recording -> recording.ledger.equals(Ledger.EMPTY));
        return new Recording(
                        ledger.since(earlier.ledger),
                        times.since(earlier.times),
                        tallies.since(earlier.tallies),
                        waits.since(earlier.waits),
                        Anatomy.NONE,
                        NamedValues.taking(names))
                .forTimeline();
    }

    /** A copy with the counts per name of another recording added. */
    public Recording withNamesOf(Recording other) {
        return withNames(sumOfNames(other.byName, byName));
    }

    private static Map<String, Recording> sumOfNames(Map<String, Recording> some, Map<String, Recording> others) {
        if (some.isEmpty()) {
            return others;
        }
        Map<String, Recording> sum = new LinkedHashMap<>(some);
        others.forEach((name, recording) -> sum.merge(name, recording, Recording::plus));
        return NamedValues.taking(sum);
    }

    /** A copy without data kept only for whole runs, which is most of its size. */
    public Recording forTimeline() {
        return new Recording(ledger, times, tallies, waits.forTimeline(), Anatomy.NONE, byName);
    }

    public Recording withLedger(Ledger otherLedger) {
        return new Recording(otherLedger, times, tallies, waits, anatomy, byName);
    }

    /** Requests that were planned and have not ended, as far as these counts go. */
    public long outstanding() {
        return ledger.planned() - ledger.accounted();
    }

    public Distribution response() {
        return times.response();
    }

    public Distribution service() {
        return times.service();
    }

    public Distribution failed() {
        return times.failed();
    }

    /** Failed requests without a time, because they could not be built. */
    public long unbuilt() {
        return Math.max(0, ledger.failed() - times.failed().count());
    }

    public Distribution censored() {
        return times.censored();
    }

    public Map<String, Long> failures() {
        return tallies.failures();
    }

    /** The failed requests that no limit of this process cut short. */
    public long failedByService() {
        return ledger.failed() - tallies.failedByOwnLimit();
    }

    /** The most frequent reason; empty if none failed. */
    public Optional<String> usualFailure() {
        return tallies.usualFailure();
    }

    public Map<String, Long> statuses() {
        return tallies.statuses();
    }

    public Distribution lateness() {
        return waits.lateness();
    }

    public Distribution backlogWait() {
        return waits.backlogWait();
    }

    /**
     * A lower bound on response times without any assumption: each censored request counts as if it had ended when last
     * observed.
     */
    public Distribution responseAtLeast() {
        return response().plus(censored());
    }

    /**
     * A lower bound on the response times caused by the service. All of Downbeat's delays are subtracted, and in
     * starved intervals every possible delay too. {@link #responseAtLeast} is higher by these delays; it is the result
     * where they are unknown ({@link ResponseTimes#isOwnDelayKnown}).
     */
    public Distribution responseWithoutOwnDelay() {
        if (!times.isOwnDelayKnown()) {
            return responseAtLeast();
        }
        boolean isKnown = times.censoredWithoutLateness().count() == censored().count();
        return times.withoutLateness().plus(isKnown ? times.censoredWithoutLateness() : censored());
    }

    /**
     * Whether the response time at this percentile is known exactly or only bounded from below. It is known if it is
     * unchanged when every censored request is assumed to last for ever.
     *
     * @param percentile from 0 to 100
     * @throws IllegalArgumentException if {@code percentile} is out of range
     */
    public boolean isKnownAt(double percentile) {
        long rank =
                Distribution.rankOf(percentile, response().count() + censored().count());
        if (censored().isEmpty()) {
            return true;
        }
        return rank <= response().count()
                && response().valueAtRank(rank) == responseAtLeast().valueAtPercentile(percentile);
    }

    /**
     * The composition of answered requests. It is the bulk of a recording and is kept only for whole runs.
     *
     * @param byPosition service times by position on the connection
     * @param attribution the components of response times
     * @param exemplars a few complete requests per doubling of the response time, slowest first
     */
    public record Anatomy(ServiceTimesByPosition byPosition, Attribution attribution, List<Exemplar> exemplars) {
        public static final Anatomy NONE = new Anatomy(ServiceTimesByPosition.empty(), Attribution.empty(), List.of());

        public Anatomy {
            exemplars = List.copyOf(exemplars);
        }

        public Anatomy plus(Anatomy other) {
            return sum(List.of(this, other));
        }

        private static Anatomy sum(List<Anatomy> parts) {
            if (parts.stream().allMatch(part -> part == NONE)) {
                return NONE; // as for each name
            }
            return new Anatomy(
                    ServiceTimesByPosition.sum(
                            parts.stream().map(Anatomy::byPosition).toList()),
                    Attribution.sum(parts.stream().map(Anatomy::attribution).toList()),
                    Exemplars.slowest(parts.stream()
                            .flatMap(part -> part.exemplars.stream())
                            .toList()));
        }
    }
}
