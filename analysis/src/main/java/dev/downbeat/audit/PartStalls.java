package dev.downbeat.audit;

import dev.downbeat.audit.FoundStall.Part;
import dev.downbeat.audit.LongestRequests.Kept;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds stalls of a part of the service, such as one of two backends: some requests were stuck while others were
 * answered. The sign is that long requests end together, when that part answers again.
 *
 * <p>Independently slow requests end together only by chance. Take {@code m} of them in a file of length {@code T}. The
 * probability that {@code k} ends lie within {@code d} is at most {@code m} times that of {@code k - 1} or more
 * arrivals of a Poisson process with mean {@code m d / T}. A stall is certain if this is at most 1 %, and possible up
 * to 10 %.
 */
final class PartStalls {
    private static final double CHANCE = 0.01;

    /** The highest probability of chance at which a stall is still possible. */
    private static final double POSSIBLE = 0.1;

    /**
     * In a closed loop, the stuck requests started when the stall began; in an open loop, half of them started later.
     */
    private static final double LATER = 0.3;

    private static final int SCALES = 12;

    /** The most that the ends of a stall's requests may be apart, as a share of its length. */
    private static final double TOGETHER = 0.1;

    private final Collected collected;
    private final List<FoundStall> whole;
    private final List<FoundStall> found = new ArrayList<>();

    private PartStalls(Collected collected, List<FoundStall> whole) {
        this.collected = collected;
        this.whole = whole;
    }

    /** Part stalls outside the stalls of the whole service. */
    static List<FoundStall> of(Collected collected, List<FoundStall> whole, long leastNanos) {
        PartStalls search = new PartStalls(collected, whole);
        long longest = collected.durations().getMaxValue();
        for (int scale = 0; scale < SCALES && longest >> scale >= leastNanos; scale++) {
            search.look(Math.max(leastNanos, longest >> (scale + 1)));
        }
        return search.found;
    }

    /** Searches the requests that lasted at least this long. */
    private void look(long leastNanos) {
        if (leastNanos < collected.longest().shortestNanos()) {
            return;
        }
        List<Kept> slow = collected.longest().from(leastNanos).stream()
                .filter(one -> collected.kinds().isUnusual(one.kind(), one.nanos()))
                .toList();
        long apart = Math.max(
                Math.max(2 * collected.durations().getValueAtPercentile(50), Math.round(TOGETHER * leastNanos)),
                2 * collected.resolutionNanos());
        double expected = (double) slow.size() * apart / collected.lengthNanos();
        int from = 0;
        while (from < slow.size()) {
            int until = from + 1;
            while (until < slow.size()
                    && slow.get(until).endNanos() - slow.get(from).endNanos() <= apart) {
                until++;
            }
            int best = from;
            // the densest group that begins within this one
            int size = until - from;
            for (int begin = from + 1, end = until; begin < until; begin++) {
                while (end < slow.size()
                        && slow.get(end).endNanos() - slow.get(begin).endNanos() <= apart) {
                    end++;
                }
                if (end - begin > size) {
                    size = end - begin;
                    best = begin;
                }
            }
            double chance = chance(size, slow.size(), expected);
            if (chance <= POSSIBLE) {
                add(slow.subList(best, best + size), chance <= CHANCE / SCALES);
                from = best + size;
            } else {
                from++;
            }
        }
    }

    /** The probability that this many slow requests end together somewhere by chance. */
    private static double chance(int size, int of, double expected) {
        return size < 2 ? 1 : of * atLeast(size - 1, expected);
    }

    /** The probability of at least k arrivals. */
    private static double atLeast(int k, double mean) {
        double term = Math.exp(-mean);
        double sum = 0;
        for (int i = 0; i < k; i++) {
            term *= mean / (i + 1);
        }
        for (int i = k; term > 1e-18 && i < k + 1_000; i++) {
            sum += term;
            term *= mean / (i + 1);
        }
        return Math.min(1, sum);
    }

    private void add(List<Kept> stuck, boolean isCertain) {
        long from = stuck.stream().mapToLong(Kept::startNanos).min().orElseThrow();
        long until = stuck.get(stuck.size() - 1).endNanos();
        if (isKnown(whole, from, until) || isKnown(found, from, until)) {
            return;
        }
        Set<Integer> users = new HashSet<>();
        stuck.forEach(request -> users.add(request.user()));
        boolean isNamed = collected.users().areSerial();
        if (isNamed && users.size() < 2) {
            return;
        }
        found.add(stall(from, until, stuck, isNamed ? users.size() : 0, isCertain));
    }

    private static boolean isKnown(List<FoundStall> stalls, long from, long until) {
        return stalls.stream()
                .anyMatch(stall -> stall.fromNanos() <= until && from <= stall.untilNanos() + stall.lengthNanos() / 2);
    }

    private FoundStall stall(long from, long until, List<Kept> stuck, int users, boolean isCertain) {
        StartRates rates = StartRates.around(collected, from, until);
        Timeline timeline = collected.timeline();
        long starts = timeline.startsFrom(timeline.binOf(from), timeline.binOf(until));
        double seconds = stuck.stream().mapToLong(Kept::nanos).sum() / 1e9;
        int of = users > 0 ? collected.users().count() : 0;
        double missing = users > 0
                ? rates.low() * seconds / of - stuck.size()
                : rates.low() * (until - from) / 1e9 - starts - 2 * Math.sqrt((double) starts);
        boolean isWaiting = users > 0 || !startedLater(stuck, from, until);
        Part part = new Part(users, of, stuck.stream().map(Kept::nanos).toList(), Math.max(0, missing), isWaiting);
        return new FoundStall(
                from,
                until,
                stuck.size(),
                starts,
                rates.low(),
                rates.high(),
                isCertain && missing >= 1,
                Optional.of(part));
    }

    private static boolean startedLater(List<Kept> stuck, long from, long until) {
        long half = stuck.stream()
                .mapToLong(Kept::startNanos)
                .sorted()
                .skip(stuck.size() / 2)
                .findFirst()
                .orElseThrow();
        return half - from > LATER * (until - from);
    }
}
