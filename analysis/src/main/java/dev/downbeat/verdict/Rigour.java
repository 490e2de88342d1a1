package dev.downbeat.verdict;

/**
 * How much is asked of a verdict. Immutable.
 *
 * @param isSure whether an objective is only met or missed if the whole 95 % confidence interval is on that side of the limit;
 *     otherwise the estimate decides, and says where it is not sure
 * @param isStrict whether every doubt leaves every objective undecided: delays of our own that matter to no objective, and
 *     a service that is not steady
 */
public record Rigour(boolean isSure, boolean isStrict) {
    /** The estimate decides, and only what changes an answer is held against it. */
    public static final Rigour PLAIN = new Rigour(false, false);
}
