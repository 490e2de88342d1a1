package dev.downbeat.stats.change;

/** What can be said of a percentile of one system beside that of another. */
public enum ChangeAnswer {
    /** The other system is faster. */
    FASTER("faster"),
    /** The other system is slower. */
    SLOWER("slower"),
    /** Whatever the difference is, it is too small to matter. */
    SAME("the same"),
    /** The data allow no conclusion. */
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
