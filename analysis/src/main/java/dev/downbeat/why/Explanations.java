package dev.downbeat.why;

import dev.downbeat.event.Incident;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.why.CauseFinder.Suspect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Explains why requests of a run were slow, by the events that its watchers saw. */
public final class Explanations {
    /** Thresholds for slow requests; the first one beyond which all requests were kept is used. */
    private static final List<Double> PERCENTILES = Percentiles.of(Percentiles.Place.TAIL);

    /** Requests count as slower than typical from this factor on. */
    private static final int SLOW_FACTOR = 2;

    private static final double NOTEWORTHY = 0.05;

    private static final double MOST_OF_THE_TAIL = 0.5;

    /** Fewer are not conclusive. */
    private static final int LEAST_OUTSIDE = 20;

    private final RunResult result;
    private final List<Incident> incidents;
    private final List<WatchResult> watched;
    private final long start;
    private final long end;
    private final long typicalNanos;
    private final List<Suspect> suspects;

    /**
     * Explains the requests beyond p99 (a higher percentile in long runs), then each event, then the tail outside of
     * events. Empty if nothing was watched or no requests were kept. Thread-safe.
     *
     * @param watched what each watcher saw
     * @param events notable events of the run
     */
    public static List<Explanation> of(RunResult result, List<WatchResult> watched, List<Incident> events) {
        Explanations explanations = new Explanations(result, watched, events);
        return explanations.isPossible() ? explanations.all() : List.of();
    }

    private Explanations(RunResult result, List<WatchResult> all, List<Incident> events) {
        this.result = result;
        this.incidents = events;
        this.watched =
                all.stream().filter(one -> one.toNanos() > one.fromNanos()).toList();
        this.start = Math.max(
                0, watched.stream().mapToLong(WatchResult::fromNanos).min().orElse(0));
        this.end = Math.min(
                result.durationNanos(),
                watched.stream().mapToLong(WatchResult::toNanos).max().orElse(0));
        this.typicalNanos = typicalNanos();
        this.suspects = end > start ? Suspect.of(watched, start, end) : List.of();
    }

    private long typicalNanos() {
        long[] times = result.kept().controls().stream()
                .filter(KeptRequest::isAnswered)
                .mapToLong(one -> one.completedNanos() - one.dispatchedNanos())
                .sorted()
                .toArray();
        return times.length == 0 ? 0 : times[times.length / 2];
    }

    /** Control requests that were not slow. If a fifth of all requests is slow, slow ones dominate the total time. */
    private List<KeptRequest> typical() {
        return result.kept().controls().stream()
                .filter(one -> one.completedNanos() - one.dispatchedNanos() <= SLOW_FACTOR * typicalNanos)
                .toList();
    }

    /** Whether anything was watched and requests were kept. */
    private boolean isPossible() {
        return end > start && !result.kept().isEmpty();
    }

    /** Explains the tail, each incident, and the tail outside of incidents where both are considerable. */
    private List<Explanation> all() {
        List<Explanation> all = new ArrayList<>();
        TestedExplanation tail = tail();
        all.add(tail.explanation);
        incidents.forEach(incident -> all.add(incident(incident, tail)));
        rest(tail.slow).ifPresent(all::add);
        return all;
    }

    /** An explanation, with the suspects that are causes or ruled out, and the slow requests examined. */
    private record TestedExplanation(
            Explanation explanation, Set<Suspect> causes, Set<Suspect> ruledOut, List<KeptRequest> slow) {}

    private TestedExplanation tail() {
        List<KeptRequest> slowest = result.kept().slowest();
        long fromNanos = tailFromNanos();
        List<KeptRequest> beyond =
                slowest.stream().filter(one -> one.responseNanos() > fromNanos).toList();
        return explained(new Explanation.Tail(tailPercentile()), fromNanos, beyond, suspects, 1, Set.of());
    }

    /** The response time above which all requests were kept. */
    private long leastKeptNanos() {
        List<KeptRequest> slowest = result.kept().slowest();
        boolean isWhole = slowest.size() >= result.ledger().accounted();
        return isWhole ? -1 : slowest.get(slowest.size() - 1).responseNanos();
    }

    private double tailPercentile() {
        Distribution times = result.recording().responseAtLeast();
        double percentile = PERCENTILES.get(0);
        for (int i = 1; i < PERCENTILES.size() && times.valueAtPercentile(percentile) < leastKeptNanos(); i++) {
            percentile = PERCENTILES.get(i);
        }
        return percentile;
    }

