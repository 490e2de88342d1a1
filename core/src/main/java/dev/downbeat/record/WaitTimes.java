package dev.downbeat.record;

import java.util.List;
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
public record WaitTimes(
        Distribution lateness,
        Distribution backlogWait,
        Distribution lookup,
        Distribution connect,
        Distribution handshake,
        Distribution window) {
    public static final WaitTimes NONE = of(Distribution.empty(), Distribution.empty());

    /** Waits of requests that opened no connection. */
    public static WaitTimes of(Distribution lateness, Distribution backlogWait) {
        Distribution none = Distribution.empty();
        return new WaitTimes(lateness, backlogWait, none, none, none, none);
    }

    /** A copy without data kept only for whole runs. */
    WaitTimes forTimeline() {
        return new WaitTimes(
                lateness, backlogWait, Distribution.empty(), connect, Distribution.empty(), Distribution.empty());
    }

    public WaitTimes plus(WaitTimes other) {
        if (this == NONE || other == NONE) {
            return this == NONE ? other : this;
        }
        return sum(List.of(this, other));
    }

    static WaitTimes sum(List<WaitTimes> parts) {
        return combined(parts, Distribution::sum);
    }

    WaitTimes since(WaitTimes earlier) {
        return combined(List.of(this, earlier), both -> both.get(0).since(both.get(1)));
    }

    private static WaitTimes combined(List<WaitTimes> parts, Function<List<Distribution>, Distribution> combination) {
        Function<Function<WaitTimes, Distribution>, Distribution> ofField =
                part -> combination.apply(parts.stream().map(part).toList());
        return new WaitTimes(
                ofField.apply(WaitTimes::lateness),
                ofField.apply(WaitTimes::backlogWait),
                ofField.apply(WaitTimes::lookup),
                ofField.apply(WaitTimes::connect),
                ofField.apply(WaitTimes::handshake),
                ofField.apply(WaitTimes::window));
    }
}
