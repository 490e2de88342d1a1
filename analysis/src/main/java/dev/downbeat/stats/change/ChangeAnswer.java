package dev.downbeat.stats.change;

/** The conclusion about one percentile of two systems. */
public enum ChangeAnswer {
    /** The other system is faster. */
    FASTER("faster"),
    /** The other system is slower. */
    SLOWER("slower"),
    /** Any difference is too small to matter. */
    SAME("the same"),
    /** The data are not conclusive. */
    CANNOT_TELL("cannot tell"),
    /** The change has no interval, so nothing is concluded. */
    NOT_JUDGED("not judged");

    private final String word;

    ChangeAnswer(String word) {
        this.word = word;
    }

    /** The answer in lower case, as it stands in results. */
    public String word() {
        return word;
    }
}
