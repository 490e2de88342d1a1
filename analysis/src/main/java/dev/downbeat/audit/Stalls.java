package dev.downbeat.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Finds periods in which requests were in flight and none was answered, from the last response before to the first
 * after. Stalls of a part of the service are found by {@link PartStalls}.
 *
 * <p>Such a period is a stall if starts follow a constant rate, or if the requests in flight cannot all be slow by
 * chance. If {@code q} is the share of requests that last this long, {@code n q^k} must be at most 1 % for the
 * {@code k} stuck requests. So must be the chance that at any moment {@code k} long requests are in flight and end
 * together. A single user never proves a stall, since a slow request delays nobody else. Nor does the time before the
 * first response, when a client opens connections and loads code.
 */
final class Stalls {
    private static final double CHANCE = 0.01;
    private static final int MOST = 10_000;

    /** The most that the ends of a stall's requests may be apart, as a share of its length. */
    private static final double TOGETHER = 0.1;

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
        if (!collected.kinds().areSeveral()) {
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
        if (n * Math.pow(share, (double) gap.stuck) > CHANCE) {
            return false;
        }
        double moments = (double) collected.lengthNanos() / length;
        return moments * Math.pow(shareOfTime(length / 2), (double) gap.stuck) * endTogether(gap, length) <= CHANCE;
    }

    /**
     * The share of all requests' time that long ones take. At any moment, long requests are in flight with this
     * probability.
     */
    private double shareOfTime(long leastNanos) {
        double all = 0;
        double slow = 0;
        for (HistogramIterationValue one : collected.durations().recordedValues()) {
            double time = (double) one.getValueIteratedTo() * one.getCountAtValueIteratedTo();
            all += time;
            slow += one.getValueIteratedTo() >= leastNanos ? time : 0;
        }
        return slow / all;
    }

    /** The chance that as many independent stuck requests end within a tenth of the stall after the first. */
    private double endTogether(Gap gap, long length) {
        long until = timeline.atNanos(gap.until);
        double apart = Math.max(TOGETHER * length, 2.0 * Math.max(timeline.widthNanos(), collected.resolutionNanos()));
        long together = collected.longest().during(timeline.atNanos((gap.from + gap.until) / 2), until - 1).stream()
                .filter(one -> one.endNanos() <= until + apart)
                .count();
        double chance = 1;
        for (int i = 1; i < Math.min(together, gap.stuck); i++) {
            chance *= (double) (gap.stuck - i) / i * (apart / length);
        }
        return Math.min(1, chance);
    }
}
