package dev.downbeat.gatling;

/** What Downbeat adds to Gatling's Java DSL, for a static import. All of it needs a {@link DownbeatSimulation}. */
public final class Downbeat {
    private Downbeat() {}

    /** What is asked of the simulation: objectives, where to save, what Gatling's own report shows. */
    public static DownbeatProtocolBuilder protocol() {
        return DownbeatProtocolBuilder.defaults();
    }
}
