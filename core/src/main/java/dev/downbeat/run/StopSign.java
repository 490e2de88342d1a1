package dev.downbeat.run;

/** Says to all generators of a run that nothing more is to be sent. Thread-safe. */
final class StopSign {
    private volatile boolean raised;

    void raise() {
        raised = true;
    }

    boolean isRaised() {
        return raised;
    }
}
