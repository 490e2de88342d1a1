package dev.downbeat.truths;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is true of a scenario, from its parameters alone.
 *
 * @param first the kinds that the first finding may have
 * @param never kinds that no finding of it may have
 * @param exits the exit codes that a script may be told
 * @param numbers that the first finding must have
 * @param isMissedAnyway whether what is missed would be missed without any event too
 */
record Truth(Set<Kind> first, Set<Kind> never, Set<Integer> exits, List<Expected> numbers, boolean isMissedAnyway) {
    /** What a number of a first line is of. */
    enum Quantity {
        BEGIN_SECONDS,
        LENGTH_SECONDS,
        EVENTS,
        ANSWERED_PER_SECOND,
        OFFERED_PER_SECOND,
        /** What the connections carry at most, if they are the limit. */
        CARRIED_PER_SECOND
    }

    /**
     * A number that a first line must have.
     *
     * @param least the least that is true
     * @param most the most that is true
     */
    record Expected(Quantity of, double least, double most) {}

    Truth {
        first = Set.copyOf(first);
        never = Set.copyOf(never);
        exits = Set.copyOf(exits);
        numbers = List.copyOf(numbers);
    }

    static Truth first(Kind kind, Kind... or) {
        return new Truth(EnumSet.of(kind, or), Set.of(), Set.of(0), List.of(), false);
    }

    Truth exit(Integer... codes) {
        return new Truth(first, never, new LinkedHashSet<>(List.of(codes)), numbers, isMissedAnyway);
    }

    Truth never(Kind kind, Kind... others) {
        return new Truth(first, EnumSet.of(kind, others), exits, numbers, isMissedAnyway);
    }

    /** No event is to blame for what is missed. */
    Truth missedAnyway() {
        return new Truth(first, never, exits, numbers, true);
    }

    /** A number with what it may be off on each side. */
    Truth number(Quantity of, double value, double off) {
        return between(of, value - off, value + off);
    }

    Truth between(Quantity of, double least, double most) {
        List<Expected> more = new ArrayList<>(numbers);
        more.add(new Expected(of, least, most));
        return new Truth(first, never, exits, more, isMissedAnyway);
    }
}
