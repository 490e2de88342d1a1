package dev.downbeat.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Finds periods in which requests were in flight and none was answered, from the last response before to the first
 * after. Stalls of a part of the service are found by {@link PartStalls}.
 *
 * <p>Such a period is a stall only if the requests in flight cannot all be slow by chance, or if starts follow a
 * constant rate. If {@code q} is the share of requests that last this long, {@code n q^k} must be at most 1 % for the
 * {@code k} stuck requests. A single user never proves a stall, since a slow request delays nobody else. Nor does the
 * time before the first response, when a client opens connections and loads code.
 */
final class Stalls {
    private static final double CHANCE = 0.01;
    private static final int MOST = 10_000;

    private final Collected collected;
    private final Timeline timeline;
    private final long n;
    private final double perNano;

    private Stalls(Collected collected) {
        this.collected = collected;
        this.timeline = collected.timeline();
        this.n = collected.count();
        this.perNano = (double) n / collected.lengthNanos();
    }

    static List<FoundStall> of(Collected collected) {
        return collected.count() < 10 ? List.of() : new Stalls(collected).find();
    }

    /** Shorter gaps may be the ordinary distance between responses. */
    private long leastNanos() {
        Histogram durations = collected.durations();
        double silence = (Math.log((double) n) + 7) / perNano; // of a Poisson process: once in a thousand such files
        long typical = 3 * durations.getValueAtPercentile(50);
        long fine = 4 * Math.max(timeline.widthNanos(), collected.resolutionNanos());
        return Math.max((long) silence, Math.max(typical, fine));
    }

    /** Shorter requests may be the slow ones of a service without stalls. */
    private long partNanos() {
        long fine = 4 * Math.max(timeline.widthNanos(), collected.resolutionNanos());
        return Math.max(fine, 5 * collected.durations().getValueAtPercentile(50));
    }

    private record Gap(int from, int until, long stuck, boolean isFirst) {}

    private List<FoundStall> find() {
        long least = leastNanos();
        List<Gap> gaps = new ArrayList<>();
        long inFlight = 0;
        int from = -1;
        boolean isFirst = true;
        for (int bin = 0; bin < timeline.bins() && gaps.size() < MOST; bin++) {
            if (timeline.endsIn(bin) > 0) {
                if (from >= 0 && (bin - from) * timeline.widthNanos() >= least) {
                    long stuck = unusual(from, bin, stuck(from, bin, inFlight));
                    if (stuck > 0) {
                        gaps.add(new Gap(from, bin, stuck, isFirst));
                    }
                }
                from = -1;
                isFirst = false;
            }
            inFlight += timeline.startsIn(bin) - timeline.endsIn(bin);
            if (from < 0 && inFlight > 0) {
                from = bin + 1;
            }
        }
        List<FoundStall> found = new ArrayList<>();
        for (int i = 0; i < gaps.size(); i++) {
            found.add(stall(gaps, i));
        }
        found.addAll(PartStalls.of(collected, List.copyOf(found), partNanos()));
        found.sort(Comparator.comparingLong(FoundStall::fromNanos));
        return found;
    }

    /** Requests in flight no later than from the middle of the period on. */
    private long stuck(int from, int until, long inFlight) {
        return inFlight - timeline.startsFrom((from + until) / 2, until);
    }

    /** The stuck requests without those that are slow for their kind. */
    private long unusual(int from, int until, long stuck) {
        if (!collected.kinds().areTold()) {
            return stuck;
        }
        List<LongestRequests.Kept> known =
                collected.longest().during(timeline.atNanos((from + until) / 2), timeline.atNanos(until - 1));
        long usual = known.stream()
                .filter(one -> !collected.kinds().isUnusual(one.kind(), one.nanos()))
                .count();
        return stuck - usual;
    }

    private FoundStall stall(List<Gap> gaps, int i) {
        Gap gap = gaps.get(i);
        int begin = i == 0 ? timeline.binOf(collected.firstStartNanos()) : gaps.get(i - 1).until;
        int end = i == gaps.size() - 1 ? timeline.binOf(collected.lastStartNanos()) : gaps.get(i + 1).from;
        StartRates rates = StartRates.between(collected, gap.from, gap.until, begin, end);
        return new FoundStall(
                timeline.atNanos(gap.from),
                timeline.atNanos(gap.until),
                gap.stuck,
                timeline.startsFrom(gap.from, gap.until),
                rates.low(),
                rates.high(),
                isCertain(gap, (gap.until - gap.from) * timeline.widthNanos()),
                Optional.empty());
    }

    private boolean isCertain(Gap gap, long length) {
        if (gap.isFirst) {
            return false;
        }
        if (collected.pace().isConstant(collected.resolutionNanos(), collected.durations())) {
            return true; // requests due in the stall were planned
        }
        if (gap.stuck < 2) {
            return false;
        }
        Histogram durations = collected.durations();
        double share = (double) durations.getCountBetweenValues(length / 2, durations.getMaxValue()) / n;
        return n * Math.pow(share, (double) gap.stuck) <= CHANCE;
    }
}
