package dev.downbeat.record;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * Waits before requests were sent, and waits for connections and windows.
 *
 * @param lateness all requests noticed before the end: from intended start to dispatch, Downbeat's own delay
 * @param backlogWait requests sent: from dispatch to start, with no connection or stream free
 * @param lookup DNS lookup time of requests that needed one
 * @param connect connect time of requests that opened a connection
 * @param handshake handshake time of requests that opened a TLS connection
 * @param window time that request bodies waited for the server's flow-control window
 */
public record Waits(
        Distribution lateness,
        Distribution backlogWait,
        Distribution lookup,
        Distribution connect,
        Distribution handshake,
        Distribution window) {
    /** No waits. */
    public static final Waits NONE = of(Distribution.empty(), Distribution.empty());

    /** Waits of requests that opened no connection. */
    public static Waits of(Distribution lateness, Distribution backlogWait) {
        Distribution none = Distribution.empty();
        return new Waits(lateness, backlogWait, none, none, none, none);
    }

    /** A copy without data kept only for whole runs. */
    Waits forTimeline() {
        return new Waits(
                lateness, backlogWait, Distribution.empty(), connect, Distribution.empty(), Distribution.empty());
    }

    /** The sum of both. */
    public Waits plus(Waits other) {
        if (this == NONE || other == NONE) {
            return this == NONE ? other : this;
        }
        return each(other, Distribution::plus);
    }

    /** The sum of several, in any order. */
    static Waits sum(List<Waits> parts) {
        return new Waits(
                sum(parts, Waits::lateness),
                sum(parts, Waits::backlogWait),
                sum(parts, Waits::lookup),
                sum(parts, Waits::connect),
                sum(parts, Waits::handshake),
                sum(parts, Waits::window));
    }

    private static Distribution sum(List<Waits> parts, Function<Waits, Distribution> wait) {
        return Distribution.sum(parts.stream().map(wait).toList());
    }

    /** What was counted since an earlier state of the same sum. */
    Waits since(Waits earlier) {
        return each(earlier, Distribution::since);
    }

    private Waits each(Waits other, BinaryOperator<Distribution> combine) {
        return new Waits(
                combine.apply(lateness, other.lateness),
                combine.apply(backlogWait, other.backlogWait),
                combine.apply(lookup, other.lookup),
                combine.apply(connect, other.connect),
                combine.apply(handshake, other.handshake),
                combine.apply(window, other.window));
    }
}