    private long tailFromNanos() {
        return Math.max(leastKeptNanos(), result.recording().responseAtLeast().valueAtPercentile(tailPercentile()));
    }

    /** Explains the tail outside of incidents, since a large incident would hide recurring events. */
    private Optional<Explanation> rest(List<KeptRequest> tail) {
        List<KeptRequest> outside = tail.stream()
                .filter(one -> incidents.stream().noneMatch(incident -> isHit(one, incident)))
                .toList();
        boolean isWorthIt = outside.size() >= LEAST_OUTSIDE && outside.size() < tail.size();
        return isWorthIt
                ? Optional.of(explained(
                                new Explanation.Rest(tailPercentile()), tailFromNanos(), outside, suspects, 1, Set.of())
                        .explanation)
                : Optional.empty();
    }

    private static boolean isHit(KeptRequest one, Incident incident) {
        long from = incident.startNanos();
        return one.completedNanos() > from
                && one.dispatchedNanos() < from + incident.lengthNanos() + incident.catchUpNanos();
    }

    /** If an incident dominates the tail, suspects that were ruled out for the tail are not tested again. */
    private Explanation incident(Incident incident, TestedExplanation tail) {
        boolean isOwnPause = incident.cause() == Incident.Cause.OUR_PAUSE;
        Explanation.Subject subject = new Explanation.During(incident);
        long fromNanos = SLOW_FACTOR * typicalNanos;
        if (isOwnPause) {
            return nothing(subject, fromNanos, "Downbeat itself was paused, which no event of the service explains");
        }
        List<KeptRequest> hit = result.kept().slowest().stream()
                .filter(one -> isHit(one, incident))
                .filter(one -> one.responseNanos() > fromNanos)
                .toList();
        List<Suspect> candidates = incident.tailShare() < MOST_OF_THE_TAIL
                ? suspects
                : suspects.stream()
                        .filter(suspect -> !tail.ruledOut.contains(suspect))
                        .toList();
        return explained(subject, fromNanos, hit, candidates, incidents.size(), tail.causes).explanation;
    }

    private static Explanation nothing(Explanation.Subject subject, long fromNanos, String note) {
        return new Explanation(subject, fromNanos, 0, List.of(), 1, List.of(note));
    }

    private TestedExplanation explained(
            Explanation.Subject subject,
            long fromNanos,
            List<KeptRequest> slow,
            List<Suspect> candidates,
            int questions,
            Set<Suspect> known) {
        List<KeptRequest> kept = Stream.concat(result.kept().slowest().stream(), result.kept().controls().stream())
                .toList();
        SlowRequests requests = SlowRequests.of(slow, kept, fromNanos, typicalNanos);
        if (requests.totalNanos() == 0) {
            return new TestedExplanation(
                    nothing(subject, fromNanos, "no request took longer than a typical one"), Set.of(), Set.of(), slow);
        }
        CauseFinder finder =
                new CauseFinder(requests, typical(), LoadLevels.of(result, requests.inFlight(), start, end));
        finder.test(candidates, questions, known);
        List<String> notes = new ArrayList<>(finder.notes(subject.time()));
        double lateness = latenessShare(slow, requests);
        if (lateness > NOTEWORTHY) {
            notes.add(String.format(
                    Locale.ROOT, "%.0f %% of %s is Downbeat's own lateness", 100 * lateness, subject.time()));
        }
        double watchedShare = (double) (end - start) / Math.max(1, result.durationNanos());
        if (watchedShare < 1 - NOTEWORTHY) {
            notes.add(String.format(
                    Locale.ROOT,
                    "the service was watched for %s of %s",
                    DurationText.rounded(end - start),
                    DurationText.rounded(result.durationNanos())));
        }
        return new TestedExplanation(
                new Explanation(subject, fromNanos, slow.size(), finder.causes(), finder.unexplained(), notes),
                finder.causingSuspects(),
                finder.ruledOut(),
                slow);
    }

    private static double latenessShare(List<KeptRequest> slow, SlowRequests requests) {
        double lateNanos = slow.stream()
                .mapToDouble(one -> one.dispatchedNanos() - one.intendedNanos())
                .sum();
        return lateNanos / requests.totalNanos();
    }
}
