package dev.downbeat.audit;

import dev.downbeat.audit.ResultCollector.Users;
import dev.downbeat.audit.Stalls.FoundStall;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The schedule of a result, as far as it can be reconstructed.
 *
 * @param kind kind of schedule
 * @param certainty how certain the kind is
 * @param text the schedule in words
 * @param perSecond starts per second outside of stalls
 * @param lengthNanos from the first start to the last, or to the last response if the users waited for it
 * @param users number of closed-loop users; empty if the loop is open or the number unknown
 */
public record RecoveredPlan(
        Kind kind, Certainty certainty, String text, double perSecond, long lengthNanos, Optional<Long> users) {
    /** In a closed loop, the mean number of requests in flight is at least this share of its 90th percentile. */
    private static final double PLATEAU = 0.85;

    /** The highest variance-to-mean ratio of requests in flight in a closed loop; 1 for independent arrivals. */
    private static final double CLOSED_DISPERSION = 0.25;

    /** The highest such ratio if each start waits for an end. Even at a constant rate it is higher. */
    private static final double FIXED_DISPERSION = 0.01;

    private static final double STEADY = 0.3;

    /** With fewer users, even starts do not imply a schedule. */
    private static final int LEAST_POOL = 3;

    /** Think times that vary by a smaller share are equal, so that starts may be even without a schedule. */
    private static final double EVEN = 0.2;

    /** The reaction to requests in flight, in standard errors, that independent starts exceed in one of 700 files. */
    private static final double REACTION_DEVIATIONS = 3;

    public enum Kind {
        CLOSED("closed loop"),
        THINKING("closed loop with think time"),
        PACED("paced users"),
        CONSTANT("constant rate"),
        POISSON("Poisson arrivals"),
        RAMP("ramp"),
        UNKNOWN("no plan recognised");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** How sure a kind is. */
    public enum Certainty {
        /** Shown by the requests of each user. */
        CERTAIN,
        /** Shown by the counts. */
        LIKELY,
        /** Not shown. */
        UNKNOWN;

        public String words() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static RecoveredPlan of(ResultCollector collected, List<FoundStall> stalls) {
        Rate rate = Rate.ofWaiting(collected, stalls);
        if (collected.count() < 10) {
            return rate.plan(Kind.UNKNOWN, Certainty.UNKNOWN, "too few requests", Optional.empty());
        }
        return collected.users().areSerial() ? ofUsers(collected, stalls, rate) : ofCounts(collected, stalls, rate);
    }

    /** The plan behind a distribution, which is known only if it is a closed loop's. */
    static Optional<RecoveredPlan> of(Summary summary) {
        if (!summary.isClosedLoop() || summary.isCorrected()) {
            return Optional.empty();
        }
        Optional<Long> users = summary.users() > 0 ? Optional.of(summary.users()) : Optional.empty();
        return Optional.of(new RecoveredPlan(
                Kind.CLOSED,
                Certainty.LIKELY,
                users.map(count -> Numbers.count(count, "user") + ", each waits for its response")
                        .orElse("each user waits for its response"),
                summary.lengthNanos() == 0 ? 0 : summary.count() * 1e9 / summary.lengthNanos(),
                summary.lengthNanos(),
                users));
    }

    /** Starts per second outside of stalls, and the time to which they belong. */
    private record Rate(double perSecond, long lengthNanos) {
        /** The rate of users who wait, whose last response belongs to the load. */
        static Rate ofWaiting(ResultCollector collected, List<FoundStall> stalls) {
            return of(collected, stalls, collected.count(), collected.lengthNanos());
        }

        /** The rate of an open loop, which ends with its last start: n starts span n - 1 gaps. */
        static Rate ofStarts(ResultCollector collected, List<FoundStall> stalls) {
            long nanos = collected.lastStartNanos() - collected.firstStartNanos();
            return nanos == 0 ? ofWaiting(collected, stalls) : of(collected, stalls, collected.count() - 1, nanos);
        }

        /** With stalls in order of their starts; one of a part may overlap others. */
        private static Rate of(ResultCollector collected, List<FoundStall> stalls, long starts, long lengthNanos) {
            Timeline timeline = collected.timeline();
            long end = collected.firstStartNanos() + lengthNanos;
            long outside = starts;
            long nanos = lengthNanos;
            long counted = Long.MIN_VALUE;
            for (FoundStall stall : stalls) {
                long from = Math.max(counted, stall.fromNanos());
                long until = Math.min(end, stall.untilNanos());
                if (from < until) {
                    counted = until;
                    outside -= timeline.startsFrom(timeline.binOf(from), timeline.binOf(counted));
                    nanos -= counted - from;
                }
            }
            return new Rate(outside * 1e9 / Math.max(1, nanos), lengthNanos);
        }

        String text() {
            return String.format(Locale.ROOT, perSecond < 100 ? "%.1f/s" : "%,.0f/s", perSecond);
        }

        RecoveredPlan plan(Kind kind, Certainty certainty, String text, Optional<Long> users) {
            return new RecoveredPlan(kind, certainty, text, perSecond, lengthNanos, users);
        }
    }

    private static RecoveredPlan ofUsers(ResultCollector collected, List<FoundStall> stalls, Rate rate) {
        Users users = collected.users();
        long count = users.count();
        Optional<Long> known = Optional.of(count);
        long least =
                Math.max(2 * collected.resolutionNanos(), collected.durations().getValueAtPercentile(50) / 20);
        long think = users.thinkNanos(50);
        long cycle = users.cycleNanos(50);
        boolean isPaced = cycle > 0
                && users.cycleNanos(90) - users.cycleNanos(10) < cycle / 10 + 2 * collected.resolutionNanos()
                && think > least
                && users.thinkNanos(90) - users.thinkNanos(10) >= users.cycleNanos(90) - users.cycleNanos(10);
        String userCount = Numbers.count(count, "user");
        if (isPaced) {
            return rate.plan(
                    Kind.PACED, Certainty.CERTAIN, userCount + ", each every " + DurationText.rounded(cycle), known);
        }
        if (users.thinkNanos(75) <= least) {
            return rate.plan(
                    Kind.CLOSED,
                    Certainty.CERTAIN,
                    userCount + ", each waits for its response and goes on at once",
                    known);
        }
        RecoveredPlan byCounts = ofCounts(collected, stalls, rate);
        boolean thinksEvenly =
                users.thinkNanos(90) - users.thinkNanos(10) < EVEN * think + 2 * collected.resolutionNanos();
        if (count >= LEAST_POOL && byCounts.kind == Kind.CONSTANT && !thinksEvenly) {
            return byCounts; // a thread pool that keeps a rate with any free thread
        }
        return rate.plan(
                Kind.THINKING,
                Certainty.CERTAIN,
                userCount + ", each waits for its response and then " + DurationText.rounded(think) + " (median)",
                known);
    }

    /**
     * The variance-to-mean ratio of starts in periods outside of stalls; not a number if there are too few.
     *
     * @param starts length of a period, in starts
     */
    static double dispersion(ResultCollector collected, List<FoundStall> stalls, double starts) {
        return Groups.of(collected, stalls, Math.max(Groups.USUAL, starts)).dispersion();
    }

    /**
     * Whether starts come in groups, such as the requests of a page. They then do not show who waits.
     *
     * @param starts length of the longest period to look at, in starts
     */
    static boolean areInGroups(ResultCollector collected, List<FoundStall> stalls, double starts) {
        for (double each = 2; each <= Math.max(Groups.USUAL, starts); each *= 2) {
            if (Groups.of(collected, stalls, each).areUneven(collected.resolutionNanos())) {
                return true;
            }
        }
        return false;
    }

    private static RecoveredPlan ofCounts(ResultCollector collected, List<FoundStall> stalls, Rate ofWaiting) {
        Counts counts = new Counts(collected, stalls);
        Rate rate = Rate.ofStarts(collected, stalls);
        if (collected.hasConstantPace() && !counts.isFixed()) {
            return rate.plan(Kind.CONSTANT, Certainty.LIKELY, rate.text(), Optional.empty());
        }
        if (counts.isPlateau()
                && stalls.stream().noneMatch(stall -> stall.part().isEmpty() && stall.starts() > stall.stuck())) {
            return ofWaiting.plan(
                    Kind.CLOSED,
                    Certainty.LIKELY,
                    Numbers.count(counts.most) + " in flight at all times",
                    Optional.of(counts.most));
        }
        if (counts.isRamp) {
            String ramp = String.format(Locale.ROOT, "from %,.0f/s to %,.0f/s", counts.first, counts.last);
            return rate.plan(Kind.RAMP, Certainty.LIKELY, ramp, Optional.empty());
        }
        if (counts.dispersion < STEADY) {
            return rate.plan(Kind.CONSTANT, Certainty.LIKELY, rate.text(), Optional.empty());
        }
        if (counts.dispersion > 0.7
                && counts.dispersion < 1.4
                && Reaction.of(collected).isCertain()) {
            return rate.plan(
                    Kind.THINKING,
                    Certainty.LIKELY,
                    rate.text() + " on average, fewer while requests are in flight",
                    Optional.empty());
        }
        if (counts.dispersion > 0.7 && counts.dispersion < 1.4) {
            return rate.plan(Kind.POISSON, Certainty.LIKELY, rate.text() + " on average", Optional.empty());
        }
        return rate.plan(Kind.UNKNOWN, Certainty.UNKNOWN, rate.text() + " on average, unevenly", Optional.empty());
    }

    /** How many requests were in flight, and how the counts of starts developed. */
    private static final class Counts {
        final long most;
        final double dispersion;
        final boolean isRamp;
        final double first;
        final double last;
        private final double mean;
        private final double spread;

        Counts(ResultCollector collected, List<FoundStall> stalls) {
            Timeline timeline = collected.timeline();
            Histogram levels = new Histogram(2);
            long inFlight = 0;
            int end = timeline.binOf(collected.lastStartNanos());
            int alike = 0;
            for (int bin = timeline.binOf(collected.firstStartNanos()); bin < end; bin++) {
                long more = timeline.startsIn(bin) - timeline.endsIn(bin);
                if (more != 0) {
                    add(levels, inFlight, alike);
                    alike = 0;
                }
                inFlight += more;
                alike++;
            }
            add(levels, inFlight, alike);
            most = levels.getValueAtPercentile(90);
            mean = levels.getMean();
            spread = levels.getStdDeviation();
            Groups groups = Groups.of(collected, stalls, Groups.USUAL);
            first = groups.first();
            last = groups.last();
            isRamp = groups.kept >= 20
                    && groups.line.explained() > 0.7
                    && Math.abs(last - first) > 0.3 * Math.max(first, last);
            dispersion = groups.dispersion();
        }

        private static void add(Histogram levels, long inFlight, int bins) {
            if (bins > 0) {
                levels.recordValueWithCount(
                        Math.max(0, inFlight), bins); // rounded times may end a request before it starts
            }
        }

        /** Whether the number in flight hardly ever changes. */
        boolean isFixed() {
            return isPlateau() && spread * spread <= FIXED_DISPERSION * mean;
        }

        boolean isPlateau() {
            return most >= 1 && mean >= PLATEAU * most && spread * spread <= CLOSED_DISPERSION * mean;
        }
    }

    /** Counts of starts in groups of bins outside of stalls. */
    private record Groups(Line line, int kept, double perGroup) {
        /** Starts in a group, on average. */
        private static final int USUAL = 15;

        /** Fewer groups do not show how much they vary. */
        private static final int LEAST_GROUPS = 5;

        static Groups of(ResultCollector collected, List<FoundStall> stalls, double starts) {
            Timeline timeline = collected.timeline();
            int begin = timeline.binOf(collected.firstStartNanos());
            int end = timeline.binOf(collected.lastStartNanos());
            int size = (int) Math.max(1, starts * collected.lengthNanos() / collected.count() / timeline.widthNanos());
            double[] counts = new double[Math.max(0, (end - begin) / size)];
            BitSet stalled = new BitSet();
            for (FoundStall stall : stalls) {
                int until = timeline.binOf(stall.untilNanos() + stall.lengthNanos() / 2);
                stalled.set(
                        Math.max(0, timeline.binOf(stall.fromNanos()) - begin) / size,
                        Math.max(0, until - begin) / size + 1);
            }
            int kept = 0;
            for (int i = stalled.nextClearBit(0); i < counts.length; i = stalled.nextClearBit(i + 1)) {
                counts[kept++] = timeline.startsFrom(begin + i * size, begin + (i + 1) * size);
            }
            return new Groups(Line.through(counts, kept), kept, 1e9 / (size * (double) timeline.widthNanos()));
        }

        /**
         * Whether neighbouring groups differ more than with independent starts, regardless of how the rate develops.
         *
         * @param resolutionNanos by how much starts may be shifted to a neighbour
         */
        boolean areUneven(long resolutionNanos) {
            double shifted = line.mean() * Math.pow(resolutionNanos * perGroup / 1e9, 2) / 2;
            return kept >= LEAST_GROUPS
                    && line.betweenNeighbours() / line.mean()
                            > 1 + shifted + REACTION_DEVIATIONS * Math.sqrt(3.0 / kept);
        }

        double first() {
            return Math.max(0, line.at(0)) * perGroup;
        }

        double last() {
            return Math.max(0, line.at(Math.max(0, kept - 1))) * perGroup;
        }

        double dispersion() {
            return kept < LEAST_GROUPS || line.mean() == 0 ? Double.NaN : line.variance() / line.mean();
        }
    }

    /**
     * How starts react to requests in flight. Poisson arrivals see time averages (Wolff, Oper. Res. 30, 1982). A user
     * who waits for responses does not start while its own request is in flight. With {@code n} independent users, each
     * request in flight thus lowers the rate by one in {@code n} less those in flight, whatever the think times.
     *
     * @param perRequest the share of the start rate that is missing for each request in flight
     * @param error its standard error
     */
    record Reaction(double perRequest, double error) {
        /** Number of periods; the rate is taken as constant within each. */
        private static final int PERIODS = 20;

        static Reaction of(ResultCollector collected) {
            Timeline timeline = collected.timeline();
            int begin = timeline.binOf(collected.firstStartNanos());
            int end = timeline.binOf(collected.lastStartNanos());
            double[] fewer = new double[PERIODS];
            double[] weight = new double[PERIODS];
            double sumFewer = 0;
            double sumWeight = 0;
            long inFlight = 0;
            for (int period = 0; period < PERIODS; period++) {
                int until = begin + (end - begin) / (PERIODS - period);
                long starts = 0;
                double inFlightAtStarts = 0;
                double sum = 0;
                double squares = 0;
                for (int bin = begin; bin < until; bin++) {
                    long started = timeline.startsIn(bin);
                    starts += started;
                    inFlightAtStarts += (double) started * inFlight;
                    sum += inFlight;
                    squares += (double) inFlight * inFlight;
                    inFlight += started - timeline.endsIn(bin);
                }
                double mean = sum / Math.max(1, until - begin);
                fewer[period] =
                        starts * mean - mean - inFlightAtStarts; // each start is a part of the period's own mean
                weight[period] = starts * (squares / Math.max(1, until - begin) - mean * mean);
                sumFewer += fewer[period];
                sumWeight += weight[period];
                begin = until;
            }
            if (sumWeight <= 0) {
                return new Reaction(0, Double.POSITIVE_INFINITY);
            }
            double perRequest = sumFewer / sumWeight;
            double residuals = 0;
            for (int period = 0; period < PERIODS; period++) {
                double residual = fewer[period] - perRequest * weight[period];
                residuals += residual * residual;
            }
            // the spread between periods, if starts depend on each other for longer than Poisson arrivals
            double spread = Math.sqrt(residuals * PERIODS / (PERIODS - 1)) / sumWeight;
            return new Reaction(perRequest, Math.max(spread, 1 / Math.sqrt(sumWeight)));
        }

        /** Whether the tool waited for responses. */
        boolean isCertain() {
            return perRequest > REACTION_DEVIATIONS * error;
        }
    }

    /**
     * A straight line through counts, by least squares.
     *
     * @param betweenNeighbours the variance by the differences of neighbours (von Neumann, Ann. Math. Stat. 12, 1941)
     */
    private record Line(
            double mean, double slope, double middle, double variance, double betweenNeighbours, double explained) {
        static Line through(double[] y, int n) {
            double mean = 0;
            for (int i = 0; i < n; i++) {
                mean += y[i] / n;
            }
            double middle = (n - 1) / 2.0;
            double xx = 0;
            double xy = 0;
            double yy = 0;
            double jumps = 0;
            for (int i = 0; i < n; i++) {
                xx += (i - middle) * (i - middle);
                xy += (i - middle) * (y[i] - mean);
                yy += (y[i] - mean) * (y[i] - mean);
                jumps += i == 0 ? 0 : (y[i] - y[i - 1]) * (y[i] - y[i - 1]) / 2;
            }
            double slope = xx == 0 ? 0 : xy / xx;
            int pairs = Math.max(1, n - 1);
            return new Line(mean, slope, middle, yy / pairs, jumps / pairs, yy == 0 ? 0 : slope * xy / yy);
        }

        double at(double x) {
            return mean + slope * (x - middle);
        }
    }
}
