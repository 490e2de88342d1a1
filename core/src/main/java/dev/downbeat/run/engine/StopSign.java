package dev.downbeat.run.engine;

/** Says to all generators of a run that nothing more is to be sent. Thread-safe. */
final class StopSign {
    private volatile boolean raised;
    private volatile boolean urgent;

    /** What is in flight has a moment. */
    void raise() {
        urgent = true;
        raised = true;
    }

    /** What is in flight has all the time that the plan gives it. */
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
