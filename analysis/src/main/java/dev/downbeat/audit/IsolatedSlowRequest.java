package dev.downbeat.audit;

import dev.downbeat.audit.RecoveredPlan.Kind;
import dev.downbeat.audit.RecoveredPlan.Reaction;
import dev.downbeat.audit.ResultCollector.LongestRequests.Kept;
import dev.downbeat.audit.Stalls.FoundStall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A very slow request outside of stalls. If its user waited for it, up to {@code unsent} requests are missing. */
record IsolatedSlowRequest(Kept request, double unsent) {
    /** A request stands out if it lasts at least this multiple of p99. */
    private static final int OUTLIER_FACTOR = 5;

    /** One-sided 95 % limit, by Student's t with about as many degrees of freedom as there are periods. */
    private static final double LIMIT = 1.75;

    /** Below this variance-to-mean ratio, the number of starts shows a single missing user. */
    private static final double REGULAR = 0.1;

    /** Above this ratio, starts depend on something that the file does not contain. */
    private static final double BURSTS = 1.4;

    /** Fewer periods do not show how much starts vary. */
    private static final double LEAST_PERIODS = 10;

    /** The waits of a file. A user's first request is excluded, since it opens a connection. */
    static List<IsolatedSlowRequest> of(ResultCollector collected, List<FoundStall> stalls, RecoveredPlan plan) {
        long least = OUTLIER_FACTOR * collected.durations().getValueAtPercentile(99);
        Starts starts = new Starts(collected, stalls, plan);
        return collected.longest().from(least).stream()
                .filter(one -> one.startNanos() - collected.firstStartNanos() > one.nanos()
                        && collected.kinds().isUnusual(one.kind(), one.nanos())
                        && stalls.stream().noneMatch(stall -> explains(stall, one)))
                .map(one -> new IsolatedSlowRequest(one, starts.unsentDuring(one)))
                .filter(wait -> wait.unsent > 0)
                .toList();
    }

    /** Whether a stall made this request wait, rather than being a short silence meanwhile. */
    private static boolean explains(FoundStall stall, Kept one) {
        return stall.fromNanos() <= one.endNanos()
                && one.startNanos() <= stall.untilNanos()
                && 2 * stall.lengthNanos() >= one.nanos();
    }

    /** Estimates the requests that were not sent from the starts of the others. Not thread-safe. */
    private static final class Starts {
        private final ResultCollector collected;
        private final List<FoundStall> stalls;
        private final RecoveredPlan plan;
        private final Map<Integer, Double> dispersions = new HashMap<>();
        private final Map<Integer, Boolean> inGroups = new HashMap<>();
        private final Reaction reaction;

        Starts(ResultCollector collected, List<FoundStall> stalls, RecoveredPlan plan) {
            this.collected = collected;
            this.stalls = stalls;
            this.plan = plan;
            this.reaction = Reaction.of(collected);
        }

        double unsentDuring(Kept one) {
            // for unknown users, the shortest possible cycle: no think time
            double cycleNanos = plan.users()
                    .map(users -> users * 1e9 / plan.perSecond())
                    .orElseGet(() -> collected.durations().getMean());
            double most = one.nanos() / cycleNanos - 1;
            return collected.users().areSerial() ? most : Math.min(most, unsentByAnybody(one));
        }

        private double unsentByAnybody(Kept one) {
            Timeline timeline = collected.timeline();
            long until = Math.min(one.endNanos(), collected.lastStartNanos()); // nothing is planned after the load
            double nanos = Math.max(0, until - one.startNanos());
            double started = timeline.startsFrom(timeline.binOf(one.startNanos()), timeline.binOf(until));
            double share = nanos / collected.lengthNanos();
            double planned = Math.max(0, plan.perSecond() * nanos / 1e9 - started * share) / (1 - share);
            int scale = Math.getExponent(Math.max(1, Math.min(planned, collected.count() / LEAST_PERIODS)));
            double dispersion = dispersions.computeIfAbsent(
                    scale, bits -> RecoveredPlan.dispersion(collected, stalls, Math.pow(2, bits)));
            if (dispersion < REGULAR) {
                return planned - started + 1 + LIMIT * Math.sqrt(dispersion * planned / (1 - share));
            }
            if ((plan.kind() == Kind.UNKNOWN && !(dispersion <= BURSTS))
                    || inGroups.computeIfAbsent(
                            scale, bits -> RecoveredPlan.areInGroups(collected, stalls, Math.pow(2, bits)))) {
                return Double.POSITIVE_INFINITY;
            }
            return planned * (reaction.perRequest() + LIMIT * reaction.error());
        }
    }
}
