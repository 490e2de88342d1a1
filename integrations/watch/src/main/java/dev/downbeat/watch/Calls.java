package dev.downbeat.watch;

import java.util.ArrayList;
import java.util.List;

/**
 * Matches Downbeat's own calls with the operations in a recording, which also contains those of others. Calls are made
 * at uneven intervals, so that only one clock offset lets most of a group match.
 */
final class Calls {
    private static final double MOST = 0.75;

    /** This many calls together are identified by their intervals, whatever the clocks show. */
    private static final int SURE = 6;

    private static final long DRIFT_NANOS = 100_000_000;

    /** A call, on Downbeat's clock. */
    record Call(long sentAt, long answeredAt) {}

    private Calls() {}

    /**
     * The calls with matching operations, in order; empty if nothing matches. Both lists are in time order. A recording
     * that ran out of space has dropped the earliest operations.
     */
    static List<ClockLink.Exchange> match(List<Call> calls, List<FlightEvents.Operation> operations) {
        List<ClockLink.Exchange> all = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= calls.size(); i++) {
            if (i == calls.size() || calls.get(i).sentAt - calls.get(from).sentAt > ClockLink.TOGETHER_NANOS) {
                if (!all.isEmpty() || i - from >= SURE) {
                    all.addAll(group(calls.subList(from, i), operations, all));
                }
                from = i;
            }
        }
        return all;
    }

    private static List<ClockLink.Exchange> group(
            List<Call> calls, List<FlightEvents.Operation> operations, List<ClockLink.Exchange> before) {
        List<ClockLink.Exchange> best = List.of();
        for (int first = 0; first < operations.size(); first++) {
            FlightEvents.Operation operation = operations.get(first);
            long offset = calls.get(0).sentAt - operation.startNanos();
            if (before.isEmpty() || Math.abs(offset - offset(before.get(before.size() - 1))) < DRIFT_NANOS) {
                List<ClockLink.Exchange> found = from(calls, operations, first);
                best = found.size() > best.size() ? found : best;
            }
        }
        return best.size() >= Math.max(2, MOST * calls.size()) ? best : List.of();
    }

    private static long offset(ClockLink.Exchange exchange) {
        return exchange.sentAt() - exchange.theirStart();
    }

    /** The number of consistent matches if the first call is this operation. */
    private static List<ClockLink.Exchange> from(List<Call> calls, List<FlightEvents.Operation> operations, int first) {
        long least = Long.MIN_VALUE;
        long most = Long.MAX_VALUE;
        List<ClockLink.Exchange> found = new ArrayList<>();
        int at = first;
        for (Call call : calls) {
            for (int i = at; i < operations.size(); i++) {
                FlightEvents.Operation each = operations.get(i);
                long low = Math.max(least, call.sentAt - each.startNanos());
                long high = Math.min(most, call.answeredAt - each.endNanos());
                if (low <= high) {
                    found.add(new ClockLink.Exchange(call.sentAt, each.startNanos(), each.endNanos(), call.answeredAt));
                    least = low;
                    most = high;
                    at = i + 1;
                    break;
                }
                if (found.isEmpty() || call.answeredAt - each.startNanos() < least) {
                    break; // the first is given; and later ones are too late
                }
            }
        }
        return found;
    }
}
