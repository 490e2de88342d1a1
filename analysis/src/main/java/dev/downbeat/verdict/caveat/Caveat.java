package dev.downbeat.verdict.caveat;

import dev.downbeat.verdict.RunVerdict;
import java.util.Locale;

/**
 * A reason to doubt a measurement or to read it with care. Caveats are values, so that programs can act on them; the
 * text is derived. One type per kind of reason.
 */
public sealed interface Caveat permits Flaw, OwnDelay, LoadCaveat, DataLimit, Unsteady, ShardCaveat {
    /** The effect of a reason on the conclusions. */
    enum Bearing {
        /** The numbers answer no question. */
        INVALIDATES,
        /**
         * A considerable part of some times may be Downbeat's delay; the effect is stated for each row and objective.
         */
        OURS,
        /** For information only. */
        NOTE
    }

    /**
     * A stable name for programs: the type's name in snake_case, unless the type has several. A test fixes all of them.
     */
    default String code() {
        return getClass().getSimpleName().replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** One line: what was found, what it means, and what can be done about it. */
    String text();

    /** A short form without a full stop, for use in a headline. */
    default String brief() {
        return text();
    }

    /** The effect on the conclusions. */
    Bearing bearing();

    /** Whether it is more than a note. {@link RunVerdict#doubts} are those that make a measurement unsound. */
    default boolean isDoubt() {
        return bearing() != Bearing.NOTE;
    }
}
