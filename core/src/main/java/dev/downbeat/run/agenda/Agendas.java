package dev.downbeat.run.agenda;

import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;

/** Which agenda a workload has: workloads are values, and need not know who works them off. */
final class Agendas {
    private Agendas() {}

    /**
     * The requests of one of several generators.
     *
     * @throws IllegalStateException if the workload is driven from outside
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
