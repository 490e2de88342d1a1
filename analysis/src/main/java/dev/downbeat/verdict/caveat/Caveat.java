package dev.downbeat.verdict.caveat;

import dev.downbeat.verdict.RunVerdict;
import java.util.Locale;

/**
 * A reason to doubt a measurement, or to read it with care. Values, so that a program can act on them; the text is made
 * from the data. One type for each kind of reason.
 */
public sealed interface Caveat permits Flaw, OwnDelay, LoadCaveat, DataLimit, Unsteady, ShardCaveat {
    /** What a reason does to what may be concluded. */
    enum Bearing {
        /** The numbers do not answer the question, whatever it is. */
        INVALIDATES,
        /** A good part of some times may be ours: what follows is said for each row and for each objective. */
        OURS,
        /** To be known, no more. */
        NOTE
    }

    /** A stable name for programs: that of the type in snake_case, unless the type has several. A test holds all of them. */
    default String code() {
        return getClass().getSimpleName().replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** One line: what was seen, what it means, and what to do about it where something can be done. */
    String text();

    /** The same in a few words, without a full stop, as part of a first line. */
    default String brief() {
        return text();
    }

    /** What it does to what may be concluded. */
    Bearing bearing();

    /** Whether it is more than a note; {@link RunVerdict#doubts} are those that make a measurement unsound. */
    default boolean isDoubt() {
        return bearing() != Bearing.NOTE;
    }
}
