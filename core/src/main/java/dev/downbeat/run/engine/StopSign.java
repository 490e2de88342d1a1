package dev.downbeat.run.engine;

/** Signals all generators of a run to stop sending. Thread-safe. */
final class StopSign {
    private volatile boolean raised;
    private volatile boolean urgent;

    /** Stops; requests in flight get a moment to finish. */
    void raise() {
        urgent = true;
        raised = true;
    }

    /** Stops; requests in flight get the plan's full drain time. */
    void raiseGently() {
        raised = true;
    }

    boolean isUrgent() {
        return urgent;
    }

    boolean isRaised() {
        return raised;
    }
}
