package dev.downbeat.gatling.settings;

import dev.downbeat.gatling.version.UserMistake;

/** What becomes of the iterations of a paced loop that were due while their user was still busy with an earlier one. */
public enum PaceMode {
    /** They are made up for, one right after the other: all that was planned is sent. */
    CATCH_UP("catchUp"),
    /** They are never sent, which is Gatling's load, and the ledger has them with what they had waited. */
    SKIP_AND_COUNT("skipAndCount"),
    /** Gatling's own: they are not known. */
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
