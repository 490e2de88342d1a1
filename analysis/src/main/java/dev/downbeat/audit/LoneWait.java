package dev.downbeat.audit;

import dev.downbeat.audit.Collected.LongestRequests.Kept;
import dev.downbeat.audit.RecoveredPlan.Kind;
import dev.downbeat.audit.RecoveredPlan.Reaction;
import dev.downbeat.audit.Stalls.FoundStall;
import java.util.List;

/**
 * A very slow request outside of stalls: it was slow, or what served its user stalled. If the user waited for it,
 * requests are missing.
 *
 * @param request the slow request
 * @param unsent upper limit of the requests that its user did not send meanwhile
 */
record LoneWait(Kept request, double unsent) {
    /** A request stands out if it lasts at least this multiple of p99. */
    private static final int OUTLIER_FACTOR = 5;

    /** One-sided 95 % limit, by Student's t with about as many degrees of freedom as there are periods. */
    private static final double LIMIT = 1.75;

    /** Starts vary so little in a schedule, or among users with regular pauses, that their number shows one missing user. */
    private static final double REGULAR = 0.1;

    /** Above this variance-to-mean ratio, starts follow something that the file does not show. */
    private static final double BURSTS = 1.4;

    /** The waits of a file. A user's first request is excluded, since it opens a connection. */
    static List<LoneWait> of(Collected collected, List<FoundStall> stalls, RecoveredPlan plan) {
        long least = OUTLIER_FACTOR * collected.durations().getValueAtPercentile(99);
        return collected.longest().from(least).stream()
                .filter(one -> one.startNanos() - collected.firstStartNanos() > one.nanos()
                        && collected.kinds().isUnusual(one.kind(), one.nanos())
                        && stalls.stream()
                                .noneMatch(stall ->
                                        stall.fromNanos() <= one.endNanos() && one.startNanos() <= stall.untilNanos()))
                .map(one -> new LoneWait(one, unsent(one, collected, stalls, plan)))
                .filter(wait -> wait.unsent > 0)
                .toList();
    }

    private static double unsent(Kept one, Collected collected, List<FoundStall> stalls, RecoveredPlan plan) {
        // of users who are not known, the shortest possible cycle: without a pause
        double cycleNanos = plan.users()
                .map(users -> users * 1e9 / plan.perSecond())
                .orElseGet(() -> collected.durations().getMean());
        double most = one.nanos() / cycleNanos - 1;
        return collected.users().areSerial() ? most : Math.min(most, unsentByAnybody(one, collected, stalls, plan));
    }

    /** What the starts of all users allow. */
    private static double unsentByAnybody(Kept one, Collected collected, List<FoundStall> stalls, RecoveredPlan plan) {
        Timeline timeline = collected.timeline();
        double started = timeline.startsFrom(timeline.binOf(one.startNanos()), timeline.binOf(one.endNanos()));
        double share = (double) one.nanos() / collected.lengthNanos();
        double planned = Math.max(0, plan.perSecond() * one.nanos() / 1e9 - started * share) / (1 - share);
        double dispersion = RecoveredPlan.dispersion(collected, stalls, planned);
        if (dispersion < REGULAR) {
            return planned - started + 1 + LIMIT * Math.sqrt(dispersion * planned / (1 - share));
        }
        if (plan.kind() == Kind.UNKNOWN && !(dispersion <= BURSTS)) {
            return Double.POSITIVE_INFINITY;
        }
        Reaction reaction = Reaction.of(collected);
        return planned * (reaction.perRequest() + LIMIT * reaction.error());
    }
}
