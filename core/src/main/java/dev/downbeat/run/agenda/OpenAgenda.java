package dev.downbeat.run.agenda;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.run.RunPlan;
import java.util.function.LongConsumer;

/**
 * Two cursors over the same arrival process. Requests are taken from one. The other counts those that have become due:
 * the other side of the ledger and the length of the backlog, both without storage.
 */
final class OpenAgenda implements Agenda {
    private final Cursor taken;
    private final Cursor due;

    OpenAgenda(ArrivalProcess arrivals, int share, int shares, RunPlan plan) {
        taken = new Cursor(arrivals.times(share, shares), plan);
        due = new Cursor(arrivals.times(share, shares), plan);
    }

    /** One pass over the intended starts, limited to the end of the plan. */
    private static final class Cursor {
        private final IntendedTimes times;
        private final long endNanos;
        private final long endIndex;
        long nextNanos;
        long nextIndex;
        long passed;

        Cursor(IntendedTimes times, RunPlan plan) {
            this.times = times;
            this.endNanos = plan.durationNanos();
            this.endIndex = plan.maxRequests();
            load();
        }

        private void load() {
            long nanos = times.nextNanos();
            nextIndex = times.index();
            nextNanos = nanos >= endNanos || nextIndex >= endIndex ? NONE : nanos;
        }

        long pass() {
            long nanos = nextNanos;
            passed++;
            load();
            return nanos;
        }
    }

    @Override
    public long nextNanos() {
        return taken.nextNanos;
    }

    @Override
    public long take(Exchange exchange) {
        exchange.index = taken.nextIndex;
        exchange.client = 0;
        exchange.session = taken.nextIndex;
        exchange.step = 0;
        return taken.pass();
    }

    @Override
    public void ended(Exchange exchange, long atNanos) {}

    @Override
    public long backlogAt(long nanos) {
        return Math.max(0, plannedBefore(nanos) - taken.passed);
    }

    @Override
    public long taken() {
        return taken.passed;
    }

    @Override
    public long plannedBefore(long nanos) {
        while (due.nextNanos < nanos) {
            due.pass();
        }
        return due.passed;
    }

    @Override
    public void leave(long nanos, Exchange unsent, LongConsumer intended) {
        while (taken.nextNanos < nanos) {
            intended.accept(take(unsent));
        }
    }
}
