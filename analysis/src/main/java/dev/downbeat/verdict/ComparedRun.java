package dev.downbeat.verdict;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A run as far as a comparison needs it.
 *
 * @param name as a reader may call it
 * @param stretches what was counted in each second or more of it, in their order
 * @param workload kind of the workload, such as {@code open}; empty if not known
 * @param ratePerSecond requests that were meant to start, per second; empty if not known, or if it follows the answers
 * @param doubts why it should not be set against another
 */
public record ComparedRun(
        String name,
        List<Recording> stretches,
        String workload,
        OptionalDouble ratePerSecond,
        List<Incomparable> doubts) {
    private static final long LEAST_STRETCH_NANOS = 950_000_000;

    /** Copies the lists. */
    public ComparedRun {
        stretches = List.copyOf(stretches);
        doubts = List.copyOf(doubts);
    }

    /** A run of this process. */
    public static ComparedRun of(String name, RunResult result, Verdict verdict) {
        List<Incomparable> doubts = new ArrayList<>();
        if (verdict.measurement() == Verdict.Measurement.UNSOUND) {
            doubts.add(unsound(name, verdict.doubts().stream().map(Caveat::code).collect(Collectors.joining(", "))));
        }
        long windowNanos = Math.min(result.plan().durationNanos(), result.durationNanos());
        boolean follows = result.plan().workload().waitingClients() > 0;
        return new ComparedRun(
                name,
                stretches(result.intervals()),
                result.plan().workload().kind(),
                follows || windowNanos == 0
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(result.ledger().planned() * 1e9 / windowNanos),
                doubts);
    }

    /** Says that a run's own verdict was against it; {@code codes} are its reasons, if they are known. */
    public static Incomparable unsound(String name, String codes) {
        return new Incomparable(
                "unsound",
                name + " was measured unsoundly" + (codes.isEmpty() ? "" : " (" + codes.replace('_', ' ') + ")")
                        + ": what differs may be our own doing");
    }

    /** Intervals put together until each is about a second or more; what is left over is part of the last one. */
    public static List<Recording> stretches(List<Interval> intervals) {
        List<Recording> stretches = new ArrayList<>();
        Recording open = Recording.empty();
        long lengthNanos = 0;
        for (Interval interval : intervals) {
            open = open.plus(interval.recording());
            lengthNanos += interval.lengthNanos();
            if (lengthNanos >= LEAST_STRETCH_NANOS) {
                stretches.add(open);
                open = Recording.empty();
                lengthNanos = 0;
            }
        }
        if (lengthNanos > 0 && !stretches.isEmpty()) {
            int last = stretches.size() - 1;
            stretches.set(last, stretches.get(last).plus(open));
        } else if (lengthNanos > 0) {
            stretches.add(open);
        }
        return stretches;
    }

    /** Everything counted. */
    Recording total() {
        return stretches.stream().reduce(Recording.empty(), Recording::plus);
    }
}
