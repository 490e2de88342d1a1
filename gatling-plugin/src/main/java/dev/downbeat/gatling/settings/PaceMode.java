package dev.downbeat.gatling.settings;

/** How a paced loop handles iterations that were due while their user was busy with an earlier one. */
public enum PaceMode {
    /** They are made up for back to back, so everything planned is sent. */
    CATCH_UP("catchUp"),
    /** They are never sent, which is Gatling's load, but are counted in the ledger with their wait. */
    SKIP_AND_COUNT("skipAndCount"),
    /** Gatling's own pace: they are unknown. */
    GATLING("gatling");

    private final String word;

    PaceMode(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
