package dev.downbeat.run.agenda;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import java.util.function.LongConsumer;

/**
 * Clients with a think time between a response and the next request. The next intended start depends on the response,
 * so planned requests cannot be counted without completions.
 */
final class ClosedAgenda implements Agenda {
    private final ThinkTime think;
    private final int share;
    private final int shares;
    private final int clients;
    private final int steps;
    private final long endNanos;
    private final long endIndex;
    private final DueClients due;
    private final long[] requests;
    private long taken;

    ClosedAgenda(Workload.Closed workload, int share, int shares, RunPlan plan) {
        this.think = workload.think();
        this.share = share;
        this.shares = shares;
        this.endNanos = plan.durationNanos();
        this.endIndex = plan.maxRequests();
        this.clients = workload.clients();
        this.steps = workload.think().steps();
        int mine = (clients - share + shares - 1) / shares;
        this.requests = new long[mine];
        this.due = new DueClients(mine);
        for (int client = 0; client < mine; client++) {
            due.add(client, 0);
        }
    }

    private long nextIndex() {
        return share + taken * shares;
    }

    @Override
    public long nextNanos() {
        return due.isEmpty() || nextIndex() >= endIndex ? NONE : due.firstNanos();
    }

    @Override
    public long take(Exchange exchange) {
        exchange.index = nextIndex();
        taken++;
        long nanos = due.firstNanos();
        exchange.client = due.removeFirst();
        long nth = requests[exchange.client];
        exchange.step = (int) (nth % steps);
        exchange.session = share + exchange.client * (long) shares + nth / steps * clients;
        return nanos;
    }

    @Override
    public void ended(Exchange exchange, long atNanos) {
        int client = exchange.client;
        long nextNanos = atNanos + think.pauseNanos(share + (long) client * shares, ++requests[client]);
        if (nextNanos < endNanos) {
            due.add(client, nextNanos);
        }
    }

    @Override
    public long backlogAt(long nanos) {
        return Math.min(due.countBefore(nanos), Agenda.shareOf(endIndex, share, shares) - taken);
    }

    @Override
    public long taken() {
        return taken;
    }

    @Override
    public long plannedBefore(long nanos) {
        return taken + backlogAt(nanos);
    }

    @Override
    public void leave(long nanos, Exchange unsent, LongConsumer intended) {
        while (nextNanos() < nanos) {
            intended.accept(take(unsent));
        }
    }
}
