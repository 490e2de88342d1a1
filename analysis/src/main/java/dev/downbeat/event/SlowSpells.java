package dev.downbeat.event;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Exemplar;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequest;
import dev.downbeat.record.Part;
import dev.downbeat.record.Pause;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds slow requests that occurred together without a gap in responses. The slowest request of each second is compared
 * with those of all seconds. It must be far beyond their scatter: the median and median absolute deviation of the
 * logarithms, which an incident hardly affects. More than a few requests must be affected, so that a single slow
 * request or ordinary queueing does not count.
 */
record SlowSpells(RunResult result, long usualNanos) {
    /** With fewer seconds, the usual level is unknown. */
    private static final int LEAST_INTERVALS = 8;

    private static final double DEVIATIONS = 8;
    private static final double TO_SIGMA = 1.4826;

    /** A second is not notable below this multiple of the usual level, however even the run is. */
    private static final double LEAST_FACTOR = 5;

    /** A second above this multiple is always notable, however uneven the run is. */
    private static final double CERTAIN_FACTOR = 15;

    /** A request is affected if it exceeds the slow requests of a usual second by this factor. */
    private static final double HIT_FACTOR = 2;

    private static final int LEAST_HIT = 5;

    /** The least share of the tail that an incident must explain. */
    private static final double LEAST_SHARE = 0.01;

    private static final double MOST = 0.5;

    /** The spells of a run in order of time. */
    static List<Incident> of(RunResult result) {
        double[] logs = result.intervals().stream()
                .map(SlowSpells::times)
                .filter(times -> !times.isEmpty())
                .mapToDouble(times -> Math.log((double) times.maxNanos()))
                .sorted()
                .toArray();
        if (logs.length < LEAST_INTERVALS) {
            return List.of();
        }
        double usual = median(logs);
        double spread = TO_SIGMA
                * median(Arrays.stream(logs)
                        .map(log -> Math.abs(log - usual))
                        .sorted()
                        .toArray());
        double limit =
                usual + Math.max(Math.log(LEAST_FACTOR), Math.min(Math.log(CERTAIN_FACTOR), DEVIATIONS * spread));
        return new SlowSpells(result, (long) Math.exp(usual)).found((long) Math.exp(limit));
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static Distribution times(Interval interval) {
        return interval.recording().responseAtLeast();
    }

    private List<Incident> found(long limitNanos) {
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
        if (hit < LEAST_HIT) {
            return Optional.empty();
        }
        Recording all = seconds.stream().map(Interval::recording).reduce(Recording.empty(), Recording::plus);
        double share = tailShare(all);
        if (share < LEAST_SHARE) {
            return Optional.empty();
        }
        long slowestNanos = all.responseAtLeast().maxNanos();
        long endNanos = seconds.get(seconds.size() - 1).endNanos();
        Optional<Exemplar> example = example(seconds.get(0).startNanos(), endNanos, slowestNanos);
        long startNanos = Math.max(
                0, example.map(Exemplar::intendedNanos).orElse(seconds.get(0).endNanos() - slowestNanos));
        long lastNanos = seconds.size() == 1
                ? example.map(slow -> slow.intendedNanos() + slow.responseNanos())
                        .orElse(endNanos)
                : endNanos;
        Incident.Cause cause = cause(all, hit, seconds, example, startNanos, lastNanos);
        Pause span = cause == Incident.Cause.OUR_PAUSE
                ? ourPause(all, startNanos, lastNanos)
                : span(seconds.get(0).startNanos(), endNanos)
                        .orElseGet(() -> new Pause(startNanos, Math.max(startNanos + slowestNanos, lastNanos)));
        return Optional.of(new Incident(span.fromNanos(), span.lengthNanos(), hit, share, slowestNanos, cause, 0));
    }

    /**
     * From the first to the last slow request that ended in these seconds, if all of them were kept. One in a hundred
     * may have been due long before: a hung request does not belong to the spell in which it ended.
     */
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
    private Pause ourPause(Recording all, long startNanos, long lastNanos) {
        return isOwnPause(all.responseAtLeast().maxNanos(), startNanos, lastNanos)
                ? result.longestPause()
                : new Pause(startNanos, startNanos + all.lateness().maxNanos());
    }

    private double tailShare(Recording all) {
        Distribution whole = result.recording().responseAtLeast();
        long p99 = whole.valueAtPercentile(99);
        long beyond = whole.countAbove(p99);
        return beyond == 0 ? 1 : Math.min(1, (double) all.responseAtLeast().countAbove(p99) / beyond);
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
        boolean isServices =
                all.service().maxNanos() >= MOST * slowest || !all.censored().isEmpty();
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
        Distribution withoutOurs = all.responseWithoutOurs();
        return withoutOurs.count() < all.responseAtLeast().count() // files of older versions do not have it
                || withoutOurs.countAbove(hitNanos()) >= MOST * hit;
    }
}
