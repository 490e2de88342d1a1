package dev.downbeat.run.agenda;

import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;

/** Selects the agenda for a workload. Workloads are plain values that do not know how they are executed. */
final class Agendas {
    private Agendas() {}

    /**
     * The requests of one of several generators.
     *
     * @throws IllegalStateException if the workload is driven externally
     */
    static Agenda of(RunPlan plan, int share, int shares) {
        Workload workload = plan.workload();
        if (workload instanceof Workload.Open open) {
            return new OpenAgenda(open.arrivals(), share, shares, plan);
        }
        if (workload instanceof Workload.Closed closed) {
            return new ClosedAgenda(closed, share, shares, plan);
        }
        if (workload instanceof Workload.PartlyOpen sessions) {
            return new SessionAgenda(sessions, share, shares, plan);
        }
        Workload.External external = (Workload.External) workload;
        throw new IllegalStateException(
                "a workload that is driven from outside cannot be run: " + external.description());
    }
}
