package dev.downbeat.audit;

import dev.downbeat.audit.ResultCollector.LongestRequests;
import dev.downbeat.audit.ResultCollector.LongestRequests.Kept;
import dev.downbeat.stats.PoissonTail;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 * first response, when a client opens connections and loads code, or that after the last start, when the load may be
 * over.
 */
public final class Stalls {
    private static final double CHANCE = 0.01;
    private static final int MOST = 10_000;

    /** The most that the ends of a stall's requests may be apart, as a share of its length. */
    private static final double TOGETHER = 0.1;

    /** If a smaller share of the requests in flight at the end is stuck, the service did not stall. */
    private static final double MOST_OF_USERS = 0.75;

    /** The time before the end over which requests in flight are averaged; short, since the load may ramp down. */
    private static final long END_NANOS = 500_000_000;

    private final ResultCollector collected;
    private final Timeline timeline;
    private final long n;
    private final double perNano;

    private Stalls(ResultCollector collected) {
        this.collected = collected;
        this.timeline = collected.timeline();
        this.n = collected.count();
        this.perNano = (double) n / collected.lengthNanos();
    }

    static List<FoundStall> of(ResultCollector collected) {
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
            if (!isRestOfLoad(gaps.get(i))) {
                found.add(stall(gaps, i));
            }
        }
        List<FoundStall> parts = PartStalls.of(collected, List.copyOf(found), partNanos());
        found.removeIf(gap -> parts.stream().anyMatch(part -> PartStalls.displaces(part, gap)));
        found.addAll(parts);
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
                isCertain(gap),
                Optional.empty());
    }

    private boolean isLast(Gap gap) {
        return timeline.binOf(collected.lastStartNanos()) < gap.until;
    }

    /** Whether only slow requests of a finished load remain: few of those in flight, or explained by chance. */
    private boolean isRestOfLoad(Gap gap) {
        if (!isLast(gap)) {
            return false;
        }
        return gap.stuck < MOST_OF_USERS * inFlightBefore(gap)
                || (collected.hasConstantPace() && !isUnlikely(gap, lengthNanos(gap)));
    }

    /** Requests in flight just before the last start and the period, on average. */
    private double inFlightBefore(Gap gap) {
        int until = Math.min(gap.from, timeline.binOf(collected.lastStartNanos()));
        int from = Math.max(0, until - (int) (Math.max(END_NANOS, leastNanos()) / timeline.widthNanos()));
        double sum = 0;
        long now = 0;
        for (int bin = 0; bin < until; bin++) {
            now += timeline.startsIn(bin) - timeline.endsIn(bin);
            sum += bin < from ? 0 : now;
        }
        return sum / Math.max(1, until - from);
    }

    private long lengthNanos(Gap gap) {
        return (gap.until - gap.from) * timeline.widthNanos();
    }

    private boolean isCertain(Gap gap) {
        if (gap.isFirst || isLast(gap)) {
            return false;
        }
        return collected.hasConstantPace() // requests due in the stall were planned
                || isUnlikely(gap, lengthNanos(gap));
    }

    /** Whether the stuck requests can hardly all be slow by chance. */
    private boolean isUnlikely(Gap gap, long length) {
        if (gap.stuck < 2) {
            return false;
        }
        Histogram durations = collected.durations();
        double share = (double) durations.getCountBetweenValues(length / 2, durations.getMaxValue()) / n;
        if (n * Math.pow(share, (double) gap.stuck) > CHANCE) {
            return false;
        }
        double moments = (double) collected.lengthNanos() / length;
        return moments * Math.pow(shareOfTime(length / 2), (double) gap.stuck) * chanceOfCommonEnd(gap, length)
                <= CHANCE;
    }

    /** The share of all requests' time taken by long ones: their probability to be in flight at any moment. */
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
    private double chanceOfCommonEnd(Gap gap, long length) {
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

    /**
     * Finds stalls of a part of the service, such as one of two backends: some requests were stuck while others were
     * answered. Long requests then end together, when that part answers again.
     *
     * <p>Independently slow requests end together only by chance. Take {@code m} of them in a file of length {@code T}.
     * The probability that {@code k} ends lie within {@code d} is at most {@code m} times that of {@code k - 1} or more
     * arrivals of a Poisson process with mean {@code m d / T}. The stall is certain up to 1 %, and possible up to 10 %.
     */
    private static final class PartStalls {
        /** The highest probability of chance at which a stall is still possible. */
        private static final double POSSIBLE = 0.1;

        /** The share of a stall by which half of the stuck requests have started in a closed loop. */
        private static final double LATER = 0.3;

        /** A constant rate with at least this share of the usual starts continued during the stall. */
        private static final double LEAST_OF_PLAN = 0.99;

        private static final int SCALES = 12;

        private final ResultCollector collected;
        private final List<FoundStall> whole;
        private final List<FoundStall> found = new ArrayList<>();

        private PartStalls(ResultCollector collected, List<FoundStall> whole) {
            this.collected = collected;
            this.whole = whole;
        }

        /** Part stalls, except those that overlap a stall of the whole service of at least half their length. */
        static List<FoundStall> of(ResultCollector collected, List<FoundStall> whole, long leastNanos) {
            PartStalls search = new PartStalls(collected, whole);
            long longest = collected.durations().getMaxValue();
            for (int scale = 0; scale < SCALES && longest >> scale >= leastNanos; scale++) {
                search.findFrom(Math.max(leastNanos, longest >> (scale + 1)));
            }
            return search.found;
        }

        /** Searches the requests that lasted at least this long. */
        private void findFrom(long leastNanos) {
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
            return size < 2 ? 1 : of * PoissonTail.atLeast(size - 1, expected);
        }

        private void add(List<Kept> stuck, boolean isCertain) {
            long from = stuck.stream().mapToLong(Kept::startNanos).min().orElseThrow();
            long until = stuck.get(stuck.size() - 1).endNanos();
            if (isKnown(found, from, until)) {
                return;
            }
            Set<Integer> users = new HashSet<>();
            stuck.forEach(request -> users.add(request.user()));
            boolean isNamed = collected.users().areSerial();
            if (isNamed && users.size() < 2) {
                return;
            }
            FoundStall part = stall(from, until, stuck, isNamed ? users.size() : 0, isCertain);
            List<FoundStall> asLong =
                    whole.stream().filter(gap -> !isShort(gap, part)).toList();
            if (!isKnown(asLong, from, until)) {
                found.add(part);
            }
        }

        /** Whether a silence is much shorter than the waits of the stuck requests, so that it does not explain them. */
        private static boolean isShort(FoundStall gap, FoundStall part) {
            List<Long> waits = part.part().orElseThrow().waitNanos();
            return 2 * gap.lengthNanos() < waits.stream().sorted().toList().get(waits.size() / 2);
        }

        /** Whether a possible stall of the whole service is only a silence within a longer stall of a part. */
        static boolean displaces(FoundStall part, FoundStall gap) {
            return !gap.isCertain()
                    && part.fromNanos() <= gap.fromNanos()
                    && gap.untilNanos() <= part.untilNanos()
                    && isShort(gap, part)
                    && 2 * part.stuck() > gap.stuck();
        }

        private static boolean isKnown(List<FoundStall> stalls, long from, long until) {
            return stalls.stream()
                    .anyMatch(stall ->
                            stall.fromNanos() <= until && from <= stall.untilNanos() + stall.lengthNanos() / 2);
        }

        private FoundStall stall(long from, long until, List<Kept> stuck, int users, boolean isCertain) {
            StartRates rates = StartRates.around(collected, from, until);
            Timeline timeline = collected.timeline();
            long starts = timeline.startsFrom(timeline.binOf(from), timeline.binOf(until));
            // after the last start nothing is due
            double waitSeconds = stuck.stream()
                            .mapToLong(one -> Math.min(one.endNanos(), collected.lastStartNanos()) - one.startNanos())
                            .sum()
                    / 1e9;
            double loadSeconds = (Math.min(until, collected.lastStartNanos()) - from) / 1e9;
            int of = users > 0 ? collected.users().count() : 0;
            double fewer = users > 0
                    ? rates.low() * waitSeconds / of - stuck.size()
                    : rates.low() * loadSeconds - starts - 2 * Math.sqrt((double) starts);
            // requests missing in a stall of the whole service are counted there
            double counted = whole.stream()
                    .filter(gap -> gap.isCertain() && gap.fromNanos() < until && from < gap.untilNanos())
                    .mapToDouble(gap -> gap.omitted() * (users > 0 ? (double) users / of : 1))
                    .sum();
            double missing = fewer - counted;
            boolean isOfAPlan = collected.hasConstantPace()
                    && starts + 2 >= LEAST_OF_PLAN * (rates.low() + rates.high()) / 2 * loadSeconds;
            double most =
                    users > 0 ? rates.high() * waitSeconds / of - stuck.size() : rates.high() * loadSeconds - starts;
            boolean isOver = until > collected.lastStartNanos() && most < 1;
            boolean isWaiting = !isOver && (users > 0 || !(isOfAPlan || startedLater(stuck, from, until)));
            FoundStall.AffectedUsers part = new FoundStall.AffectedUsers(
                    users, of, stuck.stream().map(Kept::nanos).toList(), Math.max(0, missing), isWaiting);
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

    /** Start rates around a stall: the lower less two standard errors, and the higher plus two, per second. */
    private record StartRates(double low, double high) {
        private record Rate(long count, int bins, double seconds) {
            double low() {
                return seconds <= 0 ? 0 : Math.max(0, count - 2 * Math.sqrt((double) count)) / seconds;
            }

            double high() {
                return seconds <= 0 ? 0 : (count + 2 * Math.sqrt((double) count)) / seconds;
            }
        }

        /** The rates around an isolated stall. */
        static StartRates around(ResultCollector collected, long fromNanos, long untilNanos) {
            Timeline timeline = collected.timeline();
            return between(
                    collected,
                    timeline.binOf(fromNanos),
                    timeline.binOf(untilNanos),
                    timeline.binOf(collected.firstStartNanos()),
                    timeline.binOf(collected.lastStartNanos()));
        }

        /** The rates around the bins of a stall, after the previous stall and before the next. */
        static StartRates between(ResultCollector collected, int from, int until, int begin, int end) {
            Timeline timeline = collected.timeline();
            double perNano = (double) collected.count() / collected.lengthNanos();
            double length = (until - from) * (double) timeline.widthNanos();
            double span = Math.max(Math.max(2.0 * length, 5e8), 50 / perNano);
            int spanBins = (int) Math.min(timeline.bins(), Math.ceil(span / timeline.widthNanos()));
            Rate before = rate(timeline, Math.max(begin, from - spanBins), from);
            int settled = until + Math.min(until - from, Math.max(0, end - until) / 2);
            Rate after = rate(timeline, settled, Math.min(end, settled + spanBins));
            Rate one = before.bins() * 4 < after.bins() ? after : before;
            Rate other = after.bins() * 4 < before.bins() ? before : after;
            return new StartRates(Math.min(one.low(), other.low()), Math.max(one.high(), other.high()));
        }

        private static Rate rate(Timeline timeline, int from, int until) {
            int bins = Math.max(0, until - from);
            return new Rate(timeline.startsFrom(from, until), bins, bins * (timeline.widthNanos() / 1e9));
        }
    }

    /**
     * A period in which requests were in flight and none, or none of one part, was answered.
     *
     * @param fromNanos start, from the first request
     * @param untilNanos the first response after it
     * @param stuck requests in flight for at least half of the period
     * @param starts requests that nevertheless started during it
     * @param lowRate the lower of the start rates before and after it, per second
     * @param highRate the higher of the two
     * @param isCertain whether so many simultaneous slow requests cannot be chance
     * @param part the part of the users that was affected; empty if no request was answered
     */
    public record FoundStall(
            long fromNanos,
            long untilNanos,
            long stuck,
            long starts,
            double lowRate,
            double highRate,
            boolean isCertain,
            Optional<AffectedUsers> part) {
        public long lengthNanos() {
            return untilNanos - fromNanos;
        }

        /** Lower bound of the requests that should have started during the stall and did not. */
        public long omitted() {
            return part.map(hit -> (long) hit.missing())
                    .orElseGet(() -> Math.max(0, Math.round(lowRate * lengthNanos() / 1e9) - starts));
        }

        /** Whether so few requests started during the stall that the tool must have waited for responses. */
        public boolean isCoordinated() {
            return part.map(AffectedUsers::isWaiting)
                    .orElseGet(() -> omitted() > 0 && starts < 0.75 * lowRate * lengthNanos() / 1e9);
        }

        /**
         * The users affected by a stall of one part of the service.
         *
         * @param users affected users with a request in flight; 0 if the file does not identify users
         * @param ofUsers all users
         * @param waitNanos duration of each stuck request
         * @param missing lower bound of the requests that these users did not send meanwhile
         * @param isWaiting whether the tool is a closed loop, so that requests can be missing
         */
        public record AffectedUsers(int users, int ofUsers, List<Long> waitNanos, double missing, boolean isWaiting) {
            public AffectedUsers {
                waitNanos = List.copyOf(waitNanos);
            }
        }
    }
}
