package dev.downbeat.watch;

import java.util.ArrayList;
import java.util.List;

/**
 * The relation of two clocks, derived from exchanges: a request at one local instant, an event at a remote one, and a
 * response at a local one. The offset is limited by the round trip. Exchanges within {@link #TOGETHER_NANOS} of each
 * other narrow it further (Cristian 1989; Marzullo and Owicki 1983). Between such groups the offset is interpolated
 * linearly.
 */
record ClockLink(List<Anchor> anchors) {
    static final long TOGETHER_NANOS = 1_000_000_000;

    /** One exchange. All values in nanoseconds, on two clocks with arbitrary origins. */
    record Exchange(long sentAt, long theirStart, long theirEnd, long answeredAt) {
        private long least() {
            return sentAt - theirStart;
        }

        private long most() {
            return Math.max(least(), answeredAt - theirEnd);
        }
    }

    private record Anchor(long theirs, long offset, long halfWidth) {}

    /** Derived from at least one exchange, in order. */
    static ClockLink of(List<Exchange> exchanges) {
        List<Anchor> anchors = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= exchanges.size(); i++) {
            if (i == exchanges.size() || exchanges.get(i).sentAt - exchanges.get(from).sentAt > TOGETHER_NANOS) {
                anchors.add(anchor(exchanges.subList(from, i)));
                from = i;
            }
        }
        return new ClockLink(anchors);
    }

    private static Anchor anchor(List<Exchange> group) {
        long least = Long.MIN_VALUE;
        long most = Long.MAX_VALUE;
        Exchange narrowest = group.get(0);
        for (Exchange each : group) {
            least = Math.max(least, each.least());
            most = Math.min(most, each.most());
            if (each.most() - each.least() < narrowest.most() - narrowest.least()) {
                narrowest = each;
            }
        }
        if (most < least) { // their clock was set, or runs unevenly: use the best exchange alone
            least = narrowest.least();
            most = narrowest.most();
        }
        return new Anchor(narrowest.theirStart, least + (most - least) / 2, (most - least + 1) / 2);
    }

    /** Converts a remote instant to the local clock. */
    long ours(long theirs) {
        Anchor before = anchors.get(0);
        for (Anchor after : anchors) {
            if (theirs < after.theirs) {
                return theirs + between(before, after, theirs);
            }
            before = after;
        }
        return theirs + before.offset;
    }

    private static long between(Anchor before, Anchor after, long theirs) {
        long length = after.theirs - before.theirs;
        return length <= 0
                ? after.offset
                : before.offset
                        + Math.round((double) (theirs - before.theirs) / length * (after.offset - before.offset));
    }

    /** The maximum error of {@link #ours}, in either direction. */
    long uncertaintyNanos() {
        return anchors.stream().mapToLong(Anchor::halfWidth).max().orElse(0);
    }
}
