package dev.downbeat.verdict;

/**
 * The certainty that a verdict needs. Immutable.
 *
 * @param isSure whether a decision on an objective that was set needs the whole 95 % confidence interval on one side of
 *     the limit; otherwise the estimate decides and is marked as uncertain
 * @param isStrict whether any doubt leaves all objectives undecided, such as irrelevant delays of Downbeat or an
 *     unsteady service
 */
public record RequiredCertainty(boolean isSure, boolean isStrict) {
    /** The estimate decides; only doubts that change an answer count. */
    public static final RequiredCertainty PLAIN = new RequiredCertainty(false, false);
}
