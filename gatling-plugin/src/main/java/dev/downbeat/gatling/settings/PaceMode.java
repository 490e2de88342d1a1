package dev.downbeat.gatling.settings;

import dev.downbeat.gatling.version.UserMistake;

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

    static PaceMode parse(String text) {
        for (PaceMode mode : values()) {
            if (mode.word.equals(text)) {
                return mode;
            }
        }
        throw new UserMistake(
                "-D" + Settings.PREFIX + "pace must be catchUp, skipAndCount or gatling, but was '" + text + "'");
    }
}
